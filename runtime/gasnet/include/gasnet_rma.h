/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers of gasnetex.h, which includes this. The address alone identifies the memory; transfers
 * within this host are inline copies. No transfer is ever refused for lack of resources, so
 * GEX_FLAG_IMMEDIATE has no effect.
 */
#ifndef GASNET_RMA_H
#define GASNET_RMA_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void fl_gasnet_put_nbi(void *to, const void *from, size_t bytes, gex_Event_t *local);
#ifdef GASNET_DEBUG
void fl_gasnet_check_range(gex_TM_t tm, gex_Rank_t rank, const void *address, size_t bytes);
#define FL_GASNET_CHECK_RANGE(tm, rank, address, bytes)                                            \
    fl_gasnet_check_range(tm, rank, address, bytes)
void fl_gasnet_check_peer(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags);
#define FL_GASNET_CHECK_PEER(tm, rank, flags) fl_gasnet_check_peer(tm, rank, flags)
void fl_gasnet_check_value(size_t bytes);
void fl_gasnet_check_overlap(const void *to, const void *from, size_t bytes);
#define FL_GASNET_CHECK_OVERLAP(to, from, bytes) fl_gasnet_check_overlap(to, from, bytes)
#define FL_GASNET_CHECK_VALUE(bytes) fl_gasnet_check_value(bytes)
#else
#define FL_GASNET_CHECK_RANGE(tm, rank, address, bytes) ((void)(tm), (void)(rank))
#define FL_GASNET_CHECK_PEER(tm, rank, flags) ((void)(flags))
#define FL_GASNET_CHECK_VALUE(bytes) ((void)0)
#define FL_GASNET_CHECK_OVERLAP(to, from, bytes) ((void)0)
#endif

static inline int gex_RMA_PutBlocking(gex_TM_t tm, gex_Rank_t rank, void *to, const void *from,
                                      size_t bytes, gex_Flags_t flags) {
    FL_GASNET_CHECK_RANGE(tm, rank, to, bytes);
    FL_GASNET_CHECK_PEER(tm, rank, flags);
    FL_GASNET_CHECK_OVERLAP(to, from, bytes);
    gas_put(to, from, bytes);
    return GASNET_OK;
}

static inline int gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void *to, const void *from,
                                 size_t bytes, gex_Event_t *local, gex_Flags_t flags) {
    FL_GASNET_CHECK_RANGE(tm, rank, to, bytes);
    FL_GASNET_CHECK_PEER(tm, rank, flags);
    FL_GASNET_CHECK_OVERLAP(to, from, bytes);
    FL_GASNET_CHECK_LOCAL(local, FL_GASNET_LC_NOW | FL_GASNET_LC_DEFER | FL_GASNET_LC_GROUP);
    if (__builtin_expect(gas_is_here(to), 1)) {
        memcpy(to, from, bytes);
    } else {
        fl_gasnet_put_nbi(to, from, bytes, local);
    }
    return GASNET_OK;
}

/* GEX_EVENT_NOW and GEX_EVENT_DEFER have the values of gas.h's constants. */
static inline gex_Event_t gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void *to, const void *from,
                                        size_t bytes, gex_Event_t *local, gex_Flags_t flags) {
    FL_GASNET_CHECK_RANGE(tm, rank, to, bytes);
    FL_GASNET_CHECK_PEER(tm, rank, flags);
    FL_GASNET_CHECK_OVERLAP(to, from, bytes);
    FL_GASNET_CHECK_LOCAL(local, FL_GASNET_LC_NOW | FL_GASNET_LC_DEFER | FL_GASNET_LC_EVENT);
    if (__builtin_expect(gas_is_here(to), 1)) {
        memcpy(to, from, bytes);
        fl_gasnet_completed(local);
        return GEX_EVENT_INVALID;
    }
    return gas_put_nb(to, from, bytes, local);
}

static inline int gex_RMA_GetBlocking(gex_TM_t tm, void *to, gex_Rank_t rank, void *from,
                                      size_t bytes, gex_Flags_t flags) {
    FL_GASNET_CHECK_RANGE(tm, rank, from, bytes);
    FL_GASNET_CHECK_PEER(tm, rank, flags);
    FL_GASNET_CHECK_OVERLAP(to, from, bytes);
    gas_get(to, from, bytes);
    return GASNET_OK;
}

static inline int gex_RMA_GetNBI(gex_TM_t tm, void *to, gex_Rank_t rank, void *from, size_t bytes,
                                 gex_Flags_t flags) {
    FL_GASNET_CHECK_RANGE(tm, rank, from, bytes);
    FL_GASNET_CHECK_PEER(tm, rank, flags);
    FL_GASNET_CHECK_OVERLAP(to, from, bytes);
    gas_get_nbi(to, from, bytes);
    return GASNET_OK;
}

static inline gex_Event_t gex_RMA_GetNB(gex_TM_t tm, void *to, gex_Rank_t rank, void *from,
                                        size_t bytes, gex_Flags_t flags) {
    FL_GASNET_CHECK_RANGE(tm, rank, from, bytes);
    FL_GASNET_CHECK_PEER(tm, rank, flags);
    FL_GASNET_CHECK_OVERLAP(to, from, bytes);
    if (__builtin_expect(gas_is_here(from), 1)) {
        memcpy(to, from, bytes);
        return GEX_EVENT_INVALID;
    }
    return gas_get_nb(to, from, bytes);
}

/* ---- values: the low 1 to 8 bytes of a number ---- */

static inline gex_RMA_Value_t gex_RMA_GetBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *from,
                                                     size_t bytes, gex_Flags_t flags) {
    gex_RMA_Value_t value = 0;
    FL_GASNET_CHECK_VALUE(bytes);
    (void)gex_RMA_GetBlocking(tm, &value, rank, from, bytes, flags);
    return value;
}

static inline int gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *to,
                                         gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags) {
    FL_GASNET_CHECK_VALUE(bytes);
    return gex_RMA_PutBlocking(tm, rank, to, &value, bytes, flags);
}

static inline int gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void *to, gex_RMA_Value_t value,
                                    size_t bytes, gex_Flags_t flags) {
    FL_GASNET_CHECK_VALUE(bytes);
    return gex_RMA_PutNBI(tm, rank, to, &value, bytes, GEX_EVENT_NOW, flags);
}

static inline gex_Event_t gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void *to,
                                           gex_RMA_Value_t value, size_t bytes,
                                           gex_Flags_t flags) {
    FL_GASNET_CHECK_VALUE(bytes);
    return gex_RMA_PutNB(tm, rank, to, &value, bytes, GEX_EVENT_NOW, flags);
}

/* Part of gasnet_memset; also for memory of other hosts. */
gex_Event_t fl_gasnet_set_nb(void *to, int byte, size_t bytes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
