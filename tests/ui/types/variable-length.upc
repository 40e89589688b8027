// SPDX-License-Identifier: BSD-3-Clause
// Shared arrays of variable length.
int n = 5;
shared [] int a[n]; //~ error E0314

int f(int m)
{
    static shared [] int b[m]; //~ error E0314
    shared [] int(*p)[m]; //~ error E0314
    return 0;
}
