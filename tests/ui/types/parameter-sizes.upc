// SPDX-License-Identifier: BSD-3-Clause
#include <upc_relaxed.h>

shared int width;

double first(int n, double a[n][width]); //~ error E0415

double second(shared [] int *p, double a[][*p + 1]) //~ error E0415
{
    return a[0][0];
}

double third(int n, shared [] int *p, double a[n][sizeof *p], double b[n])
{
    int inside[width];
    inside[0] = 1;
    return a[0][0] + b[inside[0]];
}
