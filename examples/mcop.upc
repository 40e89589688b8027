// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * Matrix-chain order (MCOP): the cheapest way to bracket a product of n matrices.
 *
 * A classic of dynamic programming: cost(i, j), for the matrices i to j, is the least of
 * cost(i, k) + cost(k + 1, j) + the last product. All entries of one diagonal of the table are
 * independent and are computed in parallel; a barrier ends each diagonal.
 *
 * Shows a table whose rows go round the threads, `shared [MAX_N]`: reading cost(i, k) is a read
 * of one's own memory, reading cost(k + 1, j) mostly is not.
 *
 *     mcop [n]
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define MAX_N 200

/* Matrix i has dim[i] rows and dim[i + 1] columns. Private: every thread knows them all. */
static long dim[MAX_N + 1];

typedef shared [MAX_N] long *table;

static long cheapest(table cost, int i, int j) {
    long best = -1;
    for (int k = i; k < j; k++) {
        long c = cost[i * MAX_N + k] + cost[(k + 1) * MAX_N + j] + dim[i] * dim[k + 1] * dim[j + 1];
        best = best < 0 || c < best ? c : best;
    }
    return best;
}

/* Collective: the cost of the whole chain of n matrices. */
static long chain_cost(table cost, int n) {
    int i;
    upc_forall (i = 0; i < n; i++; &cost[i * MAX_N]) {
        cost[i * MAX_N + i] = 0;
    }
    for (int length = 1; length < n; length++) {
        upc_barrier;
        upc_forall (i = 0; i < n - length; i++; &cost[i * MAX_N]) {
            cost[i * MAX_N + i + length] = cheapest(cost, i, i + length);
        }
    }
    upc_barrier;
    return cost[n - 1];
}

/* The same by one thread, in private memory, the table filled from the last row upwards. */
static long chain_cost_alone(int n) {
    static long cost[MAX_N][MAX_N];
    for (int i = n - 1; i >= 0; i--) {
        cost[i][i] = 0;
        for (int j = i + 1; j < n; j++) {
            cost[i][j] = -1;
            for (int k = i; k < j; k++) {
                long c = cost[i][k] + cost[k + 1][j] + dim[i] * dim[k + 1] * dim[j + 1];
                cost[i][j] = cost[i][j] < 0 || c < cost[i][j] ? c : cost[i][j];
            }
        }
    }
    return cost[0][n - 1];
}

int main(int argc, char **argv) {
    static const long textbook[] = {30, 35, 15, 5, 10, 20, 25}; /* costs 15125 */
    int n = argc > 1 ? atoi(argv[1]) : 120;
    if (n < 1 || n > MAX_N) {
        fprintf(stderr, "mcop: n must be from 1 to %d\n", MAX_N);
        return 2;
    }
    table cost = upc_all_alloc(MAX_N, MAX_N * sizeof(long));

    for (int i = 0; i < 7; i++) {
        dim[i] = textbook[i];
    }
    long small = chain_cost(cost, 6);
    upc_barrier; /* all have read the answer before the table is used again */

    unsigned state = 12345;
    for (int i = 0; i <= n; i++) {
        state = state * 1103515245u + 12345u;
        dim[i] = 1 + (long)(state >> 16) % 100;
    }
    long large = chain_cost(cost, n);
    long alone = chain_cost_alone(n);

    if (MYTHREAD == 0) {
        printf("6 matrices cost %ld; %d matrices cost %ld\n", small, n, large);
    }
    if (small != 15125 || large != alone) {
        printf("thread %d: expected 15125 and %ld\n", MYTHREAD, alone);
        upc_global_exit(1); /* not a return: the others would wait at the barrier */
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("ok\n");
    }
    upc_all_free(cost);
    return 0;
}
