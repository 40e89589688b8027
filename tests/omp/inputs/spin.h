/* SPDX-License-Identifier: BSD-3-Clause */
/* A wait that keeps its thread, for tests of tasks that wait for others. */
#ifndef TESTS_OMP_SPIN_H
#define TESTS_OMP_SPIN_H

static inline int now(const int *count) {
    int value;
#pragma omp atomic read
    value = *count;
    return value;
}

static inline void spin_while_more_than(int least, const int *count) {
    while (now(count) > least) {
    }
}

#endif
