/* SPDX-License-Identifier: BSD-3-Clause */
/* A value handed on by a flag in a ring of threads: by flushes around atomics, and by the memory
 * orders of OpenMP 5.0. */
#include "../inputs/check.h"

static int data, turn;

static int see_by_flush(void) {
    int seen;
#pragma omp flush
#pragma omp atomic read
    seen = turn;
#pragma omp flush
    return seen;
}

static void pass_by_flush(int next) {
#pragma omp flush
#pragma omp atomic write
    turn = next;
#pragma omp flush
}

static int see_by_order(void) {
    int seen;
#pragma omp atomic read acquire
    seen = turn;
    return seen;
}

static void pass_by_order(int next) {
#pragma omp atomic write release
    turn = next;
}

static void ring(int (*see)(void), void (*pass)(int)) {
    int n = omp_get_max_threads();
    data = turn = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < 10; round++) {
            while (see() != round * n + me) {
            }
            CHECK(data == round * n + me);
            data++;
            pass(round * n + me + 1);
        }
    }
    CHECK(data == 10 * n);
}

int main(void) {
    ring(see_by_flush, pass_by_flush);
    ring(see_by_order, pass_by_order);
    return result();
}
