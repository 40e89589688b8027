/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks in the memory of one thread, taken by threads of all hosts; freed by others. */
//@ mappings: 1x3 3x1 2:2x1 2:2x2 3:5x1
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
shared long counter[THREADS];
upc_lock_t *shared locks[THREADS];
shared long own;
static void add(shared void *p) { long v; upc_memget(&v, p, sizeof v); v++; upc_memput(p, &v, sizeof v); }
int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    upc_lock_t *mine = upc_global_lock_alloc(), *far, *next;
    upc_memput(&locks[MYTHREAD], &mine, sizeof mine);
    upc_lock_t *one = upc_all_lock_alloc();
    upc_barrier;
    upc_memget(&far, &locks[5 % THREADS], sizeof far);
    upc_memget(&next, &locks[(MYTHREAD + 1) % THREADS], sizeof far);
    for (int i = 0; i < rounds; i++) {
        upc_lock(one);
        add(&counter[THREADS - 1]);
        upc_unlock(one);
        upc_lock(far);
        add(&own);
        upc_unlock(far);
        if (upc_lock_attempt(far)) { add(&own); upc_unlock(far); } else { upc_lock(far); add(&own); upc_unlock(far); }
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        long a, b;
        upc_memget(&a, &counter[THREADS - 1], sizeof a);
        upc_memget(&b, &own, sizeof b);
        if (a == (long)rounds * THREADS && b == 2L * rounds * THREADS) printf("ok\n");
    }
    upc_barrier;
    upc_all_lock_free(one);
    upc_lock_free(next);
    return 0;
}
