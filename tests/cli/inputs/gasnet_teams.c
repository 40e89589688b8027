/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams, collective operations and barriers of gasnetex.h and gasnet_coll.h, queries, locks, and the
 * tools. C and C++. Prints "ok" and the number of ranks. */
#include <gasnetex.h>

#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_tools.h>

#include "gasnet_check.h"

enum { MOST = 64 };

static const char context[] = "context";
static void longest(const void *in, void *inout, size_t n, const void *cdata) {
    const double *a = (const double *)in;
    double *b = (double *)inout;
    CHECK(cdata == context && n > 0);
    for (size_t i = 0; i < n; i++) {
        b[2 * i] = a[2 * i] > b[2 * i] ? a[2 * i] : b[2 * i];
        b[2 * i + 1] += a[2 * i + 1];
    }
}

static void operations(gex_TM_t tm, unsigned round) {
    gex_Rank_t rank = gex_TM_QueryRank(tm), n = gex_TM_QuerySize(tm), root = round % n;
    char bytes[100], mine[100];
    uint64_t sum = rank + 1;
    int32_t largest[3] = {(int32_t)rank, -(int32_t)rank, 5}, result[3];
    double pairs[20];
    for (int i = 0; i < 10; i++) {
        pairs[2 * i] = rank * i;
        pairs[2 * i + 1] = 1;
    }
    fill(mine, 100, rank);
    gex_Event_t events[5];
    events[0] = gex_Coll_BroadcastNB(tm, root, bytes, mine, 100, 0);
    events[1] = gex_Coll_ReduceToAllNB(tm, &sum, &sum, GEX_DT_U64, 8, 1, GEX_OP_ADD, NULL, NULL, 0);
    events[2] = gex_Coll_ReduceToOneNB(tm, root, result, largest, GEX_DT_I32, 4, 3, GEX_OP_MAX,
                                       NULL, NULL, 0);
    events[3] = gex_Coll_ReduceToAllNB(tm, pairs, pairs, GEX_DT_USER, 16, 10, GEX_OP_USER, longest,
                                       (void *)(uintptr_t)context, 0);
    events[4] = gex_Coll_BarrierNB(tm, 0);
    while (gex_Event_TestAll(events, 5, 0) != GASNET_OK) {
        gasnet_AMPoll();
    }
    CHECK(filled(bytes, 100, root) && sum == (uint64_t)n * (n + 1) / 2);
    CHECK(rank != root || (result[0] == (int32_t)n - 1 && result[1] == 0 && result[2] == 5));
    for (int i = 0; i < 10; i++) {
        CHECK(pairs[2 * i] == (n - 1) * i && pairs[2 * i + 1] == n);
    }
}

static void teams(void) {
    gex_TM_t odd = GEX_TM_INVALID, made = GEX_TM_INVALID;
    gex_Memvec_t scratch;
    void *memory = gex_Segment_QueryAddr(segment);
    size_t bytes = gex_TM_Split(&odd, all, (int)(me % 2), (int)me, NULL, 0,
                                GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
    CHECK(bytes > 0 && odd == GEX_TM_INVALID);
    CHECK(gex_TM_Split(&odd, all, (int)(me % 2), (int)me, memory, bytes, 0) == 0);
    CHECK(gex_TM_QueryRank(odd) == me / 2 && gex_TM_QuerySize(odd) == (size + 1 - me % 2) / 2);
    CHECK(gex_TM_TranslateRankToJobrank(odd, gex_TM_QueryRank(odd)) == me);
    CHECK(gex_TM_TranslateJobrankToRank(odd, me) == me / 2);
    CHECK(size == 1 || gex_TM_TranslateJobrankToRank(odd, me ^ 1) == GEX_RANK_INVALID ||
          (me ^ 1) >= size);
    CHECK(gex_TM_TranslateRankToEP(odd, me / 2, 0).gex_rank == me);
    CHECK(gex_TM_QueryClient(odd) == client && gex_TM_QueryEP(odd) == ep);
    gex_TM_SetCData(odd, &made);
    CHECK(gex_TM_QueryCData(odd) == &made && gex_TM_QueryCData(all) == NULL);
    operations(odd, 1);
    operations(all, 2);
    /* Ranks in turn, the last first, by the job's numbers. */
    gex_EP_Location_t members[MOST];
    for (gex_Rank_t i = 0; i < size; i++) {
        members[i].gex_rank = size - 1 - i;
        members[i].gex_ep_index = 0;
    }
    CHECK(gex_TM_Create(&made, 1, all, members, size, NULL, 0,
                        GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED | GEX_FLAG_TM_LOCAL_SCRATCH |
                            GEX_FLAG_RANK_IS_JOBRANK) > 0);
    gex_Addr_t lent = (char *)memory + bytes;
    gex_TM_Create(&made, 1, all, members, size, &lent, bytes,
                  GEX_FLAG_TM_LOCAL_SCRATCH | GEX_FLAG_RANK_IS_JOBRANK);
    CHECK(gex_TM_QueryRank(made) == size - 1 - me && made != all);
    for (unsigned round = 0; round < 5; round++) {
        operations(made, round);
        operations(odd, round);
    }
    CHECK(gex_TM_Destroy(made, &scratch, GEX_FLAG_GLOBALLY_QUIESCED) && scratch.gex_addr == lent);
    gex_TM_t inner = GEX_TM_INVALID;
    gex_TM_Split(gex_TM_QueryRank(odd) == 0 ? NULL : &inner, odd, 3, 0, NULL, 0,
                 GEX_FLAG_TM_NO_SCRATCH);
    CHECK((inner == GEX_TM_INVALID) == (gex_TM_QueryRank(odd) == 0));
    if (inner) {
        operations(inner, 3);
        CHECK(gex_TM_Destroy(inner, &scratch, 0) == 0);
    }
    CHECK(gex_TM_Destroy(odd, NULL, 0) == 0 || memory);
    CHECK(gex_TM_Pair(ep, 0) == gex_TM_Pair(ep, 0) && gex_TM_Pair(ep, 0) != all);
    CHECK(gex_TM_Pair(ep, 0) != GEX_TM_INVALID);
}

static void barriers(void) {
    int id = -1;
    gex_Event_t many[8];
    for (int i = 0; i < 8; i++) {
        many[i] = gex_Coll_BarrierNB(all, 0);
    }
    gex_Event_WaitAll(many, 8, 0);
    gasnet_barrier_notify(5, 0);
    int result;
    while ((result = gasnet_barrier_try(5, 0)) == GASNET_ERR_NOT_READY) {
    }
    CHECK(result == GASNET_OK && gasnet_barrier_result(&id) == 0 && id == 5);
    CHECK(gas_barrier_name(&id) && id == 5);
    CHECK(gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
    CHECK(gasnet_barrier_result(&id) != 0);
    CHECK(gasnet_barrier((int)me, me == 0 ? GASNET_BARRIERFLAG_MISMATCH : 0) ==
          GASNET_ERR_BARRIER_MISMATCH);
    CHECK(gasnet_barrier(9, me == 0 ? 0 : GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
    CHECK(gasnet_barrier_result(&id) == 0 && id == 9);
}

static void old_operations(void) {
    const int flags = GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;
    const int together = GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;
    int mine[MOST], got[MOST], root = (int)(size / 2);
    for (gex_Rank_t i = 0; i < size; i++) {
        mine[i] = (int)(100 * me + i);
    }
    gasnet_coll_gather_all(GASNET_TEAM_ALL, got, mine, sizeof(int), flags);
    for (gex_Rank_t i = 0; i < size; i++) {
        CHECK(got[i] == (int)(100 * i));
    }
    gasnet_coll_exchange(GASNET_TEAM_ALL, got, mine, sizeof(int), together);
    for (gex_Rank_t i = 0; i < size; i++) {
        CHECK(got[i] == (int)(100 * i + me));
    }
    int one = 0, first = (int)me;
    gasnet_coll_scatter(GASNET_TEAM_ALL, &one, (gasnet_image_t)root, mine, sizeof(int), flags);
    CHECK(one == (int)(100 * root + me));
    gasnet_coll_handle_t handles[2];
    handles[0] = gasnet_coll_broadcast_nb(GASNET_TEAM_ALL, &one, (gasnet_image_t)root, &first,
                                          sizeof(int), together);
    handles[1] = gasnet_coll_gather_nb(GASNET_TEAM_ALL, 0, got, mine, sizeof(int), flags);
    gasnet_coll_wait_sync_all(handles, 2);
    CHECK(one == root && (me != 0 || got[size - 1] == (int)(100 * (size - 1))));
    gasnet_coll_handle_t handle = gasnet_coll_broadcast_nb(GASNET_TEAM_ALL, &one, 0, &first,
                                                           sizeof(int), flags);
    while (gasnet_coll_try_sync(handle) != GASNET_OK) {
    }
    CHECK(one == 0);
}

static void queries(void) {
    gex_RankInfo_t *info;
    gex_Rank_t count, mine, hosts, host, nbrhds, nbrhd;
    unsigned threads;
    const gex_ProgressThreadInfo_t *progress;
    CHECK(!strcmp(gex_Client_QueryName(client), "TEST"));
    CHECK(gex_Client_QueryFlags(client) == GEX_FLAG_USES_GASNET1);
    CHECK(gex_System_QueryJobRank() == me && gex_System_QueryJobSize() == size);
    gex_System_QueryHostInfo(&info, &count, &mine);
    CHECK(info[mine].gex_jobrank == me && count <= size);
    for (gex_Rank_t i = 1; i < count; i++) {
        CHECK(info[i].gex_jobrank == info[i - 1].gex_jobrank + 1);
    }
    gex_System_QueryNbrhdInfo(NULL, &count, NULL);
    gex_System_QueryMyPosition(&nbrhds, &nbrhd, &hosts, &host);
    CHECK(nbrhd < nbrhds && host < hosts && nbrhds >= hosts && count > 0);
    CHECK(gex_System_QueryMaxThreads() >= 1);
    CHECK(gex_System_QueryHiddenAMConcurrencyLevel() == (hosts > 1));
    gex_System_SetVerboseErrors(0);
    CHECK(gex_System_QueryProgressThreads(client, &threads, &progress, 0) == GASNET_ERR_RESOURCE);
    CHECK(gasnet_set_waitmode(17) == GASNET_ERR_BAD_ARG);
    gex_System_SetVerboseErrors(1);
    CHECK(gasnet_set_waitmode(GASNET_WAIT_SPIN) == GASNET_OK);
    gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED);
    CHECK(gasnet_set_waitmode(GASNET_WAIT_BLOCK) == GASNET_OK);
    CHECK(!strcmp(gasnet_ErrorName(GASNET_ERR_NOT_READY), "GASNET_ERR_NOT_READY"));
    CHECK(gasnet_ErrorDesc(GASNET_OK) && gasnet_getenv("PATH") && !gasnet_getenv("NO_SUCH"));
    gex_Client_t a;
    gex_EP_t b;
    gex_TM_t c;
    gex_Segment_t d;
    gasnet_QueryGexObjects(&a, &b, &c, &d);
    CHECK(a == client && b == ep && c == all && d == segment);
    CHECK(gex_EP_QueryIndex(ep) == 0 && gex_EP_QueryClient(ep) == client && gex_EP_QueryFlags(ep) == 0);
    gex_EP_SetCData(ep, &a);
    gex_Client_SetCData(client, &b);
    gex_Segment_SetCData(segment, &c);
    CHECK(gex_EP_QueryCData(ep) == &a && gex_Client_QueryCData(client) == &b);
    CHECK(gex_Segment_QueryCData(segment) == &c && gex_TM_QueryFlags(all) == 0);
}

/* ---- the tools ---- */

GASNETT_THREADKEY_DEFINE(key);

static void tools(void) {
    gasnett_tick_t before = gasnett_ticks_now();
    CHECK(gasnett_nsleep(2000000) == 0);
    CHECK(gasnett_ticks_to_us(gasnett_ticks_now() - before) >= 2000);
    CHECK(gasnett_ticks_to_ns(before) > 0 && gasnett_tick_granularityus() > 0);
    CHECK(gasnett_tick_overheadus() > 0 && gasnett_gettimeofday_us() > 1000000);
    gasnett_atomic64_t number = gasnett_atomic64_init(5);
    CHECK(gasnett_atomic64_add(&number, 3, GASNETT_ATOMIC_REL) == 8);
    CHECK(gasnett_atomic64_subtract(&number, 2, 0) == 6);
    CHECK(gasnett_atomic64_compare_and_swap(&number, 6, 1, GASNETT_ATOMIC_ACQ_IF_TRUE));
    CHECK(!gasnett_atomic64_compare_and_swap(&number, 6, 1, 0));
    CHECK(gasnett_atomic64_swap(&number, 2, 0) == 1 && gasnett_atomic64_read(&number, 0) == 2);
    gasnett_atomic_t small = gasnett_atomic_init(1);
    gasnett_atomic_increment(&small, 0);
    gasnett_atomic_decrement(&small, 0);
    CHECK(gasnett_atomic_decrement_and_test(&small, GASNETT_ATOMIC_MB_POST));
    gasnett_atomic_set(&small, (gasnett_atomic_val_t)-4, 0);
    CHECK(gasnett_atomic_signed(gasnett_atomic_read(&small, 0)) == -4);
    gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
    gasnett_mutex_lock(&mutex);
    CHECK(gasnett_mutex_trylock(&mutex) == EBUSY);
    gasnett_mutex_unlock(&mutex);
    gasnett_mutex_destroy(&mutex);
    gasnett_threadkey_set(key, &mutex);
    CHECK(gasnett_threadkey_get(key) == &mutex);
    gasnett_setenv("GEX_TEST_NUMBER", "3M");
    CHECK(gasnett_getenv_int_withdefault("GEX_TEST_NUMBER", 7, 1) == 3 << 20);
    CHECK(gasnett_getenv_int_withdefault("GEX_TEST_NONE", 7, 0) == 7);
    gasnett_setenv("GEX_TEST_NUMBER", "12");
    CHECK(gasnett_getenv_int_withdefault("GEX_TEST_NUMBER", 7, 1024) == 12 * 1024);
    CHECK(gasnett_getenv_int_withdefault("GEX_TEST_NUMBER", 7, 0) == 12);
    CHECK(gasnett_getenv_dbl_withdefault("GEX_TEST_NUMBER", 0) == 12);
    gasnett_setenv("GEX_TEST_NUMBER", "Yes");
    CHECK(gasnett_getenv_yesno_withdefault("GEX_TEST_NUMBER", 0) == 1);
    gasnett_unsetenv("GEX_TEST_NUMBER");
    CHECK(!strcmp(gasnett_getenv_withdefault("GEX_TEST_NUMBER", "none"), "none"));
    char text[40];
    CHECK(!strcmp(gasnett_format_number(2 << 20, text, sizeof text, 1), "2 MB"));
    CHECK(gasnett_parse_int("0.5 KB", 1) == 512 && gasnett_parse_int("0x10", 1) == 16);
    CHECK(gasnett_cpu_count() > 0 && gasnett_getPhysMemSz(1) > 1 << 20);
    CHECK(*gasnett_gethostname() && *gasnett_exe_name() == '/' && gasnett_isLittleEndian());
    CHECK(gasnett_count0s("a\0b\0", 4) == 2 && gasnett_count0s_uint32_t(0xff00) == 3);
    void *page = gasnett_mmap(GASNETT_PAGESIZE);
    CHECK(page && *(char *)page == 0);
    gasnett_spinloop_hint();
    gasnett_sched_yield();
    gasnett_local_mb();
    gasnett_local_wmb();
    gasnett_local_rmb();
    char copy[4];
    CHECK(gasnett_count0s_copy(copy, "a\0b", 4) == 2 && memcmp(copy, "a\0b", 4) == 0);
    gasnett_flush_streams();
    GASNETT_TRACE_PRINTF("%d", 1);
    if_pt (me < size) { CHECK(1); }
    if_pf (me >= size) { CHECK(0); }
    gex_HSL_t lock = GEX_HSL_INITIALIZER;
    gex_HSL_Lock(&lock);
    CHECK(gex_HSL_Trylock(&lock) == GASNET_ERR_NOT_READY);
    gex_HSL_Unlock(&lock);
    CHECK(gex_HSL_Trylock(&lock) == GASNET_OK);
    gex_HSL_Unlock(&lock);
    gex_HSL_Destroy(&lock);
    gasnet_hsl_t old = GASNET_HSL_INITIALIZER;
    gasnet_hsl_init(&old);
    gasnet_hsl_lock(&old);
    gasnet_hsl_unlock(&old);
}

int main(int argc, char **argv) {
    GASNET_BEGIN_FUNCTION();
    start(&argc, &argv, NULL, 0);
    queries();
    tools();
    for (unsigned round = 0; round < 20; round++) {
        operations(all, round);
    }
    teams();
    barriers();
    old_operations();
    finish();
    return 0;
}
