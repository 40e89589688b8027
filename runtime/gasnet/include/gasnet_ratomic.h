/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote atomic operations. A domain has a type and a set of operations. Operations of all domains
 * are atomic with respect to each other, and to atomic instructions on the word's host. */
#ifndef GASNET_RATOMIC_H
#define GASNET_RATOMIC_H

#include "gasnetex.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Names in parentheses: the debug build's macros for calls (gasnet_places.h) leave them alone. */
void (gex_AD_Create)(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t type, gex_OP_t ops, gex_Flags_t flags);
void (gex_AD_Destroy)(gex_AD_t ad);
gex_TM_t gex_AD_QueryTM(gex_AD_t ad);
gex_DT_t gex_AD_QueryDT(gex_AD_t ad);
gex_OP_t gex_AD_QueryOps(gex_AD_t ad);

gex_Event_t fl_gasnet_ad_nb(gex_AD_t ad, void *result, gex_Rank_t rank, void *address, gex_OP_t op,
                            const void *a, const void *b, gex_DT_t type, gex_Flags_t flags);
int fl_gasnet_ad_nbi(gex_AD_t ad, void *result, gex_Rank_t rank, void *address, gex_OP_t op,
                     const void *a, const void *b, gex_DT_t type, gex_Flags_t flags);

#ifdef GASNET_DEBUG
void fl_gasnet_check_word(gex_AD_t ad, const void *result, gex_Rank_t rank, void *address,
                          size_t bytes, gex_OP_t op, gex_Flags_t flags);
#define FL_GASNET_CHECK_WORD(type)                                                                 \
    fl_gasnet_check_word(ad, result, rank, address, sizeof(type), op, flags)
#else
#define FL_GASNET_CHECK_WORD(type) ((void)0)
#endif

#define FL_GASNET_TYPE(TYPE, type)                                                                 \
    static inline gex_Event_t(gex_AD_OpNB_##TYPE)(gex_AD_t ad, type *result, gex_Rank_t rank,      \
                                                  void *address, gex_OP_t op, type a, type b,      \
                                                  gex_Flags_t flags) {                             \
        FL_GASNET_CHECK_WORD(type);                                                                \
        return fl_gasnet_ad_nb(ad, result, rank, address, op, &a, &b, GEX_DT_##TYPE, flags);       \
    }                                                                                              \
    static inline int(gex_AD_OpNBI_##TYPE)(gex_AD_t ad, type *result, gex_Rank_t rank,             \
                                           void *address, gex_OP_t op, type a, type b,             \
                                           gex_Flags_t flags) {                                    \
        FL_GASNET_CHECK_WORD(type);                                                                \
        return fl_gasnet_ad_nbi(ad, result, rank, address, op, &a, &b, GEX_DT_##TYPE, flags);      \
    }
FL_GASNET_TYPE(I32, int32_t)
FL_GASNET_TYPE(U32, uint32_t)
FL_GASNET_TYPE(I64, int64_t)
FL_GASNET_TYPE(U64, uint64_t)
FL_GASNET_TYPE(FLT, float)
FL_GASNET_TYPE(DBL, double)
#undef FL_GASNET_TYPE
#undef FL_GASNET_CHECK_WORD

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
