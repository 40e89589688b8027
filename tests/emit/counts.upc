// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O1 -inst
// Accesses count themselves for a report: alone, in a loop of their own rows, before a loop whose number
// and thread are known, and not in one that goes by the thread's own memory alone.
#include <upc_relaxed.h>

shared int dealt[10 * THREADS];

int alone(int i)
{
    return dealt[i];
}

int sum(void)
{
    int sum = 0;
    for (int i = 0; i < 10 * THREADS; i++)
        sum += dealt[i];
    return sum;
}

void rows(shared [] double *to, shared [] double *from, long n, long row)
{
    for (long j = 0; j < n; j++) {
        shared [] double *here = from + j * row;
        for (long i = 0; i < row; i++)
            to[i] += here[i];
    }
}
