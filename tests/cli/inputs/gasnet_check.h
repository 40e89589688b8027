/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of gasnetex.h share: a job with a segment, its checks, and patterns of bytes. */
#ifndef GASNET_CHECK_H
#define GASNET_CHECK_H

#include "gas_fill.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("rank %u, line %d: %s\n", gex_System_QueryJobRank(), __LINE__, #condition);     \
            fflush(stdout);                                                                        \
            gasnet_exit(1);                                                                        \
        }                                                                                          \
    } while (0)

enum { SEGMENT_BYTES = 1 << 20 };

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t all;
static gex_Segment_t segment;
static gex_Rank_t me, size;

static inline void *segment_of(gex_Rank_t rank) {
    void *owner;
    CHECK(gex_Segment_QueryBound(all, rank, &owner, NULL, NULL) == 0);
    return owner;
}

static inline gex_Rank_t job_rank(gex_TM_t tm, gex_Rank_t rank) {
    return tm == gex_TM_Pair(ep, 0) ? rank : gex_TM_TranslateRankToJobrank(tm, rank);
}

static inline void start(int *argc, char ***argv, gex_AM_Entry_t *table, size_t n) {
    if (gex_Client_Init(&client, &ep, &all, "TEST", argc, argv, GEX_FLAG_USES_GASNET1) != 0) {
        abort();
    }
    me = gex_TM_QueryRank(all);
    size = gex_TM_QuerySize(all);
    CHECK(gex_Segment_Attach(&segment, all, SEGMENT_BYTES) == GASNET_OK);
    CHECK(gex_EP_RegisterHandlers(ep, table, n) == GASNET_OK);
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_UNNAMED);
    CHECK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_UNNAMED) == GASNET_OK);
}

static inline void finish(void) {
    gasnet_barrier(7, 0);
    if (me == 0) {
        printf("ok %u\n", size);
        fflush(stdout);
    }
    gasnet_barrier(8, 0);
}

#endif
