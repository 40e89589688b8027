/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks see what they are given, are executed once, and `taskwait` waits for children: recursion,
 * data of every size and alignment, if, final, mergeable, untied, tasks of all threads at once. */
#include "../inputs/check.h"

#include <stdint.h>

static long fib(int n) {
    long a, b;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a) untied
    a = fib(n - 1);
#pragma omp task shared(b) if (n % 3)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void data(int n) {
    struct large {
        int v[300];
    } large;
    struct __attribute__((aligned(128))) aligned {
        char v[128];
    } aligned;
#ifdef __clang__ /* whose tasks have no arrays of variable length */
    int vla[300];
#else
    int vla[n];
#endif
    int right = 0;
    for (int i = 0; i < 300; i++) {
        large.v[i] = i * n;
    }
    for (int i = 0; i < n; i++) {
        vla[i] = i + n;
    }
    memset(&aligned, n, sizeof aligned);
#pragma omp task firstprivate(large, vla, aligned) shared(right) firstprivate(n)
    {
        int good = (uintptr_t)&aligned % 128 == 0;
        for (int i = 0; i < 300; i++) {
            good &= large.v[i] == i * n;
        }
        for (int i = 0; i < n; i++) {
            good &= vla[i] == i + n;
        }
        for (int i = 0; i < 128; i++) {
            good &= aligned.v[i] == n;
        }
        right = good;
    }
    memset(&large, 0, sizeof large);
    memset(vla, 0, sizeof vla);
    memset(&aligned, 0, sizeof aligned);
#pragma omp taskwait
    CHECK(right);
}

static int in_final(int depth) {
    int count = 1;
    if (depth > 0) {
        int thread = omp_get_thread_num(), below = 0;
#pragma omp task shared(below, thread) mergeable
        {
            CHECK(omp_in_final());
            CHECK(omp_get_thread_num() == thread);
            below = in_final(depth - 1);
        }
        count += below; /* included tasks need no taskwait */
    }
    return count;
}

static void undeferred(int i) {
    int done = 0;
#pragma omp task if (0) shared(done)
    done = i;
    CHECK(done == i);
    int finals = 0;
#pragma omp task final(i % 2 == 0) shared(finals)
    {
        CHECK(omp_in_final() == (i % 2 == 0));
        finals = i % 2 == 0 ? in_final(5) : 6;
    }
#pragma omp taskwait
    CHECK(finals == 6);
}

int main(void) {
    enum { N = 3000 };
    static int times[N];
    int all = 0, max = omp_get_max_threads();
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for
        for (int i = 0; i < N; i++) {
#pragma omp task shared(times) firstprivate(i)
            {
#pragma omp atomic
                times[i]++;
            }
        }
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(mine)
            {
#pragma omp atomic
                mine++;
            }
            undeferred(i);
        }
        data(omp_get_thread_num() + 3);
#pragma omp taskwait
        CHECK(mine == 50);
        CHECK(fib(14) == 377);
#pragma omp barrier
#pragma omp atomic
        all += mine;
#pragma omp single
        CHECK(fib(18) == 2584);
    }
    CHECK(all == 50 * max);
    for (int i = 0; i < N; i++) {
        CHECK(times[i] == 1);
    }
    /* Outside of regions. */
    CHECK(fib(10) == 55);
    data(4);
    return result();
}
