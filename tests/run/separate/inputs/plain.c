// SPDX-License-Identifier: BSD-3-Clause
// A C library that knows nothing of UPC; the words of UPC are names here.
#include "plain.h"

static int shared = 0, relaxed = 1;

void plain_fill(double *list, int n, int first)
{
    for (int strict = shared; strict < n; strict += relaxed)
        list[strict] = first + strict;
}

double plain_sum(const double *list, int n)
{
    double THREADS = 0;
    for (int i = 0; i < n; i++)
        THREADS += list[i];
    return THREADS;
}

struct plain_pair plain_swap(struct plain_pair pair)
{
    return (struct plain_pair){(int)pair.d, pair.i};
}

void plain_repeat(int n, void (*callback)(int))
{
    for (int i = 0; i < n; i++)
        callback(i);
}
