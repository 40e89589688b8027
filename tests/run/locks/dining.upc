// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3 2x2 1x8 2:2x2 4:4x1
// Philosophers with two forks each, taken in order: nobody starves, every meal is counted.
#include "../../check.h"

upc_lock_t *shared forks[THREADS];
shared int meals[THREADS], uses[THREADS];

int main(void)
{
    forks[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    int left = MYTHREAD, right = (MYTHREAD + 1) % THREADS;
    int first = left < right ? left : right, second = left < right ? right : left;
    for (int i = 0; i < 500; i++) {
        upc_lock(forks[first]);
        upc_lock(forks[second]);
        uses[first]++;
        uses[second]++;
        meals[MYTHREAD]++;
        upc_unlock(forks[first]);
        upc_unlock(forks[second]);
    }
    upc_barrier;
    CHECK_EQ(uses[MYTHREAD], 1000);
    CHECK_EQ(meals[MYTHREAD], 500);
    upc_lock_free(forks[MYTHREAD]);
    return check_done();
}
