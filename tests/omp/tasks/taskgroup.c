/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_CANCELLATION=true
/* A taskgroup waits for all descendants; cancelled, it executes no more of them. */
#include "../inputs/check.h"

static void tree(int depth, int *count) {
#pragma omp atomic
    ++*count;
    for (int i = 0; depth > 0 && i < 3; i++) {
#pragma omp task
        tree(depth - 1, count);
    }
}

static void nested(void) {
    int outer = 0, inner = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(outer, inner)
        {
            tree(4, &outer);
#pragma omp taskgroup
            {
#pragma omp task shared(inner)
                tree(3, &inner);
            }
            CHECK(inner == 40);
        }
    }
    CHECK(outer == 121);
}

static void cancelled(void) {
    int executed = 0, after = 0;
#pragma omp taskgroup
    {
        for (int i = 0; i < 1000; i++) {
#pragma omp task shared(executed)
            {
#pragma omp atomic
                executed++;
#pragma omp cancel taskgroup
                CHECK(0);
            }
        }
    }
    CHECK(executed >= 1 && executed < 1000);
#pragma omp taskgroup
    {
#pragma omp task shared(after)
        {
#pragma omp cancellation point taskgroup
            after = 1;
        }
    }
    CHECK(after == 1);
}

int main(void) {
#pragma omp parallel
    {
        nested();
        CHECK(omp_get_cancellation());
#pragma omp barrier
#pragma omp single
        cancelled();
    }
    nested();
    return result();
}
