// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 3x1 4x1 4x2
// Many small locks that all threads take as fast as they can, in no order, so that a host keeps for a
// turn those that others want (FURLONG_DSM_TURN): all that is written under them is there, also where
// threads hold two locks, try locks, or seldom take one; and where they wait for each other right after.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOCKS = 200, ITEMS = 3000, ROUNDS = 4 };

static omp_lock_t locks[LOCKS], seldom;
static struct cell { struct cell *next; int value; } *lists[LOCKS];
static long counts[LOCKS], moved[LOCKS], rare, atomics[LOCKS];

static unsigned scattered(unsigned i) {
    i = (i ^ i >> 16) * 0x85ebca6bu;
    i = (i ^ i >> 13) * 0xc2b2ae35u;
    return i ^ i >> 16;
}

static void insert(int item) {
    unsigned k = scattered((unsigned)item) % LOCKS;
    struct cell *cell = malloc(sizeof *cell);
    cell->value = item;
    omp_set_lock(&locks[k]);
    cell->next = lists[k];
    lists[k] = cell;
    counts[k]++;
    omp_unset_lock(&locks[k]);
}

static void move(int item) {
    unsigned a = scattered((unsigned)item) % LOCKS, b = scattered(~(unsigned)item) % LOCKS;
    if (a == b) {
        return;
    }
    omp_set_lock(&locks[a < b ? a : b]);
    omp_set_lock(&locks[a < b ? b : a]);
    moved[a]--;
    moved[b]++;
    omp_unset_lock(&locks[b]);
    omp_unset_lock(&locks[a]);
}

static void try_to_count(int item) {
    unsigned k = scattered((unsigned)item + 1) % LOCKS;
    while (!omp_test_lock(&locks[k])) {
    }
    counts[k]++;
    omp_unset_lock(&locks[k]);
}

static void step(int item) {
    insert(item);
    move(item);
    if (item % 16 == 0) {
        try_to_count(item);
    }
    if (item % 500 == 0) {
        omp_set_lock(&seldom);
        rare++;
        omp_unset_lock(&seldom);
    }
    long old;
#pragma omp atomic capture
    old = atomics[scattered((unsigned)item) % LOCKS]++;
    if (old < 0) {
        abort();
    }
}

int main(void) {
    for (int k = 0; k < LOCKS; k++) {
        omp_init_lock(&locks[k]);
    }
    omp_init_lock(&seldom);
    for (int r = 0; r < ROUNDS; r++) {
#pragma omp parallel for
        for (int i = 0; i < ITEMS; i++) {
            step(r * ITEMS + i);
        }
    }
    long items = 0, sum = 0, all = 0, left = 0, updates = 0;
    for (int k = 0; k < LOCKS; k++) {
        for (const struct cell *cell = lists[k]; cell; cell = cell->next) {
            items++;
            sum += cell->value;
        }
        all += counts[k];
        left += moved[k];
        updates += atomics[k];
    }
    printf("%ld items, sum %ld, %ld counted, %ld left, %ld rare, %ld atomic\n", items, sum, all, left, rare,
           updates);
    return 0;
}

/* stdout:
12000 items, sum 71994000, 12750 counted, 0 left, 24 rare, 12000 atomic
*/
