// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.7.2.1p3 7.7.2.1p4 7.7.2.1p9
// Every thread reads and writes the part of every thread on its host of a static array, and of objects from each
// allocation function, through upc_cast; all of the part, from the pointer into its middle.
#include "../../check.h"
#include <upc_castable.h>

#define B 5
#define ROWS 3
shared [B] int fixed[B * ROWS * THREADS];
shared [B] int *shared of_global;
shared [] int *shared of_alloc[THREADS];

// Whether a thread is on the caller's host: then, and only then, its objects are castable.
static int is_near(int thread)
{
    return bupc_thread_distance(MYTHREAD, thread) < BUPC_THREADS_VERYFAR;
}

// Element `i` of the calling thread's B * ROWS elements at `thread`.
static void visit(shared [B] int *array, int thread, int salt)
{
    for (int row = 0; row < ROWS; row++) {
        shared [B] int *block = array + (row * THREADS + thread) * B;
        int *p = upc_cast(block + 2);
        CHECK((p != NULL) == is_near(thread));
        if (!p)
            continue;
        for (int i = 0; i < B; i++) {
            CHECK_EQ(p[i - 2], salt + i);
            CHECK(upc_cast(block + i) == p - 2 + i);
        }
        p[-2 + (MYTHREAD + row) % B] = salt + (MYTHREAD + row) % B;
        CHECK_EQ(block[(MYTHREAD + row) % B], salt + (MYTHREAD + row) % B);
    }
}

int main(void)
{
    shared [B] int *all = upc_all_alloc(ROWS * THREADS, B * sizeof(int));
    if (MYTHREAD == 0)
        of_global = upc_global_alloc(ROWS * THREADS, B * sizeof(int));
    of_alloc[MYTHREAD] = upc_alloc(sizeof(int));
    upc_barrier;
    upc_forall (int i = 0; i < B * ROWS * THREADS; i++; &fixed[i]) {
        fixed[i] = 100 + i % B;
        all[i] = 200 + i % B;
        of_global[i] = 300 + i % B;
    }
    *of_alloc[MYTHREAD] = MYTHREAD + 10;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        visit(fixed, t, 100);
        visit(all, t, 200);
        visit(of_global, t, 300);
        int *single = upc_cast(of_alloc[t]);
        CHECK(is_near(t) ? *single == t + 10 : !single);
    }
    return check_done();
}
