// SPDX-License-Identifier: BSD-3-Clause
/*
 * An uncontended upc_lock and upc_unlock, by thread 0 while the others wait at a barrier: a
 * lock of its own, one held by the last thread, and two in turns. That the locks exclude is checked
 * afterwards, by all threads.
 *
 *     lock [PAIRS [SUFFIX]]
 *
 * SUFFIX: of what is printed.
 */
#include "bench.h"
#include <upc_relaxed.h>

#define ROUNDS 150
#define CONTENDED 1000

upc_lock_t *shared lock_of[THREADS];
shared long guarded; /* by lock_of[0] */

static int pairs = 20000;
static const char *suffix = "";

static void measure(const char *name, upc_lock_t *first, upc_lock_t *second) {
    struct bench_times times = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        for (int i = 0; i < pairs; i += 2) {
            upc_lock(first);
            upc_unlock(first);
            upc_lock(second);
            upc_unlock(second);
        }
        bench_add(&times, (bench_now() - begin) / pairs);
    }
    bench_check(upc_lock_attempt(first), "%s: the lock is not free", name);
    upc_unlock(first);
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    bench_time(whole, "ns", 1e9, &times);
}

int main(int argc, char **argv) {
    pairs = argc > 1 ? atoi(argv[1]) : pairs;
    suffix = argc > 2 ? argv[2] : suffix;
    lock_of[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_lock_t *mine = lock_of[0], *far = lock_of[THREADS - 1], *other = upc_global_lock_alloc();
        measure("lock", mine, mine);
        measure("lock-of-last-thread", far, far);
        measure("lock-two-in-turns", mine, other);
        upc_lock_free(other);
    }
    upc_barrier;
    for (int i = 0; i < CONTENDED; i++) {
        upc_lock(lock_of[0]);
        guarded++;
        upc_unlock(lock_of[0]);
    }
    upc_barrier;
    bench_check(guarded == (long)CONTENDED * THREADS, "lock: %ld turns of %ld", guarded,
                (long)CONTENDED * THREADS);
    upc_barrier;
    upc_lock_free(lock_of[MYTHREAD]);
    return 0;
}
