// SPDX-License-Identifier: BSD-3-Clause
#include "units.h"

shared [BLOCK] int table[BLOCK * THREADS];
shared entry entries[THREADS];
strict shared int turn;

void fill_table(int factor) {
    entry own = {"", 0.5};
    snprintf(own.name, sizeof own.name, "entry %d", MYTHREAD);
    upc_memput(&entries[MYTHREAD], &own, sizeof own);
    upc_forall(int i = 0; i < BLOCK * THREADS; i++; &table[i]) table[i] = factor * i;
    upc_barrier;
}

int sum_table(void) {
    int sum = 0;
    for (int i = 0; i < BLOCK * THREADS; i++) sum += table[i];
    return sum;
}
