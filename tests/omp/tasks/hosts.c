/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x3 2x2 4x1 3x2 2x1
//@ limit: 60
/* Tasks that one thread makes are executed on other hosts, too: with what they point to, of parents
 * whose data were copied, with children, taskgroups, dependences, critical constructs and results on
 * stacks; one after the other by those that wait; and after some regions without tasks. */
#include "../inputs/check.h"

#include <time.h>

static void rest(void) {
    nanosleep(&(struct timespec){0, 200000}, NULL);
}

/* Until another thread has had one, with the maker's settings; with one thread on each host, another
 * host. */
static void until_elsewhere(int n) {
    int elsewhere = 0, made = 0, done = 0;
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 0, NULL);
#pragma omp parallel
#pragma omp single
    {
        int maker = omp_get_thread_num(), seen = n == 1;
        omp_set_default_allocator(own);
        while (!seen) {
            for (int i = 0; i < 100; i++) {
                made++;
#pragma omp task shared(elsewhere, done)
                {
                    CHECK(omp_get_default_allocator() == own);
                    rest();
#pragma omp atomic
                    done++;
                    if (omp_get_thread_num() != maker) {
#pragma omp atomic write
                        elsewhere = 1;
                    }
                }
            }
#pragma omp taskwait
#pragma omp atomic read
            seen = elsewhere;
        }
    }
    CHECK(done == made);
    omp_destroy_allocator(own);
}

struct values {
    long v[12];
};

/* Children share what was copied for their parent. */
static long family(int depth, int seed) {
    struct values values;
    long sums[4] = {0}, sum = 0;
    for (int i = 0; i < 12; i++) {
        values.v[i] = seed + i;
    }
    for (int k = 0; k < 4; k++) {
#pragma omp task firstprivate(values, k) shared(sums)
        {
            long part[2] = {0};
            for (int half = 0; half < 2; half++) {
#pragma omp task shared(values, part) firstprivate(half)
                {
                    if (depth == 0) {
                        rest();
                    }
                    for (int i = half * 6; i < half * 6 + 6; i++) {
                        part[half] += values.v[i];
                        values.v[i] = -1;
                    }
                }
            }
#pragma omp taskwait
            for (int i = 0; i < 12; i++) {
                part[0] += values.v[i] + 1;
            }
            sums[k] = part[0] + part[1] + (depth > 0 ? family(depth - 1, seed + k) : 0);
        }
    }
#pragma omp taskwait
    for (int k = 0; k < 4; k++) {
        sum += sums[k];
    }
    return sum;
}

static long expected(int depth, int seed) {
    long sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += 12L * seed + 66 + (depth > 0 ? expected(depth - 1, seed + k) : 0);
    }
    return sum;
}

static void families(void) {
    long sum = 0;
#pragma omp parallel
#pragma omp single
    sum = family(3, 5);
    CHECK(sum == expected(3, 5));
}

/* Grandchildren outlive their parents, and not the group. */
static void groups(void) {
    enum { N = 60 };
    int leaves[N] = {0}, others = 0;
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp task shared(others)
        for (int i = 0; i < 10; i++) {
            rest();
#pragma omp atomic
            others++;
        }
#pragma omp taskgroup
        for (int i = 0; i < N; i++) {
#pragma omp task shared(leaves) firstprivate(i)
            {
                for (int k = 0; k < 3; k++) {
#pragma omp task shared(leaves) firstprivate(i)
                    {
                        rest();
#pragma omp atomic
                        leaves[i]++;
                    }
                }
            }
        }
        for (int i = 0; i < N; i++) {
            CHECK(leaves[i] == 3);
        }
    }
    CHECK(others == 10);
}

static void chains(void) {
    enum { CHAINS = 12, LENGTH = 12 };
    long at[CHAINS] = {0}, total = 0;
    int together = 0;
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < LENGTH; step++) {
        for (int c = 0; c < CHAINS; c++) {
#pragma omp task depend(inout : at[c]) shared(at, total, together) firstprivate(step, c)
            {
                rest();
                at[c] = at[c] * 3 + step;
#pragma omp critical
                {
                    total++;
                    together += omp_get_num_threads();
                }
            }
        }
    }
    long should = 0;
    for (int step = 0; step < LENGTH; step++) {
        should = should * 3 + step;
    }
    for (int c = 0; c < CHAINS; c++) {
        CHECK(at[c] == should);
    }
    CHECK(total == CHAINS * LENGTH);
    CHECK(together == total * omp_get_max_threads());
}

static void loops(void) {
    enum { N = 300 };
    int times[N] = {0}, sum = 0;
#pragma omp parallel
    {
#pragma omp single
#pragma omp taskloop grainsize(5) shared(times)
        for (int i = 0; i < N; i++) {
            rest();
            times[i]++;
        }
#pragma omp single
#pragma omp taskloop num_tasks(20) reduction(+ : sum)
        for (int i = 0; i < N; i++) {
            sum += i;
        }
    }
    for (int i = 0; i < N; i++) {
        CHECK(times[i] == 1);
    }
    CHECK(sum == N * (N - 1) / 2);
}

/* Events, fulfilled by tasks wherever they are executed. */
static void events(void) {
    enum { N = 80 };
    int at[N] = {0}, after[N] = {0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(at) firstprivate(i) depend(out : at[i])
        at[i]++;
#pragma omp task firstprivate(event, i) shared(after)
        {
            rest();
            after[i] = 1;
            omp_fulfill_event(event);
        }
#pragma omp task depend(in : at[i]) firstprivate(i) shared(at, after)
        after[i] += at[i];
    }
    for (int i = 0; i < N; i++) {
        CHECK(after[i] == 2);
    }
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        until_elsewhere(omp_get_max_threads());
        families();
#pragma omp parallel
        {
#pragma omp barrier
        }
        groups();
        chains();
        events();
        loops();
    }
    return result();
}
