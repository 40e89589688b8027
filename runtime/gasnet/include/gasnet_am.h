/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages of gasnetex.h, which includes this. Each family of functions (a request or reply,
 * of a category, whole or committed) is one macro with the number of arguments as its parameter;
 * FL_GASNET_EACH expands it to 17 functions. A function passes its arguments on as an array and
 * their number. The macros without a number in their names count their arguments.
 */
#ifndef GASNET_AM_H
#define GASNET_AM_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define FL_GASNET_EACH(FAMILY)                                                                     \
    FAMILY(0) FAMILY(1) FAMILY(2) FAMILY(3) FAMILY(4) FAMILY(5) FAMILY(6) FAMILY(7) FAMILY(8)      \
    FAMILY(9) FAMILY(10) FAMILY(11) FAMILY(12) FAMILY(13) FAMILY(14) FAMILY(15) FAMILY(16)

/* Declarations of n handler arguments, after other parameters. */
#define FL_GASNET_PARAMETERS_0
#define FL_GASNET_PARAMETERS_1 , gex_AM_Arg_t a0
#define FL_GASNET_PARAMETERS_2 FL_GASNET_PARAMETERS_1, gex_AM_Arg_t a1
#define FL_GASNET_PARAMETERS_3 FL_GASNET_PARAMETERS_2, gex_AM_Arg_t a2
#define FL_GASNET_PARAMETERS_4 FL_GASNET_PARAMETERS_3, gex_AM_Arg_t a3
#define FL_GASNET_PARAMETERS_5 FL_GASNET_PARAMETERS_4, gex_AM_Arg_t a4
#define FL_GASNET_PARAMETERS_6 FL_GASNET_PARAMETERS_5, gex_AM_Arg_t a5
#define FL_GASNET_PARAMETERS_7 FL_GASNET_PARAMETERS_6, gex_AM_Arg_t a6
#define FL_GASNET_PARAMETERS_8 FL_GASNET_PARAMETERS_7, gex_AM_Arg_t a7
#define FL_GASNET_PARAMETERS_9 FL_GASNET_PARAMETERS_8, gex_AM_Arg_t a8
#define FL_GASNET_PARAMETERS_10 FL_GASNET_PARAMETERS_9, gex_AM_Arg_t a9
#define FL_GASNET_PARAMETERS_11 FL_GASNET_PARAMETERS_10, gex_AM_Arg_t a10
#define FL_GASNET_PARAMETERS_12 FL_GASNET_PARAMETERS_11, gex_AM_Arg_t a11
#define FL_GASNET_PARAMETERS_13 FL_GASNET_PARAMETERS_12, gex_AM_Arg_t a12
#define FL_GASNET_PARAMETERS_14 FL_GASNET_PARAMETERS_13, gex_AM_Arg_t a13
#define FL_GASNET_PARAMETERS_15 FL_GASNET_PARAMETERS_14, gex_AM_Arg_t a14
#define FL_GASNET_PARAMETERS_16 FL_GASNET_PARAMETERS_15, gex_AM_Arg_t a15

/* Values of n handler arguments; one 0 for none, because an array must have an element. */
#define FL_GASNET_VALUES_0 0
#define FL_GASNET_VALUES_1 a0
#define FL_GASNET_VALUES_2 FL_GASNET_VALUES_1, a1
#define FL_GASNET_VALUES_3 FL_GASNET_VALUES_2, a2
#define FL_GASNET_VALUES_4 FL_GASNET_VALUES_3, a3
#define FL_GASNET_VALUES_5 FL_GASNET_VALUES_4, a4
#define FL_GASNET_VALUES_6 FL_GASNET_VALUES_5, a5
#define FL_GASNET_VALUES_7 FL_GASNET_VALUES_6, a6
#define FL_GASNET_VALUES_8 FL_GASNET_VALUES_7, a7
#define FL_GASNET_VALUES_9 FL_GASNET_VALUES_8, a8
#define FL_GASNET_VALUES_10 FL_GASNET_VALUES_9, a9
#define FL_GASNET_VALUES_11 FL_GASNET_VALUES_10, a10
#define FL_GASNET_VALUES_12 FL_GASNET_VALUES_11, a11
#define FL_GASNET_VALUES_13 FL_GASNET_VALUES_12, a12
#define FL_GASNET_VALUES_14 FL_GASNET_VALUES_13, a13
#define FL_GASNET_VALUES_15 FL_GASNET_VALUES_14, a14
#define FL_GASNET_VALUES_16 FL_GASNET_VALUES_15, a15

/* In a function with M arguments: the array's definition; the array and its length for gas.h. */
#define FL_GASNET_COLLECT(M) const gex_AM_Arg_t args_[] = {FL_GASNET_VALUES_##M}
#define FL_GASNET_ARGS(M) (const uint32_t *)args_, M

/* FL_GASNET_AFTER_k counts the arguments after the first k: appends a list that counts down, and
 * picks the 25th element. */
#define FL_GASNET_25TH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
                       a18, a19, a20, a21, a22, a23, a24, n, ...)                                  \
    n
#define FL_GASNET_FROM_16 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0
#define FL_GASNET_FROM_17 17, FL_GASNET_FROM_16
#define FL_GASNET_FROM_18 18, FL_GASNET_FROM_17
#define FL_GASNET_FROM_20 20, 19, FL_GASNET_FROM_18
#define FL_GASNET_FROM_21 21, FL_GASNET_FROM_20
#define FL_GASNET_PICK(...) FL_GASNET_25TH(__VA_ARGS__)
#define FL_GASNET_AFTER_3(...) FL_GASNET_PICK(__VA_ARGS__, FL_GASNET_FROM_21)
#define FL_GASNET_AFTER_4(...) FL_GASNET_PICK(__VA_ARGS__, FL_GASNET_FROM_20)
#define FL_GASNET_AFTER_5(...) FL_GASNET_PICK(__VA_ARGS__, 19, FL_GASNET_FROM_18)
#define FL_GASNET_AFTER_6(...) FL_GASNET_PICK(__VA_ARGS__, FL_GASNET_FROM_18)
#define FL_GASNET_AFTER_7(...) FL_GASNET_PICK(__VA_ARGS__, FL_GASNET_FROM_17)
#define FL_GASNET_AFTER_8(...) FL_GASNET_PICK(__VA_ARGS__, FL_GASNET_FROM_16)
#define FL_GASNET_JOIN_(name, count, suffix) name##count##suffix
#define FL_GASNET_JOIN(name, count, suffix) FL_GASNET_JOIN_(name, count, suffix)

/* ---- handlers ---- */

typedef struct {
    gex_AM_Index_t gex_index;
    gex_AM_Fn_t gex_fnptr;
    gex_Flags_t gex_flags;
    unsigned gex_nargs;
    const void *gex_cdata;
    const char *gex_name;
} gex_AM_Entry_t;
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t n);

typedef struct {
    gex_Rank_t gex_srcrank;
    gex_EP_t gex_ep;
    const gex_AM_Entry_t *gex_entry;
    int gex_is_req;
    int gex_is_long;
} gex_Token_Info_t;
gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info_p, gex_TI_t wanted);

#define gex_AM_MaxArgs() 16u
#define FL_GASNET_LIMITS(Way, Category)                                                            \
    size_t gex_AM_Max##Way##Category(gex_TM_t tm, gex_Rank_t rank, const gex_Event_t *local,       \
                                     gex_Flags_t flags, unsigned n_args);                          \
    size_t gex_AM_LUB##Way##Category(void);
FL_GASNET_LIMITS(Request, Medium)
FL_GASNET_LIMITS(Request, Long)
FL_GASNET_LIMITS(Reply, Medium)
FL_GASNET_LIMITS(Reply, Long)
#undef FL_GASNET_LIMITS
size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *local, gex_Flags_t flags,
                                unsigned n_args);
size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *local, gex_Flags_t flags,
                              unsigned n_args);

/* ---- requests and replies ---- */

#ifdef GASNET_DEBUG
void fl_gasnet_check_token(gex_Token_t token);
#define FL_GASNET_CHECK_TOKEN(token) fl_gasnet_check_token(token)
#else
#define FL_GASNET_CHECK_TOKEN(token) ((void)0)
#endif

/* GEX_FLAG_IMMEDIATE has the value of GAS_IMMEDIATE; with it, a nonzero result says that nothing
 * was sent. */
static inline int fl_gasnet_request_medium(gas_rank_t rank, gex_AM_Index_t index,
                                           const void *payload, size_t bytes, gex_Event_t *local,
                                           gex_Flags_t flags, const uint32_t *args, unsigned n) {
    fl_gasnet_completed(local);
    return gas_request_medium(rank, index, payload, bytes, flags & GAS_IMMEDIATE, args, n);
}

static inline int fl_gasnet_request_long(gas_rank_t rank, gex_AM_Index_t index,
                                         const void *payload, size_t bytes, void *to,
                                         gex_Event_t *local, gex_Flags_t flags,
                                         const uint32_t *args, unsigned n) {
    return gas_request_long(rank, index, payload, bytes, to,
                            local == GEX_EVENT_GROUP ? GAS_EVENT_DEFER : local,
                            flags & GAS_IMMEDIATE, args, n);
}

#define FL_GASNET_FAMILY(M)                                                                        \
    static inline int gex_AM_RequestShort##M(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t index,   \
                                             gex_Flags_t flags FL_GASNET_PARAMETERS_##M) {         \
        FL_GASNET_COLLECT(M);                                                                      \
        return gas_request_short(fl_gasnet_jobrank(tm, rank), index, flags & GAS_IMMEDIATE,        \
                                 FL_GASNET_ARGS(M));                                               \
    }                                                                                              \
    static inline int gex_AM_RequestMedium##M(                                                     \
        gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t index, const void *payload, size_t bytes,     \
        gex_Event_t *local, gex_Flags_t flags FL_GASNET_PARAMETERS_##M) {                          \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_LOCAL(local, FL_GASNET_LC_REQUEST);                                        \
        return fl_gasnet_request_medium(fl_gasnet_jobrank(tm, rank), index, payload, bytes, local, \
                                        flags, FL_GASNET_ARGS(M));                                 \
    }                                                                                              \
    static inline int gex_AM_RequestLong##M(                                                       \
        gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t index, const void *payload, size_t bytes,     \
        void *to, gex_Event_t *local, gex_Flags_t flags FL_GASNET_PARAMETERS_##M) {                \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_LOCAL(local, FL_GASNET_LC_REQUEST);                                        \
        FL_GASNET_CHECK_RANGE(tm, rank, to, bytes);                                                \
        return fl_gasnet_request_long(fl_gasnet_jobrank(tm, rank), index, payload, bytes, to,      \
                                      local, flags, FL_GASNET_ARGS(M));                            \
    }                                                                                              \
    static inline int gex_AM_ReplyShort##M(gex_Token_t token, gex_AM_Index_t index,                \
                                           gex_Flags_t flags FL_GASNET_PARAMETERS_##M) {           \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_TOKEN(token);                                                              \
        (void)flags;                                                                               \
        gas_reply_short(token, index, FL_GASNET_ARGS(M));                                          \
        return GASNET_OK;                                                                          \
    }                                                                                              \
    static inline int gex_AM_ReplyMedium##M(gex_Token_t token, gex_AM_Index_t index,               \
                                            const void *payload, size_t bytes, gex_Event_t *local, \
                                            gex_Flags_t flags FL_GASNET_PARAMETERS_##M) {          \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_TOKEN(token);                                                              \
        FL_GASNET_CHECK_LOCAL(local, FL_GASNET_LC_REPLY);                                          \
        (void)flags;                                                                               \
        fl_gasnet_completed(local);                                                                \
        gas_reply_medium(token, index, payload, bytes, FL_GASNET_ARGS(M));                         \
        return GASNET_OK;                                                                          \
    }                                                                                              \
    static inline int gex_AM_ReplyLong##M(gex_Token_t token, gex_AM_Index_t index,                 \
                                          const void *payload, size_t bytes, void *to,             \
                                          gex_Event_t *local,                                      \
                                          gex_Flags_t flags FL_GASNET_PARAMETERS_##M) {            \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_TOKEN(token);                                                              \
        FL_GASNET_CHECK_LOCAL(local, FL_GASNET_LC_REPLY);                                          \
        (void)flags;                                                                               \
        fl_gasnet_completed(local);                                                                \
        gas_reply_long(token, index, payload, bytes, to, FL_GASNET_ARGS(M));                       \
        return GASNET_OK;                                                                          \
    }
FL_GASNET_EACH(FL_GASNET_FAMILY)
#undef FL_GASNET_FAMILY

#define gex_AM_RequestShort(...)                                                                   \
    FL_GASNET_JOIN(gex_AM_RequestShort, FL_GASNET_AFTER_4(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_RequestMedium(...)                                                                  \
    FL_GASNET_JOIN(gex_AM_RequestMedium, FL_GASNET_AFTER_7(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_RequestLong(...)                                                                    \
    FL_GASNET_JOIN(gex_AM_RequestLong, FL_GASNET_AFTER_8(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_ReplyShort(...)                                                                     \
    FL_GASNET_JOIN(gex_AM_ReplyShort, FL_GASNET_AFTER_3(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_ReplyMedium(...)                                                                    \
    FL_GASNET_JOIN(gex_AM_ReplyMedium, FL_GASNET_AFTER_6(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_ReplyLong(...)                                                                      \
    FL_GASNET_JOIN(gex_AM_ReplyLong, FL_GASNET_AFTER_7(__VA_ARGS__), )(__VA_ARGS__)

/* ---- negotiated payload: one message of the calling thread at a time ---- */

gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(gex_TM_t tm, gex_Rank_t rank, const void *payload,
                                             size_t least, size_t most, gex_Event_t *local,
                                             gex_Flags_t flags, unsigned n_args);
gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(gex_TM_t tm, gex_Rank_t rank, const void *payload,
                                           size_t least, size_t most, void *to,
                                           gex_Event_t *local, gex_Flags_t flags,
                                           unsigned n_args);
gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(gex_Token_t token, const void *payload, size_t least,
                                           size_t most, gex_Event_t *local, gex_Flags_t flags,
                                           unsigned n_args);
gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token, const void *payload, size_t least,
                                         size_t most, void *to, gex_Event_t *local,
                                         gex_Flags_t flags, unsigned n_args);
void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t prepared);
size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t prepared);

enum fl_gasnet_way {
    FL_GASNET_REQUEST_MEDIUM,
    FL_GASNET_REQUEST_LONG,
    FL_GASNET_REPLY_MEDIUM,
    FL_GASNET_REPLY_LONG
};
int fl_gasnet_commit(enum fl_gasnet_way way, gex_AM_SrcDesc_t prepared, gex_AM_Index_t index,
                     size_t bytes, void *to, gex_Flags_t flags, const uint32_t *args, unsigned n);
int fl_gasnet_cancel(enum fl_gasnet_way way, gex_AM_SrcDesc_t prepared, gex_Flags_t flags);

#define FL_GASNET_COMMIT(M, Name, WAY, TO_PARAMETER, TO)                                           \
    static inline void gex_AM_Commit##Name##M(gex_AM_SrcDesc_t prepared, gex_AM_Index_t index,     \
                                              size_t bytes TO_PARAMETER                            \
                                                  FL_GASNET_PARAMETERS_##M) {                      \
        FL_GASNET_COLLECT(M);                                                                      \
        (void)fl_gasnet_commit(WAY, prepared, index, bytes, TO, 0, FL_GASNET_ARGS(M));             \
    }                                                                                              \
    static inline int gex_AM_Commit##Name##M##_v2(gex_AM_SrcDesc_t prepared, gex_AM_Index_t index, \
                                                  size_t bytes TO_PARAMETER, gex_Flags_t flags     \
                                                                 FL_GASNET_PARAMETERS_##M) {       \
        FL_GASNET_COLLECT(M);                                                                      \
        return fl_gasnet_commit(WAY, prepared, index, bytes, TO, flags, FL_GASNET_ARGS(M));        \
    }
#define FL_GASNET_NOTHING
#define FL_GASNET_TO , void *to
#define FL_GASNET_FAMILY(M)                                                                        \
    FL_GASNET_COMMIT(M, RequestMedium, FL_GASNET_REQUEST_MEDIUM, FL_GASNET_NOTHING, NULL)          \
    FL_GASNET_COMMIT(M, RequestLong, FL_GASNET_REQUEST_LONG, FL_GASNET_TO, to)                     \
    FL_GASNET_COMMIT(M, ReplyMedium, FL_GASNET_REPLY_MEDIUM, FL_GASNET_NOTHING, NULL)              \
    FL_GASNET_COMMIT(M, ReplyLong, FL_GASNET_REPLY_LONG, FL_GASNET_TO, to)
FL_GASNET_EACH(FL_GASNET_FAMILY)
#undef FL_GASNET_FAMILY

#define gex_AM_CommitRequestMedium(...)                                                            \
    FL_GASNET_JOIN(gex_AM_CommitRequestMedium, FL_GASNET_AFTER_3(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitRequestLong(...)                                                              \
    FL_GASNET_JOIN(gex_AM_CommitRequestLong, FL_GASNET_AFTER_4(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitReplyMedium(...)                                                              \
    FL_GASNET_JOIN(gex_AM_CommitReplyMedium, FL_GASNET_AFTER_3(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitReplyLong(...)                                                                \
    FL_GASNET_JOIN(gex_AM_CommitReplyLong, FL_GASNET_AFTER_4(__VA_ARGS__), )(__VA_ARGS__)
#define gex_AM_CommitRequestMedium_v2(...)                                                         \
    FL_GASNET_JOIN(gex_AM_CommitRequestMedium, FL_GASNET_AFTER_4(__VA_ARGS__), _v2)(__VA_ARGS__)
#define gex_AM_CommitRequestLong_v2(...)                                                           \
    FL_GASNET_JOIN(gex_AM_CommitRequestLong, FL_GASNET_AFTER_5(__VA_ARGS__), _v2)(__VA_ARGS__)
#define gex_AM_CommitReplyMedium_v2(...)                                                           \
    FL_GASNET_JOIN(gex_AM_CommitReplyMedium, FL_GASNET_AFTER_4(__VA_ARGS__), _v2)(__VA_ARGS__)
#define gex_AM_CommitReplyLong_v2(...)                                                             \
    FL_GASNET_JOIN(gex_AM_CommitReplyLong, FL_GASNET_AFTER_5(__VA_ARGS__), _v2)(__VA_ARGS__)

#define gex_AM_CancelRequestMedium(prepared, flags)                                                \
    fl_gasnet_cancel(FL_GASNET_REQUEST_MEDIUM, prepared, flags)
#define gex_AM_CancelRequestLong(prepared, flags)                                                  \
    fl_gasnet_cancel(FL_GASNET_REQUEST_LONG, prepared, flags)
#define gex_AM_CancelReplyMedium(prepared, flags)                                                  \
    fl_gasnet_cancel(FL_GASNET_REPLY_MEDIUM, prepared, flags)
#define gex_AM_CancelReplyLong(prepared, flags)                                                    \
    fl_gasnet_cancel(FL_GASNET_REPLY_LONG, prepared, flags)

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
