// SPDX-License-Identifier: BSD-3-Clause
/*
 * gasnetex.h between two ranks of a host: a short message there and back, and transfers of 8 bytes. The
 * rows of gas.c are the same by the layer below.
 */
#include "bench.h"

#include <gasnetex.h>

enum { ROUNDS = 100, MESSAGES = 1000, TRANSFERS = 20000, PING = 200, PONG };

static gex_TM_t all;
static char data[8], *there;
static volatile unsigned pongs;

static void ping(gex_Token_t token, gex_AM_Arg_t n) {
    gex_AM_ReplyShort1(token, PONG, 0, n);
}

static void pong(gex_Token_t token, gex_AM_Arg_t n) {
    (void)token;
    bench_check((unsigned)n == pongs + 1, "gasnet-short: another argument");
    pongs++;
}

static void short_trip(void) {
    unsigned expected = pongs + 1;
    gex_AM_RequestShort1(all, 1, PING, 0, (gex_AM_Arg_t)expected);
    GASNET_BLOCKUNTIL(pongs == expected);
}

static void put(void) {
    char *to = there;
    gex_Rank_t rank = 1;
    BENCH_FORGET(to);
    BENCH_FORGET(rank);
    gex_RMA_PutBlocking(all, rank, to, data, sizeof data, 0);
}

static void get(void) {
    char *from = there;
    gex_Rank_t rank = 1;
    BENCH_FORGET(from);
    BENCH_FORGET(rank);
    gex_RMA_GetBlocking(all, data, rank, from, sizeof data, 0);
}

BENCH_REPEATED(short_trip)
BENCH_REPEATED(put)
BENCH_REPEATED(get)

static const struct {
    const char *name, *unit;
    double scale;
    void (*run)(long times);
    long times;
} measured[] = {
    {"gasnet-short", "us", 1e6, short_trip_times, MESSAGES},
    {"gasnet-put-8", "ns", 1e9, put_times, TRANSFERS},
    {"gasnet-get-8", "ns", 1e9, get_times, TRANSFERS},
};
enum { N = sizeof measured / sizeof *measured };

int main(int argc, char **argv) {
    static struct bench_times times[N];
    gex_Client_t client;
    gex_EP_t ep;
    gex_Segment_t segment;
    gex_AM_Entry_t handlers[] = {
        {PING, (gex_AM_Fn_t)ping, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, "ping"},
        {PONG, (gex_AM_Fn_t)pong, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, "pong"}};
    gex_Client_Init(&client, &ep, &all, "BENCH", &argc, &argv, 0);
    gex_Segment_Attach(&segment, all, GASNET_PAGESIZE);
    gex_EP_RegisterHandlers(ep, handlers, 2);
    void *address;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, 1, &address, NULL, NULL, 0));
    there = address;
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    if (gex_TM_QueryRank(all) == 0) {
        memcpy(data, "8 bytes", sizeof data);
        put();
        memset(data, 0, sizeof data);
        get();
        bench_check(memcmp(data, "8 bytes", sizeof data) == 0, "gasnet-put-8: bytes differ");
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < N; i++) {
                double begin = bench_now();
                measured[i].run(measured[i].times);
                bench_add(&times[i], (bench_now() - begin) / (double)measured[i].times);
            }
        }
        for (int i = 0; i < N; i++) {
            bench_time(measured[i].name, measured[i].unit, measured[i].scale, &times[i]);
        }
    }
    gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED); /* where rank 1 answers, as in gas.c */
    return 0;
}
