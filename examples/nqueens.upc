// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * N queens with a pool of tasks: count the ways to place n queens that do not attack each other.
 *
 * A task is a placement of the queens in the first two rows. Thread 0 fills the pool; then every
 * thread takes tasks until none is left. A lock protects the pool, because two threads may
 * reach for the same task. Some tasks take longer than others, and the pool balances the load.
 *
 *     nqueens [n]
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define MAX_N 14

struct task {
    unsigned columns, left, right; /* columns and diagonals under attack in the next row */
};

/* All in the memory of thread 0: `[]` is an indefinite block. */
shared [] struct task pool[MAX_N * MAX_N];
shared int pool_size, pool_taken;

shared long solutions[THREADS];
shared int tasks_done[THREADS];

static const long known[MAX_N + 1] = {1,  1,  0,   0,   2,    10,    4,    40,
                                      92, 352, 724, 2680, 14200, 73712, 365596};

static struct task place(struct task t, unsigned queen) {
    return (struct task){t.columns | queen, (t.left | queen) << 1, (t.right | queen) >> 1};
}

static unsigned free_places(struct task t, unsigned board) {
    return board & ~(t.columns | t.left | t.right);
}

static long count(struct task t, unsigned board) {
    if (t.columns == board) {
        return 1;
    }
    long n = 0;
    for (unsigned places = free_places(t, board); places; places &= places - 1) {
        n += count(place(t, places & -places), board);
    }
    return n;
}

static void fill_pool(unsigned board) {
    struct task empty = {0, 0, 0};
    for (unsigned first = free_places(empty, board); first; first &= first - 1) {
        struct task one = place(empty, first & -first);
        for (unsigned second = free_places(one, board); second; second &= second - 1) {
            pool[pool_size++] = place(one, second & -second);
        }
    }
}

/* Takes a task out of the pool; 0 if there is none left. */
static int take(upc_lock_t *lock, struct task *task) {
    int found = 0;
    upc_lock(lock);
    if (pool_taken < pool_size) {
        *task = pool[pool_taken++];
        found = 1;
    }
    upc_unlock(lock);
    return found;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    if (n < 2 || n > MAX_N) {
        fprintf(stderr, "nqueens: n must be from 2 to %d\n", MAX_N);
        return 2;
    }
    unsigned board = (1u << n) - 1;
    upc_lock_t *lock = upc_all_lock_alloc();

    if (MYTHREAD == 0) {
        fill_pool(board);
    }
    upc_barrier;

    struct task task;
    long found = 0;
    while (take(lock, &task)) {
        found += count(task, board);
        tasks_done[MYTHREAD]++;
    }
    solutions[MYTHREAD] = found;
    upc_barrier;

    upc_all_lock_free(lock);
    if (MYTHREAD == 0) {
        long all = 0;
        for (int i = 0; i < THREADS; i++) {
            printf("thread %d did %d tasks\n", i, (int)tasks_done[i]);
            all += solutions[i];
        }
        printf("%d queens: %ld solutions, %ld known\n", n, all, known[n]);
        if (all != known[n]) {
            return 1;
        }
        printf("ok\n");
    }
    return 0;
}
