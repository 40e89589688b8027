/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of gasnetex.h, gasnet_vis.h, gasnet_ratomic.h and gasnet.h between all ranks, and their
 * events: every function, with contents checked. C and C++. Prints "ok" and the number of ranks. */
#include <gasnetex.h>

#include <gasnet.h>
#include <gasnet_mk.h>
#include <gasnet_ratomic.h>
#include <gasnet_tools.h>
#include <gasnet_vis.h>

#include "gasnet_check.h"

enum { MOST = 64, ROOM = 8000 };

/* Of every rank. */
struct area {
    uint64_t words[8];
    double number;
    float small;
    int32_t narrow;
    unsigned char in[MOST][128];
    unsigned char large[ROOM];   /* of this rank's pattern */
    unsigned char written[ROOM]; /* by one other rank */
    int matrix[10][12];
};

static struct area *of(gex_Rank_t rank) {
    return (struct area *)segment_of(rank);
}

static void meet(void) {
    gex_Coll_BarrierBlocking(all, 0);
}

static void puts_and_gets(void) {
    unsigned char bytes[128], got[ROOM];
    gex_Event_t local, events[3];
    gex_TM_t pair = gex_TM_Pair(ep, 0);
    for (gex_Rank_t to = 0; to < size; to++) {
        unsigned char *there = of(to)->in[me];
        fill(bytes, 128, me + to);
        CHECK(gex_RMA_PutBlocking(all, to, there, bytes, 40, 0) == 0);
        events[0] = gex_RMA_PutNB(pair, to, there + 40, bytes + 40, 20, GEX_EVENT_NOW, 0);
        events[1] = gex_RMA_PutNB(all, to, there + 60, bytes + 60, 20, GEX_EVENT_DEFER, 0);
        events[2] = gex_RMA_PutNB(all, to, there + 80, bytes + 80, 20, &local,
                                  GEX_FLAG_PEER_NEVER_SELF * (to != me));
        gex_Event_Wait(local);
        CHECK(gex_RMA_PutNBI(all, to, there + 100, bytes + 100, 10, GEX_EVENT_NOW, 0) == 0);
        CHECK(gex_RMA_PutNBI(all, to, there + 110, bytes + 110, 10, GEX_EVENT_DEFER, 0) == 0);
        CHECK(gex_RMA_PutNBI(pair, to, there + 120, bytes + 120, 8, GEX_EVENT_GROUP, 0) == 0);
        gex_NBI_Wait(GEX_EC_LC, 0);
        gex_NBI_Wait(GEX_EC_PUT, 0);
        gex_Event_WaitAll(events, 3, 0);
        CHECK(!events[0] && !events[1] && !events[2]);
    }
    meet();
    for (gex_Rank_t from = 0; from < size; from++) {
        CHECK(filled(of(me)->in[from], 128, me + from));
        CHECK(gex_RMA_GetBlocking(all, got, from, of(from)->large, 5000, 0) == 0);
        CHECK(filled(got, 5000, from));
        memset(got, 0, sizeof got);
        gex_Event_t event = gex_RMA_GetNB(pair, got, from, of(from)->large, ROOM, 0);
        while (gex_Event_Test(event) != GASNET_OK) {
            gasnet_AMPoll();
        }
        CHECK(filled(got, ROOM, from));
        memset(got, 0, sizeof got);
        CHECK(gex_RMA_GetNBI(all, got, from, of(from)->large, 300, 0) == 0);
        CHECK(gex_RMA_GetNBI(all, got + 300, from, of(from)->large + 300, 3000, 0) == 0);
        while (gex_NBI_Test(GEX_EC_GET, 0) != GASNET_OK) {
            gasnet_AMPoll();
        }
        CHECK(filled(got, 3300, from));
    }
    meet();
}

static void large_puts(void) {
    static unsigned char bytes[ROOM];
    gex_Rank_t to = (me + 1) % size, from = (me + size - 1) % size;
    for (unsigned how = 0; how < 4; how++) {
        gex_Event_t local = GEX_EVENT_INVALID, root = GEX_EVENT_INVALID;
        fill(bytes, ROOM, me + how);
        unsigned char *there = of(to)->written;
        if (how == 0) {
            root = gex_RMA_PutNB(all, to, there, bytes, ROOM, &local, 0);
            gex_Event_t both[2] = {root, local};
            gex_Event_WaitSome(both, 2, 0);
            CHECK(!both[0] || !both[1]);
            gex_Event_WaitAll(both, 2, 0);
        } else if (how == 1) {
            gex_RMA_PutNBI(all, to, there, bytes, ROOM, GEX_EVENT_NOW, 0);
            memset(bytes, 0, ROOM);
            gex_NBI_Wait(GEX_EC_ALL, 0);
        } else if (how == 2) {
            gex_NBI_BeginAccessRegion(0);
            gex_RMA_PutNBI(all, to, there, bytes, ROOM / 2, GEX_EVENT_GROUP, 0);
            gex_RMA_PutNBI(all, to, there + ROOM / 2, bytes + ROOM / 2, ROOM / 2, GEX_EVENT_GROUP,
                           0);
            root = gex_NBI_EndAccessRegion(0);
            gex_Event_t leaf = gex_Event_QueryLeaf(root, GEX_EC_LC);
            CHECK(leaf == gex_Event_QueryLeaf(root, GEX_EC_LC));
            gex_Event_t both[2] = {root, leaf};
            while (gex_Event_TestAll(both, 2, 0) != GASNET_OK) {
                gasnet_AMPoll();
            }
        } else {
            root = gex_RMA_PutNB(all, to, there, bytes, ROOM, GEX_EVENT_DEFER, 0);
            while (gex_Event_TestSome(&root, 1, 0) != GASNET_OK) {
                gasnet_AMPoll();
            }
        }
        CHECK(gex_Event_TestAll(NULL, 0, 0) == GASNET_OK);
        meet();
        CHECK(filled(of(me)->written, ROOM, from + how));
        meet();
    }
}

static void values(void) {
    gex_Rank_t to = (me + 1) % size;
    const uint64_t value = 0x1122334455667788u;
    for (size_t n = 1; n <= 8; n++) {
        uint64_t expected = n == 8 ? value : value & ((1ull << 8 * n) - 1);
        memset(of(me)->in[0], 0xff, 64);
        meet();
        unsigned char *there = of(to)->in[0];
        CHECK(gex_RMA_PutBlockingVal(all, to, there, value, n, 0) == 0);
        CHECK(gex_RMA_PutNBIVal(all, to, there + 16, value, n, 0) == 0);
        gex_Event_Wait(gex_RMA_PutNBVal(all, to, there + 32, value, n, 0));
        gex_NBI_Wait(GEX_EC_PUT, 0);
        for (int at = 0; at <= 32; at += 16) {
            CHECK(gex_RMA_GetBlockingVal(all, to, there + at, n, 0) == expected);
            CHECK(gex_RMA_GetBlockingVal(all, to, there + at + n, 1, 0) == 0xff);
        }
        CHECK(gasnet_get_val(to, there, n) == expected);
        CHECK(gasnet_wait_syncnb_valget(gasnet_get_nb_val(to, there, n)) == expected);
        meet();
    }
}

static void old_names(void) {
    static unsigned char bytes[ROOM], got[ROOM];
    gex_Rank_t to = (me + 1) % size, from = (me + size - 1) % size;
    unsigned char *there = of(to)->written;
    CHECK(gasnet_mynode() == me && gasnet_nodes() == size);
    for (unsigned how = 0; how < 8; how++) {
        fill(bytes, ROOM, me + how);
        switch (how) {
        case 0: gasnet_put(to, there, bytes, ROOM); break;
        case 1: gasnet_put_bulk(to, there, bytes, ROOM); break;
        case 2: gasnet_wait_syncnb(gasnet_put_nb(to, there, bytes, ROOM)); break;
        case 3: {
            gasnet_handle_t handle = gasnet_put_nb_bulk(to, there, bytes, ROOM);
            while (gasnet_try_syncnb(handle) != GASNET_OK) {
            }
            break;
        }
        case 4:
            gasnet_put_nbi(to, there, bytes, ROOM);
            gasnet_wait_syncnbi_puts();
            break;
        case 5:
            gasnet_put_nbi_bulk(to, there, bytes, ROOM);
            while (gasnet_try_syncnbi_puts() != GASNET_OK) {
            }
            break;
        case 6: {
            gasnet_begin_nbi_accessregion();
            gasnet_put_nbi_bulk(to, there, bytes, ROOM);
            gasnet_handle_t handle = gasnet_end_nbi_accessregion();
            gasnet_wait_syncnb_all(&handle, 1);
            break;
        }
        default: {
            void *const to_list[] = {there + ROOM / 2, there}, *const from_list[] = {
                bytes + ROOM / 2, bytes};
            gasnet_puti_bulk(to, 2, to_list, ROOM / 2, 2, from_list, ROOM / 2);
        }
        }
        meet();
        CHECK(filled(of(me)->written, ROOM, from + how));
        memset(got, 0, ROOM);
        switch (how % 4) {
        case 0: gasnet_get(got, to, there, ROOM); break;
        case 1: gasnet_get_bulk(got, to, there, ROOM); break;
        case 2: {
            gasnet_handle_t handle = gasnet_get_nb_bulk(got, to, there, ROOM);
            gasnet_wait_syncnb_some(&handle, 1);
            break;
        }
        default:
            gasnet_get_nbi(got, to, there, 100);
            gasnet_get_nbi_bulk(got + 100, to, there + 100, ROOM - 100);
            gasnet_wait_syncnbi_gets();
        }
        CHECK(filled(got, ROOM, me + how));
        meet();
    }
    gasnet_memset(to, there, 3, 100);
    gasnet_wait_syncnb(gasnet_memset_nb(to, there + 100, 4, 100));
    gasnet_memset_nbi(to, there + 200, 5, 100);
    gasnet_wait_syncnbi_all();
    gasnet_put_val(to, there + 300, 0x0706, 2);
    gasnet_wait_syncnb(gasnet_put_nb_val(to, there + 302, 8, 1));
    gasnet_put_nbi_val(to, there + 303, 9, 1);
    gasnet_wait_syncnbi_puts();
    meet();
    unsigned char *mine = of(me)->written;
    CHECK(mine[0] == 3 && mine[99] == 3 && mine[100] == 4 && mine[199] == 4 && mine[200] == 5);
    CHECK(mine[299] == 5 && mine[300] == 6 && mine[301] == 7 && mine[302] == 8 && mine[303] == 9);
    meet();
}

/* ---- many pieces ---- */

static void pieces(void) {
    static unsigned char bytes[ROOM], got[ROOM];
    gex_Rank_t to = (me + 1) % size, from = (me + size - 1) % size;
    unsigned char *there = of(to)->written;
    for (unsigned how = 0; how < 9; how++) {
        gex_Event_t event = GEX_EVENT_INVALID;
        fill(bytes, ROOM, me + how);
        gex_Memvec_t at[3] = {{there + 6000, 2000}, {there, 3}, {there + 3, 5997}};
        gex_Memvec_t by[2] = {{bytes + 6000, 2000}, {bytes, 6000}};
        void *to_list[4], *from_list[2] = {bytes, bytes + ROOM / 2};
        for (int i = 0; i < 4; i++) {
            to_list[i] = there + i * (ROOM / 4);
        }
        /* 20 x 10 pieces of 40 bytes, put where they are got from. */
        const ptrdiff_t strides[] = {40, 400}, none[] = {1, 1};
        const size_t counts[] = {10, 20};
        switch (how) {
        case 0: gex_VIS_VectorPutBlocking(all, to, 3, at, 2, by, 0); break;
        case 1:
            event = gex_VIS_VectorPutNB(all, to, 3, at, 2, by, GEX_FLAG_ENABLE_LEAF_LC);
            gex_Event_Wait(gex_Event_QueryLeaf(event, GEX_EC_LC));
            break;
        case 2: gex_VIS_VectorPutNBI(all, to, 3, at, 2, by, 0); break;
        case 3: gex_VIS_IndexedPutBlocking(all, to, 4, to_list, ROOM / 4, 2, from_list, ROOM / 2, 0);
            break;
        case 4:
            event = gex_VIS_IndexedPutNB(all, to, 4, to_list, ROOM / 4, 2, from_list, ROOM / 2, 0);
            break;
        case 5:
            gex_VIS_IndexedPutNBI(all, to, 4, to_list, ROOM / 4, 2, from_list, ROOM / 2, 0);
            break;
        case 6: gex_VIS_StridedPutBlocking(all, to, there, strides, bytes, strides, 40, counts, 2, 0);
            break;
        case 7:
            event = gex_VIS_StridedPutNB(all, to, there, strides, bytes, strides, 40, counts, 2, 0);
            break;
        default:
            gex_VIS_StridedPutNBI(all, to, there, none, bytes, none, ROOM, NULL, 0, 0);
        }
        gex_Event_Wait(event);
        gex_NBI_Wait(GEX_EC_PUT, 0);
        meet();
        CHECK(filled(of(me)->written, ROOM, from + how));
        memset(got, 0, ROOM);
        gex_Memvec_t got_by[2] = {{got + 6000, 2000}, {got, 6000}};
        void *got_list[2] = {got, got + ROOM / 2};
        event = GEX_EVENT_INVALID;
        switch (how) {
        case 0: gex_VIS_VectorGetBlocking(all, 2, got_by, to, 3, at, 0); break;
        case 1: event = gex_VIS_VectorGetNB(all, 2, got_by, to, 3, at, 0); break;
        case 2: gex_VIS_VectorGetNBI(all, 2, got_by, to, 3, at, 0); break;
        case 3: gex_VIS_IndexedGetBlocking(all, 2, got_list, ROOM / 2, to, 4, to_list, ROOM / 4, 0);
            break;
        case 4:
            event = gex_VIS_IndexedGetNB(all, 2, got_list, ROOM / 2, to, 4, to_list, ROOM / 4, 0);
            break;
        case 5: gex_VIS_IndexedGetNBI(all, 2, got_list, ROOM / 2, to, 4, to_list, ROOM / 4, 0); break;
        case 6: gex_VIS_StridedGetBlocking(all, got, strides, to, there, strides, 40, counts, 2, 0);
            break;
        case 7: event = gex_VIS_StridedGetNB(all, got, strides, to, there, strides, 40, counts, 2, 0);
            break;
        default: gex_VIS_StridedGetNBI(all, got, strides, to, there, strides, 40, counts, 2, 0);
        }
        gex_Event_Wait(event);
        gex_NBI_Wait(GEX_EC_GET, 0);
        CHECK(filled(got, ROOM, me + how));
        meet();
    }
}

/* A transposition and a reflection, and boxes of nothing. */
/* A put's peer completion handler, registered for replies, runs at the target when the data is there. */
enum { PEER = 200 };
static gasnett_atomic_t completions = gasnett_atomic_init(0);
static void on_peer(gex_Token_t token, void *payload, size_t bytes) {
    gex_Token_Info_t info;
    gex_Rank_t from;
    CHECK(bytes == sizeof from);
    memcpy(&from, payload, bytes);
    gex_Token_Info(token, &info, GEX_TI_ALL);
    CHECK(info.gex_srcrank == from && !info.gex_is_req && info.gex_entry->gex_index == PEER);
    CHECK(filled(of(me)->in[from], 60, me + from + 1));
    gasnett_atomic_increment(&completions, 0);
}

static void peer_completions(void) {
    unsigned char bytes[60];
    for (gex_Rank_t to = 0; to < size; to++) {
        void *here = bytes, *there = of(to)->in[me];
        fill(bytes, sizeof bytes, me + to + 1);
        gex_VIS_SetPeerCompletionHandler(PEER, &me, sizeof me, 0);
        CHECK(gex_VIS_IndexedPutNBI(all, to, 1, &there, 60, 1, &here, 60, 0) == 0);
        gex_NBI_Wait(GEX_EC_PUT, 0);
        gex_VIS_SetPeerCompletionHandler(PEER, &me, sizeof me, 0);
        gex_VIS_SetPeerCompletionHandler(0, NULL, 0, 0);
        CHECK(gex_VIS_IndexedPutBlocking(all, to, 1, &there, 60, 1, &here, 60, 0) == 0);
    }
    meet();
    GASNET_BLOCKUNTIL(gasnett_atomic_read(&completions, 0) == size);
    meet();
}

static void boxes(void) {
    gex_Rank_t to = (me + 1) % size;
    int mine[12][10], row[10];
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 10; k++) {
            mine[i][k] = (int)(1000 * me) + 10 * i + k;
        }
    }
    const ptrdiff_t there[] = {sizeof(int), 12 * sizeof(int)};
    const ptrdiff_t here[] = {10 * sizeof(int), sizeof(int)};
    const size_t count[] = {12, 10}, nothing[] = {12, 0};
    gex_VIS_StridedPutBlocking(all, to, of(to)->matrix, there, mine, here, sizeof(int), count, 2, 0);
    gex_VIS_StridedPutBlocking(all, to, of(to)->matrix, there, mine, here, sizeof(int), nothing, 2,
                               0);
    gex_VIS_StridedPutBlocking(all, to, of(to)->matrix, there, mine, here, 0, count, 2, 0);
    meet();
    gex_Rank_t from = (me + size - 1) % size;
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 10; k++) {
            CHECK(of(me)->matrix[k][i] == (int)(1000 * from) + 10 * i + k);
        }
    }
    const ptrdiff_t backwards[] = {-(ptrdiff_t)sizeof(int)}, forwards[] = {12 * sizeof(int)};
    const size_t ten[] = {10};
    gex_VIS_StridedGetBlocking(all, &row[9], backwards, to, &of(to)->matrix[0][3], forwards,
                               sizeof(int), ten, 1, 0);
    for (int k = 0; k < 10; k++) {
        CHECK(row[9 - k] == (int)(1000 * me) + 30 + k);
    }
    const size_t old_strides[] = {48}, old_count[] = {8, 3};
    gasnet_gets_bulk(row, old_count, to, &of(to)->matrix, old_strides, old_count, 1);
    CHECK(row[2] == (int)(1000 * me) + 1 && row[3] == (int)(1000 * me) + 11);
    meet();
}

/* ---- atomic operations: each operation once, then by all ranks at once ---- */

/* The target's rank is that of the domain's team, or of the job if a flag says so. */
static void atomics_of_team(void) {
    gex_TM_t backwards;
    gex_AD_t ad;
    uint64_t *word = &of(me)->words[2];
    (void)gex_TM_Split(&backwards, all, 0, -(int)me, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
    gex_AD_Create(&ad, backwards, GEX_DT_U64, GEX_OP_ADD, 0);
    gex_AD_OpNBI_U64(ad, NULL, gex_TM_QueryRank(backwards), word, GEX_OP_ADD, 1, 0, 0);
    gex_AD_OpNBI_U64(ad, NULL, me, word, GEX_OP_ADD, 1, 0, GEX_FLAG_RANK_IS_JOBRANK);
    gex_NBI_Wait(GEX_EC_RMW, 0);
    CHECK(*word == 2);
    gex_AD_Destroy(ad);
    (void)gex_TM_Destroy(backwards, NULL, 0);
}

static void atomics(void) {
    const gex_OP_t bits = GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR;
    const gex_OP_t sums = GEX_OP_ADD | GEX_OP_SUB | GEX_OP_MULT | GEX_OP_MIN | GEX_OP_MAX |
                          GEX_OP_INC | GEX_OP_DEC;
    const gex_OP_t ops = sums | GEX_OP_TO_FETCHING(sums) | GEX_OP_SET | GEX_OP_GET | GEX_OP_SWAP |
                         GEX_OP_CAS | GEX_OP_FCAS;
    gex_AD_t words, numbers, narrow, floats;
    gex_AD_Create(&words, all, GEX_DT_U64, ops | bits | GEX_OP_TO_FETCHING(bits), 0);
    gex_AD_Create(&numbers, all, GEX_DT_DBL, ops, GEX_FLAG_AD_FAVOR_REMOTE);
    gex_AD_Create(&narrow, all, GEX_DT_I32, ops, 0);
    gex_AD_Create(&floats, all, GEX_DT_FLT, ops, 0);
    CHECK(gex_AD_QueryDT(words) == GEX_DT_U64 && (gex_AD_QueryOps(words) & GEX_OP_FXOR));
    CHECK(gex_AD_QueryTM(words) == all && gex_AD_QueryFlags(numbers) == GEX_FLAG_AD_FAVOR_REMOTE);
    gex_AD_SetCData(words, &size);
    CHECK(gex_AD_QueryCData(words) == &size && !gex_AD_QueryCData(numbers));
    gex_Rank_t to = (me + 1) % size;
    uint64_t *word = &of(to)->words[0], old = 0;
    static const struct {
        gex_OP_t op;
        uint64_t a, b, after;
    } steps[] = {{GEX_OP_SET, 12, 0, 12},  {GEX_OP_ADD, 5, 0, 17},  {GEX_OP_SUB, 1, 0, 16},
                 {GEX_OP_MULT, 3, 0, 48},  {GEX_OP_MIN, 40, 0, 40}, {GEX_OP_MAX, 41, 0, 41},
                 {GEX_OP_INC, 0, 0, 42},   {GEX_OP_DEC, 0, 0, 41},  {GEX_OP_AND, 33, 0, 33},
                 {GEX_OP_OR, 6, 0, 39},    {GEX_OP_XOR, 1, 0, 38},  {GEX_OP_CAS, 38, 20, 20},
                 {GEX_OP_CAS, 7, 99, 20},  {GEX_OP_FADD, 2, 0, 22}, {GEX_OP_FSUB, 2, 0, 20},
                 {GEX_OP_FMULT, 2, 0, 40}, {GEX_OP_FMIN, 9, 0, 9},  {GEX_OP_FMAX, 12, 0, 12},
                 {GEX_OP_FINC, 0, 0, 13},  {GEX_OP_FDEC, 0, 0, 12}, {GEX_OP_FAND, 10, 0, 8},
                 {GEX_OP_FOR, 3, 0, 11},   {GEX_OP_FXOR, 1, 0, 10}, {GEX_OP_FCAS, 10, 4, 4},
                 {GEX_OP_SWAP, 77, 0, 77}, {GEX_OP_GET, 0, 0, 77}};
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        old = 555;
        gex_Event_Wait(gex_AD_OpNB_U64(words, &old, to, word, steps[i].op, steps[i].a, steps[i].b,
                                       GEX_FLAG_AD_ACQ | GEX_FLAG_AD_REL));
        CHECK(old == (steps[i].op >= GEX_OP_FAND ? before : 555));
        CHECK(gex_RMA_GetBlockingVal(all, to, word, 8, 0) == steps[i].after);
        before = steps[i].after;
    }
    meet();
    for (int i = 0; i < 50; i++) {
        for (gex_Rank_t rank = 0; rank < size; rank++) {
            gex_AD_OpNBI_U64(words, NULL, rank, &of(rank)->words[1], GEX_OP_ADD, me + 1, 0, 0);
            gex_AD_OpNBI_DBL(numbers, NULL, rank, &of(rank)->number, GEX_OP_ADD, 0.5, 0, 0);
            gex_AD_OpNBI_I32(narrow, NULL, rank, &of(rank)->narrow, GEX_OP_DEC, 0, 0, 0);
            gex_AD_OpNBI_FLT(floats, NULL, rank, &of(rank)->small, GEX_OP_MAX, (float)me, 0,
                             GEX_FLAG_RANK_IS_JOBRANK);
        }
    }
    int32_t seen = 1;
    gex_AD_OpNBI_I32(narrow, &seen, to, &of(to)->narrow, GEX_OP_GET, 0, 0, 0);
    gex_NBI_Wait(GEX_EC_GET, 0);
    CHECK(seen <= 0);
    gex_NBI_Wait(GEX_EC_RMW, 0);
    meet();
    CHECK(of(me)->words[1] == 50ull * size * (size + 1) / 2 && of(me)->number == 25.0 * size);
    CHECK(of(me)->narrow == -50 * (int)size && of(me)->small == (float)(size - 1));
    gex_AD_Destroy(words);
    gex_AD_Destroy(numbers);
    gex_AD_Destroy(narrow);
    gex_AD_Destroy(floats);
}

static void segments(void) {
    void *owner, *local;
    uintptr_t bytes;
    gasnet_seginfo_t info[MOST];
    gasnet_nodeinfo_t nodes[MOST];
    CHECK(gasnet_getSegmentInfo(info, MOST) == 0 && gasnet_getNodeInfo(nodes, (int)size) == 0);
    for (gex_Rank_t rank = 0; rank < size; rank++) {
        gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, &owner, &local, &bytes, 0));
        CHECK(owner == info[rank].addr && bytes == SEGMENT_BYTES && info[rank].size == bytes);
        CHECK(!local || local == owner);
        CHECK((nodes[rank].host == nodes[me].host) == (local != NULL));
    }
    CHECK(gex_Segment_QueryAddr(segment) == info[me].addr && gex_Segment_QueryFlags(segment) == 0);
    CHECK(gex_Segment_QuerySize(segment) == SEGMENT_BYTES && gex_EP_QuerySegment(ep) == segment);
    CHECK(gex_Segment_QueryClient(segment) == client);
    CHECK(gasnet_getMaxLocalSegmentSize() >= gasnet_getMaxGlobalSegmentSize());
    CHECK(gasnet_getMaxGlobalSegmentSize() >= SEGMENT_BYTES);
    gex_Segment_t other;
    gex_MK_t kind;
    gex_MK_Create_args_t device = {0, GEX_MK_CLASS_CUDA_UVA, {{0}}};
    CHECK(gex_Segment_Create(&other, client, NULL, 4096, GEX_MK_HOST, 0) == 0);
    CHECK(gex_Segment_QueryAddr(other) && gex_Segment_QuerySize(other) == 4096);
    gex_System_SetVerboseErrors(0);
    CHECK(!gex_System_GetVerboseErrors());
    gex_EP_t more;
    CHECK(gex_EP_BindSegment(ep, other, 0) == GASNET_ERR_BAD_ARG);
    CHECK(gex_EP_Create(&more, client, GEX_EP_CAPABILITY_RMA, 0) == GASNET_ERR_RESOURCE);
    CHECK(gex_MK_Create(&kind, client, &device, 0) != GASNET_OK);
    gex_System_SetVerboseErrors(1);
    gex_Segment_Destroy(other, 0);
    CHECK(gex_EP_PublishBoundSegment(all, NULL, 0, 0) == GASNET_OK);
    CHECK(gex_EP_PublishBoundSegment(all, &ep, me % 2, 0) == GASNET_OK);
    CHECK(gex_MK_QueryClass(GEX_MK_HOST) == GEX_MK_CLASS_HOST);
}

int main(int argc, char **argv) {
    gex_AM_Entry_t entry = {
        PEER, (gex_AM_Fn_t)on_peer, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, "peer"};
    start(&argc, &argv, &entry, 1);
    fill(of(me)->large, ROOM, me);
    meet();
    segments();
    puts_and_gets();
    large_puts();
    values();
    old_names();
    pieces();
    peer_completions();
    boxes();
    atomics();
    atomics_of_team();
    finish();
    return 0;
}
