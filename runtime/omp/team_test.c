/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams, barriers and worksharing through gcc's interface, called by hand: so TSan sees what members
 * read and write plainly, and the order that the runtime must make. */
#include "omp/team.h"

#include "core/test.h"
#include "omp/program.h"

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);
bool GOMP_cancel(int which, bool really);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
bool GOMP_loop_dynamic_start(long start, long end, long step, long chunk, long *from, long *to);
bool GOMP_loop_guided_start(long start, long end, long step, long chunk, long *from, long *to);
bool GOMP_loop_static_start(long start, long end, long step, long chunk, long *from, long *to);
bool GOMP_loop_ordered_dynamic_start(long start, long end, long step, long chunk, long *from,
                                     long *to);
bool GOMP_loop_nonmonotonic_dynamic_start(long start, long end, long step, long chunk, long *from,
                                          long *to);
bool GOMP_loop_dynamic_next(long *from, long *to);
bool GOMP_loop_ordered_dynamic_next(long *from, long *to);
bool GOMP_loop_ull_dynamic_start(bool up, unsigned long long start, unsigned long long end,
                                 unsigned long long step, unsigned long long chunk,
                                 unsigned long long *from, unsigned long long *to);
bool GOMP_loop_ull_dynamic_next(unsigned long long *from, unsigned long long *to);
bool GOMP_loop_doacross_dynamic_start(unsigned n, long *counts, long chunk, long *from, long *to);
void GOMP_doacross_post(long *iteration);
void GOMP_doacross_wait(long first, ...);
void GOMP_parallel_loop_dynamic(void (*body)(void *), void *data, unsigned threads, long start,
                                long end, long step, long chunk, unsigned flags);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_start(unsigned n);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_level(void);
void omp_set_max_active_levels(int levels);

enum { MOST = 16, ROUNDS = TEST_TSAN ? 20 : 200, ITERATIONS = 100 };

/* Data that members write by plain stores; zeros before each test. */
static struct {
    unsigned n;
    long seen[MOST], count[ITERATIONS], sum;
    bool bad; /* set by any */
    void *name;
} t;

static unsigned me(void) {
    return (unsigned)omp_get_thread_num();
}

static void fail_unless(bool good) {
    if (!good) {
        __atomic_store_n(&t.bad, true, __ATOMIC_RELAXED);
    }
}

static bool run(void (*body)(void *), unsigned n) {
    t.n = n;
    t.bad = false;
    t.sum = 0;
    memset(t.seen, 0, sizeof t.seen);
    memset(t.count, 0, sizeof t.count);
    GOMP_parallel(body, &t, n, 0);
    return !t.bad;
}

static bool each_once(long times) {
    bool good = true;
    for (int i = 0; i < ITERATIONS; i++) {
        good = good && t.count[i] == times;
    }
    return good;
}

/* ---- barriers ---- */

static void neighbours(void *data) {
    (void)data;
    unsigned n = (unsigned)omp_get_num_threads();
    fail_unless(n == t.n);
    for (long round = 1; round <= ROUNDS; round++) {
        t.seen[me()] = round;
        GOMP_barrier();
        fail_unless(t.seen[(me() + 1) % n] == round);
        GOMP_barrier();
    }
}

/* ---- loops ---- */

/* Members get ahead of each other by more constructs than there are shares. */
static void nowait_loops(void *data) {
    (void)data;
    long from, to;
    for (int round = 0; round < ROUNDS; round++) {
        bool any = round % 4 == 1
                       ? GOMP_loop_dynamic_start(0, ITERATIONS, 1, 3, &from, &to)
                   : round % 4 == 3
                       ? GOMP_loop_nonmonotonic_dynamic_start(0, ITERATIONS, 1, 2, &from, &to)
                       : GOMP_loop_guided_start(ITERATIONS - 1, -1, -1, 1, &from, &to);
        long step = round % 2 ? 1 : -1;
        for (; any; any = GOMP_loop_dynamic_next(&from, &to)) {
            for (long i = from; i != to; i += step) {
                __atomic_fetch_add(&t.count[i], 1, __ATOMIC_RELAXED);
            }
        }
        GOMP_loop_end_nowait();
    }
}

/* Plain accesses: the barrier at the end orders them. */
static void loops_with_barrier(void *data) {
    (void)data;
    long from, to;
    for (int round = 0; round < ROUNDS; round++) {
        bool any = round % 4 == 1
                       ? GOMP_loop_dynamic_start(0, ITERATIONS, 1, 7, &from, &to)
                   : round % 4 == 3
                       ? GOMP_loop_nonmonotonic_dynamic_start(0, ITERATIONS, 1, 1, &from, &to)
                       : GOMP_loop_static_start(0, ITERATIONS, 1, 5, &from, &to);
        for (; any; any = GOMP_loop_dynamic_next(&from, &to)) {
            for (long i = from; i < to; i++) {
                t.count[i]++;
            }
        }
        GOMP_loop_end();
    }
}

/* The first iteration takes until all others are done, also the others dealt to its member. */
static void uneven_loops(void *data) {
    (void)data;
    long from, to;
    for (long round = 1; round <= ROUNDS / 10; round++) {
        bool any = GOMP_loop_nonmonotonic_dynamic_start(0, ITERATIONS, 1, 1, &from, &to);
        for (; any; any = GOMP_loop_dynamic_next(&from, &to)) {
            while (from == 0 &&
                   __atomic_load_n(&t.sum, __ATOMIC_RELAXED) < round * (ITERATIONS - 1)) {
                fl_os_yield();
            }
            t.count[from]++;
            __atomic_fetch_add(&t.sum, from > 0, __ATOMIC_RELAXED);
        }
        GOMP_loop_end();
    }
}

static void one_loop(void *data) {
    (void)data;
    long from, to;
    bool any = GOMP_loop_nonmonotonic_dynamic_start(0, ITERATIONS, 1, 1, &from, &to);
    for (; any; any = GOMP_loop_dynamic_next(&from, &to)) {
        t.count[from]++;
    }
    GOMP_loop_end_nowait();
}

static void huge_loop(void *data) {
    (void)data;
    unsigned long long from, to, end = UINT64_MAX - 1, step = (unsigned long long)1 << 57;
    bool any = GOMP_loop_ull_dynamic_start(true, 0, end, step, 1, &from, &to);
    for (; any; any = GOMP_loop_ull_dynamic_next(&from, &to)) {
        fail_unless(to == end || to == from + step);
        __atomic_fetch_add(&t.sum, 1, __ATOMIC_RELAXED);
    }
    GOMP_loop_end();
}

static void fused_loop(void *data) {
    (void)data;
    long from, to;
    while (GOMP_loop_dynamic_next(&from, &to)) {
        for (long i = from; i < to; i++) {
            t.count[i]++;
        }
    }
    GOMP_loop_end_nowait();
}

static void ordered_loops(void *data) {
    (void)data;
    long from, to;
    for (int round = 0; round < ROUNDS / 10; round++) {
        bool any = GOMP_loop_ordered_dynamic_start(0, ITERATIONS, 1, 1 + round % 3, &from, &to);
        for (; any; any = GOMP_loop_ordered_dynamic_next(&from, &to)) {
            for (long i = from; i < to; i++) {
                if (i % 4 == 1) {
                    continue; /* an iteration without its region */
                }
                GOMP_ordered_start();
                fail_unless(t.sum <= i);
                t.sum = i;
                GOMP_ordered_end();
            }
        }
        GOMP_loop_end();
        if (me() == 0) {
            t.sum = 0;
        }
        GOMP_barrier();
    }
}

/* Each element is more than those above and before it. */
static void wave(void *data) {
    static long grid[11][7];
    (void)data;
    long counts[] = {10, 6}, from, to;
    bool any = GOMP_loop_doacross_dynamic_start(2, counts, 1, &from, &to);
    for (; any; any = GOMP_loop_dynamic_next(&from, &to)) {
        for (long i = from; i < to; i++) {
            for (long j = 0; j < 6; j++) {
                if (i > 0) {
                    GOMP_doacross_wait(i - 1, j);
                }
                grid[i + 1][j + 1] = i == 0 || j == 0 ? 1 : grid[i][j + 1] + grid[i + 1][j];
                long here[] = {i, j};
                GOMP_doacross_post(here);
            }
        }
    }
    GOMP_loop_end();
    fail_unless(grid[10][6] == 2002); /* (9 + 5)! / 9! / 5! */
}

/* ---- single, sections, critical ---- */

static void singles(void *data) {
    (void)data;
    for (long round = 0; round < ROUNDS; round++) {
        if (GOMP_single_start()) {
            __atomic_fetch_add(&t.sum, 1, __ATOMIC_RELAXED);
        }
        long value = -1, *from = GOMP_single_copy_start();
        if (!from) {
            value = round;
            GOMP_single_copy_end(&value);
        } else {
            value = *from;
        }
        GOMP_barrier();
        fail_unless(value == round);
    }
}

static void all_sections(void *data) {
    (void)data;
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned s = GOMP_sections_start(5); s; s = GOMP_sections_next()) {
            __atomic_fetch_add(&t.count[s - 1], 1, __ATOMIC_RELAXED);
        }
        GOMP_sections_end_nowait();
    }
}

static void exclusion(void *data) {
    (void)data;
    for (int round = 0; round < ROUNDS; round++) {
        GOMP_critical_start();
        t.sum++;
        GOMP_critical_end();
        GOMP_critical_name_start(&t.name);
        t.seen[0]++;
        GOMP_critical_name_end(&t.name);
    }
}

/* ---- regions ---- */

static void count_me(void *data) {
    __atomic_fetch_add((long *)data, 1, __ATOMIC_RELAXED);
}

static void nest(void *data) {
    (void)data;
    long inside = 0;
    unsigned before = me();
    GOMP_parallel(count_me, &inside, 1 + before % 3, 0);
    fail_unless(inside == 1 + before % 3 && me() == before && omp_get_level() == 1);
    t.seen[before]++;
}

/* A pthread that ends also ends its workers; plain data pass between them and it. */
static bool other_thread(unsigned number, void *context) {
    (void)context;
    long inside = 0;
    for (unsigned round = 0; round < 20; round++) {
        GOMP_parallel(count_me, &inside, 1 + (number + round) % 4, 0);
    }
    return inside == 20 * 4 - 20 * 3 / 2 && omp_get_level() == 0;
}

/* Members at a barrier, before it or after it when the region is cancelled, all reach its end. */
static void cancelled(void *data) {
    (void)data;
    for (int round = 0; round < ROUNDS; round++) {
        if (me() == (unsigned)round % t.n && round == ROUNDS / 2) {
            GOMP_cancel(FL_OMP_CANCEL_PARALLEL, true);
            return;
        }
        if (GOMP_barrier_cancel()) {
            return;
        }
    }
    fail_unless(t.n == 0); /* not reached */
}

static void check(unsigned n) {
    CHECK(run(neighbours, n), "%u members meet at barriers", n);
    CHECK(run(nowait_loops, n) && each_once(ROUNDS), "%u share loops, some far ahead", n);
    CHECK(run(loops_with_barrier, n) && each_once(ROUNDS), "%u share loops with barriers", n);
    unsigned cpus = fl_omp_program.cpus;
    fl_omp_program.cpus = MOST; /* else chunks are not dealt */
    CHECK(run(nowait_loops, n) && each_once(ROUNDS), "%u share loops that are dealt", n);
    CHECK(n == 1 || (run(uneven_loops, n) && each_once(ROUNDS / 10)), "%u take from who is slow",
          n);
    fl_omp_program.cpus = cpus;
    CHECK(run(huge_loop, n) && t.sum == 128, "%u share a loop over all numbers", n);
    memset(t.count, 0, sizeof t.count);
    GOMP_parallel_loop_dynamic(fused_loop, &t, n, 0, ITERATIONS, 1, 2, 0);
    CHECK(each_once(1), "%u share a region that is a loop", n);
    CHECK(run(ordered_loops, n), "%u keep the order", n);
    CHECK(run(wave, n), "%u wait crosswise", n);
    CHECK(run(singles, n) && t.sum == ROUNDS, "%u agree on one", n);
    CHECK(run(all_sections, n) && t.count[0] == ROUNDS && t.count[4] == ROUNDS, "%u share sections",
          n);
    CHECK(run(exclusion, n) && t.sum == (long)n * ROUNDS && t.seen[0] == t.sum,
          "%u exclude each other", n);
    CHECK(run(nest, n) && t.seen[n - 1] == 1, "%u begin regions of their own", n);
    for (int i = 0; i < 10; i++) {
        fail_unless(run(cancelled, n));
    }
    CHECK(!t.bad && run(neighbours, n), "%u leave a cancelled region, and meet again", n);
}

int main(void) {
    static const unsigned counts[] = {1, 2, 3, 5, 16, 7, 2};
    fl_omp_program.cancellation = true;
    omp_set_max_active_levels(2);
    unsigned cpus = fl_omp_program.cpus;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check(counts[i]);
    }
    bool good = true;
    for (unsigned round = 0; round < ROUNDS; round++) {
        long members = 0;
        unsigned n = 1 + round * 7 % 11;
        GOMP_parallel(count_me, &members, n, 0);
        good = good && members == n;
    }
    fl_omp_program.cpus = MOST;
    for (unsigned round = 0; round < ROUNDS; round++) {
        good = good && run(one_loop, 1 + round / 3 * 7 % 11) && each_once(1);
    }
    fl_omp_program.cpus = cpus;
    CHECK(good, "regions of changing size");
    for (unsigned n = 1; n <= 5; n += 2) {
        CHECK(test_in_threads(n, other_thread, NULL), "%u threads of the program have teams", n);
    }
    return test_done();
}
