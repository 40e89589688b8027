/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain C, compiled by the C compiler. */
#include "sum.h"

#include <math.h>
#include <stdio.h>

void describe(int threads, long sum) {
    printf("%d threads: the sum is %ld, its root %.1f\n", threads, sum, sqrt((double)sum));
}
