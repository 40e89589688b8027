// SPDX-License-Identifier: BSD-3-Clause
/*
 * EP (ep.h). FINE has its numbers and tallies in shared memory, and all accesses to them are shared; the
 * threads add their tallies to the sums of thread 0 under a lock. CAST has private numbers, and a
 * pointer to its own tallies. BULK adds the tallies up by a collective operation.
 */
#include "ep.h"
#include <upc_relaxed.h>
#include <upcx_team.h>

static shared [EP_TALLIES] double tallies[THREADS][EP_TALLIES];
static shared [] double sums[EP_TALLIES]; /* of thread 0 */

#if CODING == FINE
static shared [2 * EP_PAIRS] double numbers[THREADS][2 * EP_PAIRS];

static void add_block(long block) {
    uint64_t seed = ep_seed(block);
    for (int i = 0; i < 2 * EP_PAIRS; i++) {
        numbers[MYTHREAD][i] = npb_random(&seed, NPB_A);
    }
    for (int i = 0; i < EP_PAIRS; i++) {
        double x = 2 * numbers[MYTHREAD][2 * i] - 1, y = 2 * numbers[MYTHREAD][2 * i + 1] - 1;
        double t = x * x + y * y;
        if (t <= 1) {
            double factor = sqrt(-2 * log(t) / t);
            x *= factor;
            y *= factor;
            tallies[MYTHREAD][EP_COUNTS + (int)fmax(fabs(x), fabs(y))] += 1;
            tallies[MYTHREAD][EP_SUM_X] += x;
            tallies[MYTHREAD][EP_SUM_Y] += y;
        }
    }
}
#else
static void add_block(long block) {
    static double numbers[2 * EP_PAIRS];
    ep_add_block(block, numbers, (double *)tallies[MYTHREAD]);
}
#endif

/* The threads' tallies, added to those of thread 0's sums. */
static void add_up(upc_lock_t *lock) {
#if CODING == BULK
    (void)lock;
    upcx_team_reduce(UPCX_TEAM_ALL, sums, tallies[MYTHREAD], EP_TALLIES, UPC_DOUBLE, UPC_ADD,
                     UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
#else
    upc_lock(lock);
    for (int i = 0; i < EP_TALLIES; i++) {
        sums[i] += tallies[MYTHREAD][i];
    }
    upc_unlock(lock);
    upc_barrier;
#endif
}

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_barrier;
    double start = bench_now();
    for (long block = MYTHREAD; block < EP_BLOCKS; block += THREADS) {
        add_block(block);
    }
    add_up(lock);
    double seconds = bench_now() - start;
    return MYTHREAD == 0 ? ep_finish((double *)sums, seconds) : 0;
}
