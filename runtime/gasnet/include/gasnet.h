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

#ifdef __cplusplus
extern "C" {
#endif

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
int gasnet_attach(gasnet_handlerentry_t *table, int n, uintptr_t bytes, uintptr_t min_heap_offset);
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
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *node_p);

/* The payload may be changed on return, that of LongAsync too. */
#define FL_GASNET_FAMILY(M)                                                                        \
    static inline int gasnet_AMRequestShort##M(                                                    \
        gasnet_node_t node, gasnet_handler_t index FL_GASNET_PARAMETERS_##M) {                     \
        FL_GASNET_COLLECT(M);                                                                      \
        return gas_request_short(node, index, 0, FL_GASNET_ARGS(M));                               \
    }                                                                                              \
    static inline int gasnet_AMRequestMedium##M(gasnet_node_t node, gasnet_handler_t index,        \
                                                void *payload,                                     \
                                                size_t bytes FL_GASNET_PARAMETERS_##M) {           \
        FL_GASNET_COLLECT(M);                                                                      \
        return gas_request_medium(node, index, payload, bytes, 0, FL_GASNET_ARGS(M));              \
    }                                                                                              \
    static inline int gasnet_AMRequestLong##M(gasnet_node_t node, gasnet_handler_t index,          \
                                              void *payload, size_t bytes,                         \
                                              void *to FL_GASNET_PARAMETERS_##M) {                 \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_RANGE(FL_GASNET_PAIR, node, to, bytes);                                    \
        return gas_request_long(node, index, payload, bytes, to, GAS_EVENT_NOW, 0,                 \
                                FL_GASNET_ARGS(M));                                                \
    }                                                                                              \
    static inline int gasnet_AMRequestLongAsync##M(gasnet_node_t node, gasnet_handler_t index,     \
                                                   void *payload, size_t bytes,                    \
                                                   void *to FL_GASNET_PARAMETERS_##M) {            \
        FL_GASNET_COLLECT(M);                                                                      \
        FL_GASNET_CHECK_RANGE(FL_GASNET_PAIR, node, to, bytes);                                    \
        return gas_request_long(node, index, payload, bytes, to, GAS_EVENT_NOW, 0,                 \
                                FL_GASNET_ARGS(M));                                                \
    }                                                                                              \
    static inline int gasnet_AMReplyShort##M(                                                      \
        gasnet_token_t token, gasnet_handler_t index FL_GASNET_PARAMETERS_##M) {                   \
        FL_GASNET_COLLECT(M);                                                                      \
        gas_reply_short(token, index, FL_GASNET_ARGS(M));                                          \
        return GASNET_OK;                                                                          \
    }                                                                                              \
    static inline int gasnet_AMReplyMedium##M(gasnet_token_t token, gasnet_handler_t index,        \
                                              void *payload,                                       \
                                              size_t bytes FL_GASNET_PARAMETERS_##M) {             \
        FL_GASNET_COLLECT(M);                                                                      \
        gas_reply_medium(token, index, payload, bytes, FL_GASNET_ARGS(M));                         \
        return GASNET_OK;                                                                          \
    }                                                                                              \
    static inline int gasnet_AMReplyLong##M(gasnet_token_t token, gasnet_handler_t index,          \
                                            void *payload, size_t bytes,                           \
                                            void *to FL_GASNET_PARAMETERS_##M) {                   \
        FL_GASNET_COLLECT(M);                                                                      \
        gas_reply_long(token, index, payload, bytes, to, FL_GASNET_ARGS(M));                       \
        return GASNET_OK;                                                                          \
    }
FL_GASNET_EACH(FL_GASNET_FAMILY)
#undef FL_GASNET_FAMILY

/* ---- transfers ---- */

#define FL_GASNET_ALL (&fl_gasnet_all)

static inline void gasnet_put(gasnet_node_t node, void *to, const void *from, size_t bytes) {
    (void)gex_RMA_PutBlocking(FL_GASNET_ALL, node, to, from, bytes, 0);
}
static inline void gasnet_get(void *to, gasnet_node_t node, void *from, size_t bytes) {
    (void)gex_RMA_GetBlocking(FL_GASNET_ALL, to, node, from, bytes, 0);
}
#define gasnet_put_bulk gasnet_put
#define gasnet_get_bulk gasnet_get

/* The caller may change the source of a put that is not bulk on return. */
static inline gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *to, const void *from,
                                            size_t bytes) {
    return gex_RMA_PutNB(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_NOW, 0);
}
static inline gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void *to, const void *from,
                                                 size_t bytes) {
    return gex_RMA_PutNB(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_DEFER, 0);
}
static inline gasnet_handle_t gasnet_get_nb(void *to, gasnet_node_t node, void *from,
                                            size_t bytes) {
    return gex_RMA_GetNB(FL_GASNET_ALL, to, node, from, bytes, 0);
}
#define gasnet_get_nb_bulk gasnet_get_nb
static inline void gasnet_put_nbi(gasnet_node_t node, void *to, const void *from, size_t bytes) {
    (void)gex_RMA_PutNBI(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_NOW, 0);
}
static inline void gasnet_put_nbi_bulk(gasnet_node_t node, void *to, const void *from,
                                       size_t bytes) {
    (void)gex_RMA_PutNBI(FL_GASNET_ALL, node, to, from, bytes, GEX_EVENT_DEFER, 0);
}
static inline void gasnet_get_nbi(void *to, gasnet_node_t node, void *from, size_t bytes) {
    (void)gex_RMA_GetNBI(FL_GASNET_ALL, to, node, from, bytes, 0);
}
#define gasnet_get_nbi_bulk gasnet_get_nbi

static inline void gasnet_put_val(gasnet_node_t node, void *to, gasnet_register_value_t value,
                                  size_t bytes) {
    (void)gex_RMA_PutBlockingVal(FL_GASNET_ALL, node, to, value, bytes, 0);
}
static inline gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void *to,
                                                gasnet_register_value_t value, size_t bytes) {
    return gex_RMA_PutNBVal(FL_GASNET_ALL, node, to, value, bytes, 0);
}
static inline void gasnet_put_nbi_val(gasnet_node_t node, void *to, gasnet_register_value_t value,
                                      size_t bytes) {
    (void)gex_RMA_PutNBIVal(FL_GASNET_ALL, node, to, value, bytes, 0);
}
static inline gasnet_register_value_t gasnet_get_val(gasnet_node_t node, void *from,
                                                     size_t bytes) {
    return gex_RMA_GetBlockingVal(FL_GASNET_ALL, node, from, bytes, 0);
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

static inline gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *to, int byte,
                                               size_t bytes) {
    FL_GASNET_CHECK_RANGE(FL_GASNET_ALL, node, to, bytes);
    return fl_gasnet_set_nb(to, byte, bytes);
}
static inline void gasnet_memset(gasnet_node_t node, void *to, int byte, size_t bytes) {
    gex_Event_Wait(gasnet_memset_nb(node, to, byte, bytes));
}
static inline void gasnet_memset_nbi(gasnet_node_t node, void *to, int byte, size_t bytes) {
    gas_nbi_add_to(GAS_NBI_PUT, gasnet_memset_nb(node, to, byte, bytes));
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
    static inline type gasnet_putv##suffix##_bulk(gasnet_node_t node, size_t n_to,                 \
                                                  gasnet_memvec_t const to[], size_t n_from,       \
                                                  gasnet_memvec_t const from[]) {                  \
        RETURN fl_gasnet_vector(fl_gasnet_how(FORM, 1, FL_GASNET_ALL, node), n_to,                 \
                                (const gex_Memvec_t *)(const void *)to, n_from,                    \
                                (const gex_Memvec_t *)(const void *)from);                         \
    }                                                                                              \
    static inline type gasnet_getv##suffix##_bulk(size_t n_to, gasnet_memvec_t const to[],         \
                                                  gasnet_node_t node, size_t n_from,               \
                                                  gasnet_memvec_t const from[]) {                  \
        RETURN fl_gasnet_vector(fl_gasnet_how(FORM, 0, FL_GASNET_ALL, node), n_to,                 \
                                (const gex_Memvec_t *)(const void *)to, n_from,                    \
                                (const gex_Memvec_t *)(const void *)from);                         \
    }                                                                                              \
    static inline type gasnet_puti##suffix##_bulk(gasnet_node_t node, size_t n_to,                 \
                                                  void *const to[], size_t to_bytes,               \
                                                  size_t n_from, void *const from[],               \
                                                  size_t from_bytes) {                             \
        RETURN fl_gasnet_indexed(fl_gasnet_how(FORM, 1, FL_GASNET_ALL, node), n_to, to, to_bytes,  \
                                 n_from, from, from_bytes);                                        \
    }                                                                                              \
    static inline type gasnet_geti##suffix##_bulk(size_t n_to, void *const to[], size_t to_bytes,  \
                                                  gasnet_node_t node, size_t n_from,               \
                                                  void *const from[], size_t from_bytes) {         \
        RETURN fl_gasnet_indexed(fl_gasnet_how(FORM, 0, FL_GASNET_ALL, node), n_to, to, to_bytes,  \
                                 n_from, from, from_bytes);                                        \
    }                                                                                              \
    static inline type gasnet_puts##suffix##_bulk(                                                 \
        gasnet_node_t node, void *to, const size_t to_strides[], void *from,                       \
        const size_t from_strides[], const size_t counts[], size_t levels) {                       \
        RETURN fl_gasnet_box(fl_gasnet_how(FORM, 1, FL_GASNET_ALL, node), to, to_strides, from,    \
                             from_strides, counts, levels);                                        \
    }                                                                                              \
    static inline type gasnet_gets##suffix##_bulk(                                                 \
        void *to, const size_t to_strides[], gasnet_node_t node, void *from,                       \
        const size_t from_strides[], const size_t counts[], size_t levels) {                       \
        RETURN fl_gasnet_box(fl_gasnet_how(FORM, 0, FL_GASNET_ALL, node), to, to_strides, from,    \
                             from_strides, counts, levels);                                        \
    }
FL_GASNET_FORM(, void, FL_GASNET_BLOCKING, (void))
FL_GASNET_FORM(_nb, gasnet_handle_t, FL_GASNET_NB, return)
FL_GASNET_FORM(_nbi, void, FL_GASNET_NBI, (void))
#undef FL_GASNET_FORM

#ifdef __cplusplus
}
#endif

#endif
