/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of GASNet-1, on gasnetex.h: older clients use them, alone or together with GASNet-EX.
 * Nodes are ranks of the job, handles are events.
 */
#ifndef GASNET_H
#define GASNET_H

#include "gasnetex.h"

#include "gasnet_tools.h"
#include "gasnet_vis.h"

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
#define GASNET_VERSION GASNET_SPEC_VERSION_MAJOR

typedef gex_Rank_t gasnet_node_t;
typedef gex_Token_t gasnet_token_t;
typedef gex_AM_Index_t gasnet_handler_t;
typedef gex_AM_Arg_t gasnet_handlerarg_t;
typedef gex_RMA_Value_t gasnet_register_value_t;
#define SIZEOF_GASNET_REGISTER_VALUE_T SIZEOF_GEX_RMA_VALUE_T
typedef gex_Event_t gasnet_handle_t;
#define GASNET_INVALID_HANDLE GEX_EVENT_INVALID
typedef struct {
    void *addr;
    size_t len;
} gasnet_memvec_t;
typedef struct {
    gasnet_handler_t index;
    gex_AM_Fn_t fnptr;
} gasnet_handlerentry_t;

/* ---- the job ---- */

int fl_gasnet_init(const struct fl_gasnet_build *build, const char *header, int *argc,
                   char ***argv);
static inline int gasnet_init(int *argc, char ***argv) {
    return fl_gasnet_init(&FL_GASNET_BUILD, __FILE__, argc, argv);
}
int(gasnet_attach)(gasnet_handlerentry_t *table, int n, uintptr_t bytes, uintptr_t min_heap_offset);
static inline gasnet_node_t gasnet_mynode(void) {
    return gas_rank();
}
static inline gasnet_node_t gasnet_nodes(void) {
    return gas_size();
}
int gasnet_getSegmentInfo(gasnet_seginfo_t *info, int n);
int gasnet_getNodeInfo(gasnet_nodeinfo_t *info, int n);

/* ---- active messages ---- */

#define gasnet_AMMaxArgs() ((size_t)gex_AM_MaxArgs())
#define gasnet_AMMaxMedium() gex_AM_LUBRequestMedium()
#define gasnet_AMMaxLongRequest() gex_AM_LUBRequestLong()
#define gasnet_AMMaxLongReply() gex_AM_LUBReplyLong()
int(gasnet_AMGetMsgSource)(gasnet_token_t token, gasnet_node_t *node_p);

/* The payload may be changed on return, that of LongAsync too. */
static inline int fl_gasnet_legacy_request_short(gasnet_node_t node, gasnet_handler_t index,
                                                 const uint32_t *args, unsigned n) {
    return gas_request_short(node, index, 0, args, n);
}
static inline int fl_gasnet_legacy_request_medium(gasnet_node_t node, gasnet_handler_t index,
                                                  void *payload, size_t bytes,
                                                  const uint32_t *args, unsigned n) {
    return gas_request_medium(node, index, payload, bytes, 0, args, n);
}
static inline int fl_gasnet_legacy_request_long(gasnet_node_t node, gasnet_handler_t index,
                                                void *payload, size_t bytes, void *to,
                                                const uint32_t *args, unsigned n) {
    FL_GASNET_CHECK_RANGE(FL_GASNET_PAIR, node, to, bytes);
    return gas_request_long(node, index, payload, bytes, to, GAS_EVENT_NOW, 0, args, n);
}
static inline int fl_gasnet_legacy_reply_short(gasnet_token_t token, gasnet_handler_t index,
                                               const uint32_t *args, unsigned n) {
    gas_reply_short(token, index, args, n);
    return GASNET_OK;
}
static inline int fl_gasnet_legacy_reply_medium(gasnet_token_t token, gasnet_handler_t index,
                                                void *payload, size_t bytes,
                                                const uint32_t *args, unsigned n) {
    gas_reply_medium(token, index, payload, bytes, args, n);
    return GASNET_OK;
}
static inline int fl_gasnet_legacy_reply_long(gasnet_token_t token, gasnet_handler_t index,
                                              void *payload, size_t bytes, void *to,
                                              const uint32_t *args, unsigned n) {
    gas_reply_long(token, index, payload, bytes, to, args, n);
    return GASNET_OK;
}

/* The seven families: FORM(M, Name, the function that sends, its first values, parameters). */
#define FL_GASNET_FAMILIES(FORM, M)                                                                \
    FORM(M, RequestShort, fl_gasnet_legacy_request_short, (node, index), gasnet_node_t node,       \
         gasnet_handler_t index)                                                                   \
    FORM(M, RequestMedium, fl_gasnet_legacy_request_medium, (node, index, payload, bytes),         \
         gasnet_node_t node, gasnet_handler_t index, void *payload, size_t bytes)                  \
    FORM(M, RequestLong, fl_gasnet_legacy_request_long, (node, index, payload, bytes, to),         \
         gasnet_node_t node, gasnet_handler_t index, void *payload, size_t bytes, void *to)        \
    FORM(M, RequestLongAsync, fl_gasnet_legacy_request_long, (node, index, payload, bytes, to),    \
         gasnet_node_t node, gasnet_handler_t index, void *payload, size_t bytes, void *to)        \
    FORM(M, ReplyShort, fl_gasnet_legacy_reply_short, (token, index), gasnet_token_t token,        \
         gasnet_handler_t index)                                                                   \
    FORM(M, ReplyMedium, fl_gasnet_legacy_reply_medium, (token, index, payload, bytes),            \
         gasnet_token_t token, gasnet_handler_t index, void *payload, size_t bytes)                \
    FORM(M, ReplyLong, fl_gasnet_legacy_reply_long, (token, index, payload, bytes, to),            \
         gasnet_token_t token, gasnet_handler_t index, void *payload, size_t bytes, void *to)
#define FL_GASNET_OPEN(...) __VA_ARGS__

/* gasnet_AMRequestShort2(node, index, a0, a1) */
#define FL_GASNET_NUMBERED(M, Name, send, values, ...)                                             \
    static inline int(gasnet_AM##Name##M)(__VA_ARGS__ FL_GASNET_PARAMETERS_##M) {                   \
        FL_GASNET_COLLECT(M);                                                                      \
        return send(FL_GASNET_OPEN values, FL_GASNET_ARGS(M));                                     \
    }
#define FL_GASNET_FAMILY(M) FL_GASNET_FAMILIES(FL_GASNET_NUMBERED, M)
FL_GASNET_EACH(FL_GASNET_FAMILY)
#undef FL_GASNET_FAMILY
#undef FL_GASNET_NUMBERED

/* gasnet_AMRequestShort(node, index, 2, a0, a1). gas.h refuses a count beyond its limit. */
#define FL_GASNET_COUNTED(M, Name, send, values, ...)                                              \
    static inline int(gasnet_AM##Name)(__VA_ARGS__, int n, ...) {                                   \
        uint32_t args_[16];                                                                        \
        va_list list;                                                                              \
        va_start(list, n);                                                                         \
        for (int i = 0; i < n && i < 16; i++) {                                                    \
            args_[i] = (uint32_t)va_arg(list, gasnet_handlerarg_t);                                \
        }                                                                                          \
        va_end(list);                                                                              \
        return send(FL_GASNET_OPEN values, args_, (unsigned)n);                                    \
    }
FL_GASNET_FAMILIES(FL_GASNET_COUNTED, )
#undef FL_GASNET_COUNTED
#undef FL_GASNET_FAMILIES

/* ---- transfers ---- */

#define FL_GASNET_ALL (&fl_gasnet_all)

static inline void(gasnet_put)(gasnet_node_t node, void *to, const void *from, size_t bytes) {
    (void)(gex_RMA_PutBlocking)(FL_GASNET_ALL, node, to, from, bytes, 0);
}
static inline void(gasnet_get)(void *to, gasnet_node_t node, void *from, size_t bytes) {
    (void)(gex_RMA_GetBlocking)(FL_GASNET_ALL, to, node, from, bytes, 0);
}
#define gasnet_put_bulk gasnet_put
#define gasnet_get_bulk gasnet_get

/* The caller may change the source of a put that is not bulk on return. */
static inline gasnet_handle_t(gasnet_put_nb)(gasnet_node_t node, void *to, const void *from,
                                            size_t bytes) {
    return (gex_RMA_PutNB)(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_NOW, 0);
}
static inline gasnet_handle_t(gasnet_put_nb_bulk)(gasnet_node_t node, void *to, const void *from,
                                                 size_t bytes) {
    return (gex_RMA_PutNB)(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_DEFER, 0);
}
static inline gasnet_handle_t(gasnet_get_nb)(void *to, gasnet_node_t node, void *from,
                                            size_t bytes) {
    return (gex_RMA_GetNB)(FL_GASNET_ALL, to, node, from, bytes, 0);
}
#define gasnet_get_nb_bulk gasnet_get_nb
static inline void(gasnet_put_nbi)(gasnet_node_t node, void *to, const void *from, size_t bytes) {
    (void)(gex_RMA_PutNBI)(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_NOW, 0);
}
static inline void(gasnet_put_nbi_bulk)(gasnet_node_t node, void *to, const void *from,
                                       size_t bytes) {
    (void)(gex_RMA_PutNBI)(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_DEFER, 0);
}
static inline void(gasnet_get_nbi)(void *to, gasnet_node_t node, void *from, size_t bytes) {
    (void)(gex_RMA_GetNBI)(FL_GASNET_ALL, to, node, from, bytes, 0);
}
#define gasnet_get_nbi_bulk gasnet_get_nbi

static inline void(gasnet_put_val)(gasnet_node_t node, void *to, gasnet_register_value_t value,
                                  size_t bytes) {
    (void)(gex_RMA_PutBlockingVal)(FL_GASNET_ALL, node, to, value, bytes, 0);
}
static inline gasnet_handle_t(gasnet_put_nb_val)(gasnet_node_t node, void *to,
                                                gasnet_register_value_t value, size_t bytes) {
    return (gex_RMA_PutNBVal)(FL_GASNET_ALL, node, to, value, bytes, 0);
}
static inline void(gasnet_put_nbi_val)(gasnet_node_t node, void *to, gasnet_register_value_t value,
                                      size_t bytes) {
    (void)(gex_RMA_PutNBIVal)(FL_GASNET_ALL, node, to, value, bytes, 0);
}
static inline gasnet_register_value_t(gasnet_get_val)(gasnet_node_t node, void *from,
                                                     size_t bytes) {
    return (gex_RMA_GetBlockingVal)(FL_GASNET_ALL, node, from, bytes, 0);
}
/* Blocks until the value has arrived, so the handle contains it. */
typedef struct {
    gasnet_register_value_t value;
} gasnet_valget_handle_t;
static inline gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *from,
                                                       size_t bytes) {
    gasnet_valget_handle_t handle;
    handle.value = gasnet_get_val(node, from, bytes);
    return handle;
}
static inline gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle) {
    return handle.value;
}

static inline gasnet_handle_t(gasnet_memset_nb)(gasnet_node_t node, void *to, int byte,
                                               size_t bytes) {
    FL_GASNET_CHECK_RANGE(FL_GASNET_ALL, node, to, bytes);
    return fl_gasnet_set_nb(to, byte, bytes);
}
static inline void(gasnet_memset)(gasnet_node_t node, void *to, int byte, size_t bytes) {
    (gex_Event_Wait)((gasnet_memset_nb)(node, to, byte, bytes));
}
static inline void(gasnet_memset_nbi)(gasnet_node_t node, void *to, int byte, size_t bytes) {
    gas_nbi_add_to(GAS_NBI_PUT, (gasnet_memset_nb)(node, to, byte, bytes));
}

/* ---- waiting ---- */

#define gasnet_wait_syncnb(handle) gex_Event_Wait(handle)
#define gasnet_wait_syncnb_some(handles, n) gex_Event_WaitSome(handles, n, 0)
#define gasnet_wait_syncnb_all(handles, n) gex_Event_WaitAll(handles, n, 0)
#define gasnet_try_syncnb_nopoll(handle) gex_Event_Test(handle)
#define gasnet_try_syncnb_some_nopoll(handles, n) gex_Event_TestSome(handles, n, 0)
#define gasnet_try_syncnb_all_nopoll(handles, n) gex_Event_TestAll(handles, n, 0)
#define gasnet_try_syncnb(handle) (gasnet_AMPoll(), gex_Event_Test(handle))
#define gasnet_try_syncnb_some(handles, n) (gasnet_AMPoll(), gex_Event_TestSome(handles, n, 0))
#define gasnet_try_syncnb_all(handles, n) (gasnet_AMPoll(), gex_Event_TestAll(handles, n, 0))
#define gasnet_wait_syncnbi_gets() gex_NBI_Wait(GEX_EC_GET, 0)
#define gasnet_wait_syncnbi_puts() gex_NBI_Wait(GEX_EC_PUT, 0)
#define gasnet_wait_syncnbi_all() gex_NBI_Wait(GEX_EC_ALL, 0)
#define gasnet_try_syncnbi_gets() (gasnet_AMPoll(), gex_NBI_Test(GEX_EC_GET, 0))
#define gasnet_try_syncnbi_puts() (gasnet_AMPoll(), gex_NBI_Test(GEX_EC_PUT, 0))
#define gasnet_try_syncnbi_all() (gasnet_AMPoll(), gex_NBI_Test(GEX_EC_ALL, 0))
#define gasnet_try_syncnbi_gets_nopoll() gex_NBI_Test(GEX_EC_GET, 0)
#define gasnet_try_syncnbi_puts_nopoll() gex_NBI_Test(GEX_EC_PUT, 0)
#define gasnet_try_syncnbi_all_nopoll() gex_NBI_Test(GEX_EC_ALL, 0)
#define gasnet_begin_nbi_accessregion() gex_NBI_BeginAccessRegion(0)
#define gasnet_end_nbi_accessregion() gex_NBI_EndAccessRegion(0)

typedef gex_HSL_t gasnet_hsl_t;
#define GASNET_HSL_INITIALIZER GEX_HSL_INITIALIZER
#define gasnet_hsl_init gex_HSL_Init
#define gasnet_hsl_destroy gex_HSL_Destroy
#define gasnet_hsl_lock gex_HSL_Lock
#define gasnet_hsl_unlock gex_HSL_Unlock
#define gasnet_hsl_trylock gex_HSL_Trylock

/* ---- vector, indexed and strided: counts[0] of a strided transfer is in bytes ---- */

gex_Event_t fl_gasnet_box(struct fl_gasnet_vis how, void *to, const size_t *to_strides, void *from,
                          const size_t *from_strides, const size_t *counts, size_t levels);

#define FL_GASNET_FORM(suffix, type, FORM, RETURN)                                                 \
    static inline type(gasnet_putv##suffix##_bulk)(gasnet_node_t node, size_t n_to,                \
                                                  gasnet_memvec_t const to[], size_t n_from,       \
                                                  gasnet_memvec_t const from[]) {                  \
        RETURN fl_gasnet_vector(fl_gasnet_how(FORM, 1, FL_GASNET_ALL, node), n_to,                 \
                                (const gex_Memvec_t *)(const void *)to, n_from,                    \
                                (const gex_Memvec_t *)(const void *)from);                         \
    }                                                                                              \
    static inline type(gasnet_getv##suffix##_bulk)(size_t n_to, gasnet_memvec_t const to[],        \
                                                  gasnet_node_t node, size_t n_from,               \
                                                  gasnet_memvec_t const from[]) {                  \
        RETURN fl_gasnet_vector(fl_gasnet_how(FORM, 0, FL_GASNET_ALL, node), n_to,                 \
                                (const gex_Memvec_t *)(const void *)to, n_from,                    \
                                (const gex_Memvec_t *)(const void *)from);                         \
    }                                                                                              \
    static inline type(gasnet_puti##suffix##_bulk)(gasnet_node_t node, size_t n_to,                \
                                                  void *const to[], size_t to_bytes,               \
                                                  size_t n_from, void *const from[],               \
                                                  size_t from_bytes) {                             \
        RETURN fl_gasnet_indexed(fl_gasnet_how(FORM, 1, FL_GASNET_ALL, node), n_to, to, to_bytes,  \
                                 n_from, from, from_bytes);                                        \
    }                                                                                              \
    static inline type(gasnet_geti##suffix##_bulk)(size_t n_to, void *const to[], size_t to_bytes, \
                                                  gasnet_node_t node, size_t n_from,               \
                                                  void *const from[], size_t from_bytes) {         \
        RETURN fl_gasnet_indexed(fl_gasnet_how(FORM, 0, FL_GASNET_ALL, node), n_to, to, to_bytes,  \
                                 n_from, from, from_bytes);                                        \
    }                                                                                              \
    static inline type(gasnet_puts##suffix##_bulk)(                                                \
        gasnet_node_t node, void *to, const size_t to_strides[], void *from,                       \
        const size_t from_strides[], const size_t counts[], size_t levels) {                       \
        RETURN fl_gasnet_box(fl_gasnet_how(FORM, 1, FL_GASNET_ALL, node), to, to_strides, from,    \
                             from_strides, counts, levels);                                        \
    }                                                                                              \
    static inline type(gasnet_gets##suffix##_bulk)(                                                \
        void *to, const size_t to_strides[], gasnet_node_t node, void *from,                       \
        const size_t from_strides[], const size_t counts[], size_t levels) {                       \
        RETURN fl_gasnet_box(fl_gasnet_how(FORM, 0, FL_GASNET_ALL, node), to, to_strides, from,    \
                             from_strides, counts, levels);                                        \
    }
FL_GASNET_FORM(, void, FL_GASNET_BLOCKING, (void))
FL_GASNET_FORM(_nb, gasnet_handle_t, FL_GASNET_NB, return)
FL_GASNET_FORM(_nbi, void, FL_GASNET_NBI, (void))
#undef FL_GASNET_FORM

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
