// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.5.3p3
// Transfers larger than any buffer arrive whole.
#include "../../check.h"

enum { N = 3000000 };

typedef shared [] int *ints;
shared ints place[THREADS];

int main(void)
{
    place[MYTHREAD] = upc_alloc(N * sizeof(int));
    int *source = malloc(N * sizeof(int)), *copy = malloc(N * sizeof(int));
    for (int i = 0; i < N; i++)
        source[i] = i ^ MYTHREAD;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS, previous = (MYTHREAD + THREADS - 1) % THREADS;
    upc_memput(place[next], source, N * sizeof(int));
    upc_barrier;
    upc_memget(copy, place[MYTHREAD], N * sizeof(int));
    for (int i = 0; i < N; i++)
        CHECK_EQ(copy[i], i ^ previous);
    upc_barrier;
    upc_free(place[MYTHREAD]);
    free(source);
    free(copy);
    return check_done();
}
