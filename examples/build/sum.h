/* SPDX-License-Identifier: BSD-3-Clause */
/* What sum.upc offers to UPC, and describe.c to both. */
#ifndef SUM_H
#define SUM_H

/* All threads call it: each gives a number, and each receives the sum of all. */
long sum_of_threads(long mine);

void describe(int threads, long sum);

#endif
