// SPDX-License-Identifier: BSD-3-Clause
#include "units.h"
#include <upc_collective.h>

static upc_lock_t *shared lock;
shared int total;
shared int sums[THREADS];

int main(void) {
    fill_table(2);
    sums[MYTHREAD] = sum_table();
    upc_barrier 1;
    if (MYTHREAD == 0) lock = upc_global_lock_alloc();
    upc_barrier 2;
    for (int i = 0; i < 5; i++) {
        upc_lock(lock);
        total += next_number();
        upc_unlock(lock);
    }
    while (turn != MYTHREAD)
        ;
    turn = MYTHREAD + 1;
    upc_barrier 3;
    shared int *all = upc_all_alloc(1, sizeof(int));
    upc_all_reduceI(all, sums, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    int *mine = (int *)&table[BLOCK * MYTHREAD];
    if (MYTHREAD == THREADS - 1)
        printf("%d threads: %d, %d each, %d, %s, %d\n", THREADS, *all / THREADS, total / THREADS,
               counter, describe(&entries[0]), mine[0] / (2 * BLOCK));
    return 0;
}
