// SPDX-License-Identifier: BSD-3-Clause
/*
 * Loops over another thread's memory, against one call that transfers as much: thread 0 sums what
 * the last thread has, stores there, and changes it. And a list, against the same without values.
 */
#include "bench.h"
#include <upc_relaxed.h>

enum { N = 10000, NODES = 200, ROUNDS = 20 };

static shared [] double *shared remote;
static shared [N] double blocks[N * THREADS];

struct node {
    shared [] struct node *next;
    double value;
};
static shared [] struct node *shared nodes;

/* Private copies of these. */
static shared [] double *there;
static shared [] struct node *head;

BENCH_KERNEL static double sum(shared [] double *p, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}

BENCH_KERNEL static double sum_block(long from, long to) {
    double s = 0;
    for (long i = from; i < to; i++) {
        s += blocks[i];
    }
    return s;
}

BENCH_KERNEL static void store(shared [] double *p, long n) {
    for (long i = 0; i < n; i++) {
        p[i] = 1;
    }
}

BENCH_KERNEL static void change(shared [] double *p, long n) {
    for (long i = 0; i < n; i++) {
        p[i] += 1;
    }
}

BENCH_KERNEL static double list(shared [] struct node *p) {
    double s = 0;
    while (p) {
        s += p->value;
        p = p->next;
    }
    return s;
}

BENCH_KERNEL static long length(shared [] struct node *p) {
    long n = 0;
    while (p) {
        p = p->next;
        n++;
    }
    return n;
}

static double copy[N];

static int run_sum(void) {
    return sum(there, N) == N;
}

static int run_block(void) {
    return sum_block((THREADS - 1) * (long)N, THREADS * (long)N) == N;
}

static int run_store(void) {
    store(there, N);
    return 1;
}

static int run_change(void) {
    change(there, N);
    return 1;
}

static int run_list(void) {
    return list(head) == NODES;
}

static int get(void) {
    upc_memget(copy, there, sizeof copy);
    return 1;
}

static int put(void) {
    upc_memput(there, copy, sizeof copy);
    return 1;
}

static int get_and_put(void) {
    return get() && put();
}

static int get_links(void) {
    return length(head) == NODES;
}

static void run(int (*what)(void), struct bench_times *times) {
    double t0 = bench_now();
    int is_right = what();
    upc_fence;
    bench_add(times, bench_now() - t0);
    bench_check(is_right, "a sum or a length differs");
}

/* What a loop leaves in the other thread's memory, which has 7 before. */
static void check_stores(const char *name, int (*what)(void), double after) {
    for (int i = 0; i < N; i++) {
        copy[i] = 7;
    }
    put();
    what();
    upc_fence;
    get();
    for (int i = 0; i < N; i++) {
        bench_check(copy[i] == after, "%s: element %d is %g", name, i, copy[i]);
    }
}

static void measure(const char *name, int (*loop)(void), int (*reference)(void)) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    get();
    for (int round = 0; round < ROUNDS; round++) {
        run(loop, &times);
        run(reference, &ref);
    }
    bench_time_against(name, "us", 1e6, &times, &ref);
}

static void make(void) {
    remote = upc_alloc(N * sizeof *remote);
    nodes = upc_alloc(NODES * sizeof *nodes);
    for (int i = 0; i < N; i++) {
        remote[i] = blocks[MYTHREAD * (long)N + i] = 1;
    }
    for (int i = 0; i < NODES; i++) {
        nodes[i].value = 1;
        nodes[i].next = i + 1 < NODES ? nodes + i + 1 : NULL;
    }
}

int main(void) {
    if (MYTHREAD == THREADS - 1) {
        make();
    }
    upc_barrier;
    there = remote;
    head = nodes;
    if (MYTHREAD == 0) {
        measure("remote-sum", run_sum, get);
        measure("remote-sum-block", run_block, get);
        measure("remote-store", run_store, put);
        measure("remote-change", run_change, get_and_put);
        check_stores("remote-change", run_change, 8);
        check_stores("remote-store", run_store, 1);
        measure("remote-list", run_list, get_links);
    }
    upc_barrier;
    return 0;
}
