// SPDX-License-Identifier: BSD-3-Clause
/* Plain C, compiled into the same program: knows nothing of threads. */
#include <stddef.h>

double summary_sum(const double *values, size_t n);
int summary_calls(void);

static _Thread_local int calls;

double summary_sum(const double *values, size_t n)
{
    double sum = 0;
    calls++;
    while (n--)
        sum += *values++;
    return sum;
}

int summary_calls(void)
{
    return calls;
}
