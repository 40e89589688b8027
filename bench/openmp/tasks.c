/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that do nothing, or next to nothing: what it costs to have them. See alternate.h. */
#include "alternate.h"

#include <omp.h>

enum { FIB = 20, FIB_TASKS = 21890, FLAT = 50000, LOOPS = 200, CHAIN = 10000, GRID = 100 };

static long fib(int n) {
    long a, b;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void recursion(void) {
    long result = 0;
#pragma omp parallel shared(result)
#pragma omp single
    result = fib(FIB);
    bench_check(result == 6765, "task-fib: %ld", result);
}

static void flat(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FLAT; i++) {
#pragma omp task firstprivate(i)
        __asm__ volatile("" ::"r"(i));
    }
}

static void by_all(void) {
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < FLAT; i++) {
#pragma omp task firstprivate(i)
        __asm__ volatile("" ::"r"(i));
    }
}

static void work(int n) {
    for (int i = 0; i < n; i++) {
        __asm__ volatile("" ::"r"(i));
    }
}

/* Some 2 us each. */
static void with_work(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FLAT / 10; i++) {
#pragma omp task
        work(5000);
    }
}

static void loops(void) {
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < LOOPS; k++) {
#pragma omp taskloop
        for (int i = 0; i < 1000; i++) {
            __asm__ volatile("" ::"r"(i));
        }
    }
}

static void fine_loop(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < FLAT; i++) {
        __asm__ volatile("" ::"r"(i));
    }
}

static void chain(void) {
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(inout : x) shared(x)
        x++;
    }
    bench_check(x == CHAIN, "task-chain: %d tasks", x);
}

static void grid(void) {
    static char v[GRID + 1][GRID + 1];
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= GRID; i++) {
        for (int j = 1; j <= GRID; j++) {
#pragma omp task depend(in : v[i - 1][j], v[i][j - 1]) depend(out : v[i][j])
            v[i][j] = (char)(v[i - 1][j] + v[i][j - 1]);
        }
    }
}

static void groups(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FLAT / 10; i++) {
#pragma omp taskgroup
        {
#pragma omp task
            __asm__ volatile("" ::"r"(i));
        }
    }
}

static void waits(void) {
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < FLAT / 1000; k++) {
        for (int i = 0; i < 1000; i++) {
#pragma omp task firstprivate(i)
            __asm__ volatile("" ::"r"(i));
        }
#pragma omp taskwait
    }
}

/* OMP_MAX_TASK_PRIORITY is 0 where nobody sets it. */
static void priorities(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FLAT / 10; i++) {
#pragma omp task priority(i % 10)
        __asm__ volatile("" ::"r"(i));
    }
}

static void yields(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FLAT / 10; i++) {
#pragma omp task
        {
            __asm__ volatile("" ::"r"(i));
#pragma omp taskyield
        }
    }
}

static void undeferred(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FLAT; i++) {
#pragma omp task if (0)
        __asm__ volatile("" ::"r"(i));
    }
}

static void reductions(void) {
    long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < FLAT / 10; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    bench_check(sum == (long)(FLAT / 10) * (FLAT / 10 - 1) / 2, "task-reduction: %ld", sum);
}

/* Some 2 us each, in a grid. */
static void grid_with_work(void) {
    enum { SIDE = GRID / 3 };
    static char v[SIDE + 1][SIDE + 1];
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= SIDE; i++) {
        for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : v[i - 1][j], v[i][j - 1]) depend(out : v[i][j])
            {
                work(5000);
                v[i][j] = (char)(v[i - 1][j] + v[i][j - 1]);
            }
        }
    }
}

static const struct measurement all[] = {
    {"task-fib", recursion, FIB_TASKS, 5},
    {"task-flat", flat, FLAT, 5},
    {"task-by-all", by_all, FLAT, 5},
    {"task-work", with_work, FLAT / 10, 3},
    {"taskloop", loops, LOOPS, 5},
    {"taskloop-fine", fine_loop, FLAT, 5},
    {"task-chain", chain, CHAIN, 5},
    {"task-grid", grid, GRID * GRID, 5},
    {"taskgroup", groups, FLAT / 10, 5},
    {"taskwait", waits, FLAT, 5},
    {"task-priority", priorities, FLAT / 10, 5},
    {"taskyield", yields, FLAT / 10, 5},
    {"task-undeferred", undeferred, FLAT, 5},
    {"task-reduction", reductions, FLAT / 10, 5},
    {"task-grid-work", grid_with_work, (GRID / 3) * (GRID / 3), 3},
};

int main(int argc, char **argv) {
    return alternate(argc, argv, all, sizeof all / sizeof *all);
}
