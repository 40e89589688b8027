/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams that come and go: each thread of a rank splits a team of its own from all ranks, time and again,
 * performs collective operations of it beside a stream of messages, and destroys it. So a host gives the
 * memory of one thread's team to that of another while other hosts still leave the former.
 */
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "gasnet_check.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 40, MESSAGES = 20, LARGEST = 3000, MEDIUM = 200, BACK };

static gex_TM_t parents[THREADS];
static unsigned long replies;

static void on_medium(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t seed) {
    CHECK(filled(payload, bytes, (unsigned)seed));
    gex_AM_ReplyMedium1(token, BACK, payload, bytes, GEX_EVENT_NOW, 0, seed);
}

static void on_back(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t seed) {
    (void)token;
    CHECK(filled(payload, bytes, (unsigned)seed));
    __atomic_add_fetch(&replies, 1, __ATOMIC_RELAXED);
}

static void send_messages(int round) {
    static _Thread_local unsigned char source[LARGEST];
    for (int i = 0; i < MESSAGES; i++) {
        size_t bytes = (size_t)(i * 97 + round * 13) % LARGEST;
        unsigned seed = (unsigned)(i + round) % 991;
        fill(source, bytes, seed);
        gex_AM_RequestMedium1(all, (me + (gex_Rank_t)(i + round)) % size, MEDIUM, source, bytes,
                              GEX_EVENT_NOW, 0, (gex_AM_Arg_t)seed);
    }
}

static void use(gex_TM_t tm, int round) {
    static _Thread_local unsigned char bytes[LARGEST];
    uint64_t mine = gex_TM_QueryRank(tm) + 1, members = gex_TM_QuerySize(tm), sum = 0;
    gex_Rank_t root = (gex_Rank_t)round % (gex_Rank_t)members;
    if (mine == root + 1) {
        fill(bytes, LARGEST, (unsigned)round);
    }
    gex_Event_t events[] = {
        gex_Coll_ReduceToAllNB(tm, &sum, &mine, GEX_DT_U64, sizeof sum, 1, GEX_OP_ADD, NULL, NULL, 0),
        gex_Coll_BarrierNB(tm, 0), gex_Coll_BroadcastNB(tm, root, bytes, bytes, LARGEST, 0)};
    gex_Event_WaitAll(events, 3, 0);
    CHECK(sum == members * (members + 1) / 2);
    CHECK(filled(bytes, LARGEST, (unsigned)round));
}

static void *work(void *argument) {
    int thread = (int)(size_t)argument;
    gex_TM_t parent = parents[thread];
    for (int round = 0; round < ROUNDS; round++) {
        int rank = (int)gex_TM_QueryRank(parent);
        gex_TM_t tm;
        gex_TM_Split(&tm, parent, rank % (1 + (round + thread) % 3), round % 2 ? -rank : rank, NULL, 0,
                     GEX_FLAG_TM_NO_SCRATCH);
        send_messages(round);
        use(tm, round);
        gex_TM_Destroy(tm, NULL, 0);
    }
    return NULL;
}

int main(int argc, char **argv) {
    gex_AM_Entry_t table[] = {
        {MEDIUM, (gex_AM_Fn_t)on_medium, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, NULL, "medium"},
        {BACK, (gex_AM_Fn_t)on_back, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 1, NULL, "back"}};
    start(&argc, &argv, table, 2);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        gex_TM_Split(&parents[i], all, 0, i % 2 ? -(int)me : (int)me, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    GASNET_BLOCKUNTIL(__atomic_load_n(&replies, __ATOMIC_RELAXED) == THREADS * ROUNDS * MESSAGES);
    finish();
    return 0;
}
