// SPDX-License-Identifier: BSD-3-Clause
/* Collective functions with ALLSYNC flags: the time of one, with 8 bytes and with 16 KiB for each
 * thread (of a reduction, elements), and of one on values. */
#include "bench.h"
#include <bupc_collectivev.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#define ROUNDS 60
#define LARGE 16384

static shared [2 * LARGE] char src[2 * LARGE * THREADS], dst[2 * LARGE * THREADS];
static shared [LARGE / 8] double elements[LARGE / 8 * THREADS], prefixes[LARGE / 8 * THREADS];
static shared double sum;

typedef void operation(size_t bytes);

/* The least that ALLSYNC costs. */
static void two_barriers(size_t bytes) {
    (void)bytes;
    upc_barrier;
    upc_barrier;
}

static void broadcast(size_t bytes) {
    upc_all_broadcast(dst, src, bytes, 0);
}

static void exchange(size_t bytes) {
    upc_all_exchange(dst, src, bytes, 0);
}

static void reduce(size_t bytes) {
    upc_all_reduceD(&sum, elements, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, 0);
}

static void prefix_reduce(size_t bytes) {
    upc_all_prefix_reduceD(prefixes, elements, UPC_ADD, bytes / 8 * THREADS, bytes / 8, NULL, 0);
}

static void value_reduce(size_t bytes) {
    double mine = (double)bytes;
    mine = bupc_allv_reduce_all(double, mine, UPC_MAX);
}

static double many(operation *op, size_t bytes, long n) {
    upc_barrier;
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        op(bytes);
    }
    return bench_now() - begin;
}

static void measure(const char *name, operation *op, size_t bytes) {
    struct bench_times times = {{0}, 0};
    double trial = many(op, bytes, 200) / 200;
    long n = bupc_allv_broadcast(long, (long)(0.002 / trial) + 1, 0);
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&times, many(op, bytes, n) / (double)n);
    }
    if (MYTHREAD == 0) {
        bench_time(name, "ns", 1e9, &times);
    }
}

int main(void) {
    measure("two-barriers", two_barriers, 8);
    measure("broadcast-8", broadcast, 8);
    measure("broadcast-16K", broadcast, LARGE);
    measure("exchange-8", exchange, 8);
    measure("exchange-16K", exchange, LARGE);
    measure("reduce-8", reduce, 8);
    measure("reduce-16K", reduce, LARGE);
    measure("prefix-reduce-8", prefix_reduce, 8);
    measure("prefix-reduce-16K", prefix_reduce, LARGE);
    measure("allv-reduce-all", value_reduce, 8);
    return 0;
}
