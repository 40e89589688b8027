/* SPDX-License-Identifier: BSD-3-Clause */
/* Every schedule with many bounds, steps and chunks: each iteration once, by one thread. */
#include "../inputs/check.h"

enum { MOST = 400 };
static int times[MOST];

static int check_all(int n) {
    int ok = 1;
    for (int i = 0; i < MOST; i++) {
        ok &= times[i] == (i < n);
        times[i] = 0;
    }
    return ok;
}

#define LOOP(clauses, begin, end, step)                                                            \
    do {                                                                                           \
        int n = 0;                                                                                 \
        _Pragma(clauses) for (long i = begin; i < (end); i += (step)) {                            \
            int at = (int)((i - (begin)) / (step));                                                \
            _Pragma("omp atomic") times[at]++;                                                     \
        }                                                                                          \
        for (long i = begin; i < (end); i += (step)) {                                             \
            n++;                                                                                   \
        }                                                                                          \
        CHECK(check_all(n));                                                                       \
    } while (0)

#define LOOPS(clauses)                                                                             \
    LOOP(clauses, 0, 0, 1);                                                                        \
    LOOP(clauses, 5, 6, 1);                                                                        \
    LOOP(clauses, 0, 100, 1);                                                                      \
    LOOP(clauses, -50, 51, 3);                                                                     \
    LOOP(clauses, 3, 399, 7)

/* A guided loop's first piece is what each thread would have if all had the same. */
static void check_first_piece(void) {
    static int owner[MOST];
    int threads = 1;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    int part = MOST / threads, same = 1, n = part * threads;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; i++) {
        owner[i] = omp_get_thread_num();
    }
    for (int i = 0; i < part; i++) {
        same &= owner[i] == owner[0];
    }
    CHECK(same);
}

int main(void) {
    int chunk = 4;
    check_first_piece();
    LOOPS("omp parallel for");
    LOOPS("omp parallel for schedule(static)");
    LOOPS("omp parallel for schedule(static, 1)");
    LOOPS("omp parallel for schedule(static, 7)");
    LOOPS("omp parallel for schedule(static, 1000)");
    LOOPS("omp parallel for schedule(dynamic)");
    LOOPS("omp parallel for schedule(dynamic, chunk)");
    LOOPS("omp parallel for schedule(dynamic, 1000)");
    LOOPS("omp parallel for schedule(monotonic : dynamic, 3)");
    LOOPS("omp parallel for schedule(nonmonotonic : dynamic, 3)");
    LOOPS("omp parallel for schedule(guided)");
    LOOPS("omp parallel for schedule(guided, chunk)");
    LOOPS("omp parallel for schedule(auto)");
    LOOPS("omp parallel for schedule(runtime)");
    omp_set_schedule(omp_sched_dynamic, 5);
    LOOPS("omp parallel for schedule(runtime)");
    omp_set_schedule(omp_sched_guided, 2);
    LOOPS("omp parallel for schedule(runtime)");
    omp_set_schedule(omp_sched_static, 0);
    LOOPS("omp parallel for schedule(runtime)");
    omp_set_schedule(omp_sched_auto, 0);
    LOOPS("omp parallel for schedule(runtime)");
    return result();
}
