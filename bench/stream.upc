// SPDX-License-Identifier: BSD-3-Clause
/*
 * The triad of STREAM by one thread: through pointers-to-shared and through pointers cast to private
 * ones, relaxed and strict, and on memory of each thread in turn. Figures 4, 5 and 6 of Zheng,
 * "Optimizing UPC programs for multi-core systems" (2010); its time is that of one iteration.
 *
 *     stream [MEGABYTES [ROUNDS]]        of each of the three arrays
 *
 * And two matrices of latencies between threads: reads that depend on each other, by each thread of
 * each thread's memory; and how long one waits for what another writes.
 */
#include "bench.h"
#include <sched.h>
#include <upc_relaxed.h>

enum { LINE = 64, SHARE = 16, TURNS_IN_A_ROW = 3, TURNS = 500 };

static long elements = 1 << 17;
static int rounds = 10;
static long chased; /* lines */

static shared [] double *shared arrays[3 * THREADS]; /* a, b and c of each thread */

BENCH_KERNEL static void through_shared(shared [] double *a, shared [] double *b,
                                        shared [] double *c, long n) {
    for (long i = 0; i < n; i++) {
        a[i] = b[i] + 3.0 * c[i];
    }
}

BENCH_KERNEL static void through_private(shared [] double *sa, shared [] double *sb,
                                         shared [] double *sc, long n) {
    double *a = (double *)sa, *b = (double *)sb, *c = (double *)sc;
    for (long i = 0; i < n; i++) {
        a[i] = b[i] + 3.0 * c[i];
    }
}

BENCH_KERNEL static void strictly(shared [] double *sa, shared [] double *sb, shared [] double *sc,
                                  long n) {
    strict shared [] double *a = (strict shared [] double *)sa;
    strict shared [] double *b = (strict shared [] double *)sb;
    strict shared [] double *c = (strict shared [] double *)sc;
    for (long i = 0; i < n; i++) {
        a[i] = b[i] + 3.0 * c[i];
    }
}

typedef void triad(shared [] double *a, shared [] double *b, shared [] double *c, long n);

static void fill(int thread) {
    shared [] double *a = arrays[thread], *b = arrays[THREADS + thread];
    shared [] double *c = arrays[2 * THREADS + thread];
    for (long i = 0; i < elements; i++) {
        a[i] = -1;
        b[i] = (double)(i % 64);
        c[i] = (double)(i % 48 + thread);
    }
}

/* By the calling thread on what `thread` has; the times of n elements. */
static void measure(triad *run, int thread, long n, struct bench_times *times) {
    shared [] double *a = arrays[thread], *b = arrays[THREADS + thread];
    shared [] double *c = arrays[2 * THREADS + thread];
    for (long i = 0; i < n; i++) {
        a[i] = -1;
    }
    for (int turn = 0; turn < TURNS_IN_A_ROW; turn++) {
        double begin = bench_now();
        run(a, b, c, n);
        upc_fence;
        bench_add(times, (bench_now() - begin) / (double)n);
    }
    for (long i = 0; i < n; i++) {
        double right = (double)(i % 64) + 3.0 * (double)(i % 48 + thread);
        bench_check(a[i] == right, "stream: element %ld of thread %d is %g, not %g", i, thread, a[i],
                    right);
    }
}

static void of_own_memory(void) {
    static struct bench_times shared_times, private_times, strict_times;
    for (int round = 0; round < rounds; round++) {
        measure(through_shared, 0, elements, &shared_times);
        measure(through_private, 0, elements, &private_times);
        measure(strictly, 0, elements / SHARE, &strict_times);
    }
    bench_time_against("stream-shared", "ns", 1e9, &shared_times, &private_times);
    bench_time_against("stream-strict", "ns", 1e9, &strict_times, &shared_times);
    bench_point("stream-casts", "pointer-to-shared", THREADS, "ns", 1e9, &shared_times);
    bench_point("stream-casts", "cast to private", THREADS, "ns", 1e9, &private_times);
    bench_point("stream-strict", "relaxed", THREADS, "ns", 1e9, &shared_times);
    bench_point("stream-strict", "strict", THREADS, "ns", 1e9, &strict_times);
}

static void of_each_thread(void) {
    for (int t = 0; t < THREADS; t++) {
        struct bench_times times = {{0}, 0};
        measure(through_shared, t, elements / SHARE, &times);
        bench_point("stream-affinity", "by thread 0", t, "ns", 1e9, &times);
    }
}

/* ---- latencies ---- */

struct link {
    shared [] struct link *next;
    char unused[LINE - sizeof(shared [] char *)];
};
static shared [] struct link *shared chain[THREADS];

/* Lines in an order that no prefetcher guesses, each named by the one before it, all in one circle. */
static void make_chain(void) {
    int *order = malloc((size_t)chased * sizeof *order);
    shared [] struct link *lines = upc_alloc((size_t)chased * sizeof *lines);
    for (int i = 0; i < chased; i++) {
        order[i] = i;
    }
    unsigned long random = 88172645463325252u;
    for (int i = chased - 1; i > 0; i--) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int k = (int)(random >> 33) % (i + 1), swapped = order[i];
        order[i] = order[k];
        order[k] = swapped;
    }
    for (int i = 0; i < chased; i++) {
        lines[order[i]].next = &lines[order[(i + 1) % chased]];
    }
    free(order);
    chain[MYTHREAD] = lines;
}

BENCH_KERNEL static shared [] struct link *follow(shared [] struct link *at, long hops) {
    for (long i = 0; i < hops; i++) {
        at = at->next;
    }
    return at;
}

static void latencies(void) {
    for (int by = 0; by < THREADS; by++) {
        upc_barrier;
        for (int of = 0; by == MYTHREAD && of < THREADS; of++) {
            struct bench_times times = {{0}, 0};
            shared [] struct link *first = chain[of];
            for (int round = 0; round < rounds; round++) {
                double begin = bench_now();
                shared [] struct link *last = follow(first, chased);
                bench_add(&times, (bench_now() - begin) / chased);
                bench_check(last == first, "latency: the lines of thread %d are no circle", of);
                upc_fence;
            }
            bench_cell("latency", by, of, "ns", 1e9, &times);
        }
    }
    upc_barrier;
}

/* ---- one thread writes, the other waits for it, and answers ---- */

struct line {
    long value;
    char unused[2 * LINE - sizeof(long)];
};
static strict shared struct line turn[THREADS];

/* Threads may share a CPU. */
static void await(long value) {
    for (long looks = 1; turn[MYTHREAD].value != value; looks++) {
        bench_check(turn[MYTHREAD].value <= value, "hand-off: turn %ld is over", value);
        if (looks % 1000 == 0) {
            sched_yield();
        }
    }
}

static double hand_off(int first, int second, long from) {
    double begin = bench_now();
    for (long i = from + 1; i <= from + TURNS; i++) {
        if (MYTHREAD == first) {
            turn[second].value = i;
            await(i);
        } else {
            await(i);
            turn[first].value = i;
        }
    }
    return (bench_now() - begin) / (2 * TURNS);
}

static void hand_offs(void) {
    for (int first = 0; first < THREADS; first++) {
        for (int second = first + 1; second < THREADS; second++) {
            struct bench_times times = {{0}, 0};
            turn[MYTHREAD].value = 0;
            upc_barrier;
            if (MYTHREAD == first || MYTHREAD == second) {
                for (int round = 0; round < rounds; round++) {
                    bench_add(&times, hand_off(first, second, (long)round * TURNS));
                }
            }
            if (MYTHREAD == first) {
                bench_cell("hand-off", first, second, "ns", 1e9, &times);
                bench_cell("hand-off", second, first, "ns", 1e9, &times);
            }
            upc_barrier;
        }
    }
}

int main(int argc, char **argv) {
    elements = argc > 1 ? atol(argv[1]) * (1 << 17) : elements;
    rounds = argc > 2 ? atoi(argv[2]) : rounds;
    chased = elements / 32;
    for (int i = 0; i < 3; i++) {
        arrays[i * THREADS + MYTHREAD] = upc_alloc((size_t)elements * sizeof(double));
    }
    fill(MYTHREAD);
    make_chain();
    upc_barrier;
    if (MYTHREAD == 0) {
        of_own_memory();
        of_each_thread();
    }
    latencies();
    hand_offs();
    return 0;
}
