/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A storm: all threads of all ranks send messages of all categories to all ranks, as fast as they can
 * and without waiting for the replies, which run in whatever thread polls. At the end each request and
 * each reply has run once, with its own bytes.
 */
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "gasnet_check.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 400, LARGEST = 3000, SHORT = 200, MEDIUM, LONG, DONE, MEDIUM_BACK };

static gex_HSL_t lock = GEX_HSL_INITIALIZER;
static unsigned long requests, replies, bytes_seen;

static void count(unsigned long *what, size_t bytes) {
    gex_HSL_Lock(&lock);
    (*what)++;
    bytes_seen += bytes;
    gex_HSL_Unlock(&lock);
}

static void on_short(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    CHECK(b == a * 3);
    count(&requests, 0);
    gex_AM_ReplyShort1(token, DONE, 0, a);
}

static void on_medium(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t seed) {
    CHECK(filled(payload, bytes, (unsigned)seed));
    count(&requests, bytes);
    if (seed % 2) {
        gex_AM_ReplyMedium1(token, MEDIUM_BACK, payload, bytes, GEX_EVENT_NOW, 0, seed);
    } else {
        gex_AM_SrcDesc_t d = gex_AM_PrepareReplyMedium(token, NULL, bytes, bytes, NULL, 0, 1);
        memcpy(gex_AM_SrcDescAddr(d), payload, bytes);
        gex_AM_CommitReplyMedium1(d, MEDIUM_BACK, bytes, seed);
    }
}

static void on_long(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t seed) {
    CHECK(filled(payload, bytes, (unsigned)seed));
    count(&requests, bytes);
    gex_AM_ReplyShort1(token, DONE, 0, seed);
}

static void on_done(gex_Token_t token, gex_AM_Arg_t seed) {
    (void)token, (void)seed;
    count(&replies, 0);
}

static void on_medium_back(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t seed) {
    (void)token;
    CHECK(filled(payload, bytes, (unsigned)seed));
    count(&replies, 0);
}

/* A negotiated one waits for room, and then runs handlers that negotiate their replies. */
static void send_medium(gex_Rank_t to, const unsigned char *source, size_t bytes, unsigned seed) {
    if (seed % 3) {
        gex_AM_RequestMedium1(all, to, MEDIUM, source, bytes, GEX_EVENT_NOW, 0, (gex_AM_Arg_t)seed);
    } else {
        gex_AM_SrcDesc_t d = gex_AM_PrepareRequestMedium(all, to, NULL, bytes, bytes, NULL, 0, 1);
        memcpy(gex_AM_SrcDescAddr(d), source, bytes);
        gex_AM_CommitRequestMedium1(d, MEDIUM, bytes, (gex_AM_Arg_t)seed);
    }
}

/* A long message has a place of its own at its target, by its sender and round. */
static void *storm(void *argument) {
    int thread = (int)(size_t)argument;
    static _Thread_local unsigned char source[LARGEST];
    for (int round = 0; round < ROUNDS; round++) {
        gex_Rank_t to = (me + (gex_Rank_t)(round + thread)) % size;
        unsigned seed = (unsigned)(round * THREADS + thread) % 997;
        size_t bytes = (size_t)(round * 37 + thread) % LARGEST;
        fill(source, bytes, seed);
        gex_AM_RequestShort2(all, to, SHORT, 0, round, round * 3);
        send_medium(to, source, bytes, seed);
        if (round < 32) {
            char *place = (char *)segment_of(to) +
                          (size_t)(((int)me * THREADS + thread) * 32 + round) * 512;
            size_t some = bytes % 512;
            gex_AM_RequestLong1(all, to, LONG, source, some, place, GEX_EVENT_NOW, 0,
                                (gex_AM_Arg_t)seed);
        }
    }
    return NULL;
}

static unsigned long now(const unsigned long *what) {
    gex_HSL_Lock(&lock);
    unsigned long value = *what;
    gex_HSL_Unlock(&lock);
    return value;
}

int main(int argc, char **argv) {
    gex_AM_Entry_t table[] = {
        {SHORT, (gex_AM_Fn_t)on_short, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 2, NULL, "short"},
        {MEDIUM, (gex_AM_Fn_t)on_medium, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, NULL, "medium"},
        {LONG, (gex_AM_Fn_t)on_long, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 1, NULL, "long"},
        {DONE, (gex_AM_Fn_t)on_done, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, "done"},
        {MEDIUM_BACK, (gex_AM_Fn_t)on_medium_back, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 1, NULL,
         "back"}};
    start(&argc, &argv, table, 5);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, storm, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    const unsigned long sent = THREADS * (2 * ROUNDS + 32);
    GASNET_BLOCKUNTIL(now(&replies) == sent);
    gasnet_barrier(1, 0);
    /* Requests are spread evenly but for a remainder; all together they are known. */
    uint64_t ours = now(&requests), everybody;
    gex_Event_Wait(gex_Coll_ReduceToAllNB(all, &everybody, &ours, GEX_DT_U64, sizeof ours, 1,
                                          GEX_OP_ADD, NULL, NULL, 0));
    CHECK(everybody == (uint64_t)sent * size);
    CHECK(now(&replies) == sent);
    finish();
    return 0;
}
