// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1
//@ flags: -pthread
//@ with: teams.cc
// C++ calls UPC from its own threads, and before main.
#include <stdio.h>
#include <upc.h>

static int sum;
int add(int n) { return __sync_add_and_fetch(&sum, n * (MYTHREAD + 1)); }
int run_threads(int n);

int main(void)
{
    int early = run_threads(7);
    if (early != 0 || sum != 7 * (MYTHREAD + 1)) {
        printf("thread %d: %d, %d\n", MYTHREAD, early, sum);
        return 1;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
