/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector, indexed and strided transfers. Those of GASNet-1 are in gasnet.h. */
#ifndef GASNET_VIS_H
#define GASNET_VIS_H

#include "gasnetex.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define GEX_VIS_MAX_PEERCOMPLETION 1024
void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t index, const void *src, size_t bytes,
                                      gex_Flags_t flags);

/* Parameters that all operations share: one of the three forms, the direction and the rank. */
enum fl_gasnet_form { FL_GASNET_BLOCKING, FL_GASNET_NB, FL_GASNET_NBI };
struct fl_gasnet_vis {
    enum fl_gasnet_form form;
    int is_put;
    int is_checked; /* in the debug build */
    gex_TM_t tm;
    gex_Rank_t rank;
};
gex_Event_t fl_gasnet_vector(struct fl_gasnet_vis how, size_t n_to, const gex_Memvec_t *to,
                             size_t n_from, const gex_Memvec_t *from);
gex_Event_t fl_gasnet_indexed(struct fl_gasnet_vis how, size_t n_to, void *const *to,
                              size_t to_bytes, size_t n_from, void *const *from,
                              size_t from_bytes);
gex_Event_t fl_gasnet_strided(struct fl_gasnet_vis how, void *to, const ptrdiff_t *to_strides,
                              void *from, const ptrdiff_t *from_strides, size_t bytes,
                              const size_t *count, size_t levels);

static inline struct fl_gasnet_vis fl_gasnet_how(enum fl_gasnet_form form, int is_put, gex_TM_t tm,
                                                 gex_Rank_t rank) {
    struct fl_gasnet_vis how;
    how.form = form;
    how.is_put = is_put;
#ifdef GASNET_DEBUG
    how.is_checked = 1;
#else
    how.is_checked = 0;
#endif
    how.tm = tm;
    how.rank = rank;
    return how;
}

/* Arguments: the name, the direction, the function for all forms, its arguments, and the parameters
 * before the flags. Names in parentheses: see gasnet_ratomic.h. */
#define FL_GASNET_FORMS(Name, is_put, function, arguments, ...)                                    \
    static inline gex_Event_t(gex_VIS_##Name##NB)(__VA_ARGS__, gex_Flags_t flags) {                \
        struct fl_gasnet_vis how = fl_gasnet_how(FL_GASNET_NB, is_put, tm, rank);                  \
        (void)flags;                                                                               \
        return function arguments;                                                                 \
    }                                                                                              \
    static inline int(gex_VIS_##Name##NBI)(__VA_ARGS__, gex_Flags_t flags) {                       \
        struct fl_gasnet_vis how = fl_gasnet_how(FL_GASNET_NBI, is_put, tm, rank);                 \
        (void)flags;                                                                               \
        (void)function arguments;                                                                  \
        return GASNET_OK;                                                                          \
    }                                                                                              \
    static inline int(gex_VIS_##Name##Blocking)(__VA_ARGS__, gex_Flags_t flags) {                  \
        struct fl_gasnet_vis how = fl_gasnet_how(FL_GASNET_BLOCKING, is_put, tm, rank);            \
        (void)flags;                                                                               \
        (void)function arguments;                                                                  \
        return GASNET_OK;                                                                          \
    }

FL_GASNET_FORMS(VectorPut, 1, fl_gasnet_vector, (how, n_to, to, n_from, from), gex_TM_t tm,
                gex_Rank_t rank, size_t n_to, gex_Memvec_t const to[], size_t n_from,
                gex_Memvec_t const from[])
FL_GASNET_FORMS(VectorGet, 0, fl_gasnet_vector, (how, n_to, to, n_from, from), gex_TM_t tm,
                size_t n_to, gex_Memvec_t const to[], gex_Rank_t rank, size_t n_from,
                gex_Memvec_t const from[])
FL_GASNET_FORMS(IndexedPut, 1, fl_gasnet_indexed,
                (how, n_to, to, to_bytes, n_from, from, from_bytes), gex_TM_t tm, gex_Rank_t rank,
                size_t n_to, void *const to[], size_t to_bytes, size_t n_from, void *const from[],
                size_t from_bytes)
FL_GASNET_FORMS(IndexedGet, 0, fl_gasnet_indexed,
                (how, n_to, to, to_bytes, n_from, from, from_bytes), gex_TM_t tm, size_t n_to,
                void *const to[], size_t to_bytes, gex_Rank_t rank, size_t n_from,
                void *const from[], size_t from_bytes)
FL_GASNET_FORMS(StridedPut, 1, fl_gasnet_strided,
                (how, to, to_strides, from, from_strides, bytes, count, levels), gex_TM_t tm,
                gex_Rank_t rank, void *to, const ptrdiff_t to_strides[], void *from,
                const ptrdiff_t from_strides[], size_t bytes, const size_t count[], size_t levels)
FL_GASNET_FORMS(StridedGet, 0, fl_gasnet_strided,
                (how, to, to_strides, from, from_strides, bytes, count, levels), gex_TM_t tm,
                void *to, const ptrdiff_t to_strides[], gex_Rank_t rank, void *from,
                const ptrdiff_t from_strides[], size_t bytes, const size_t count[], size_t levels)
#undef FL_GASNET_FORMS

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
