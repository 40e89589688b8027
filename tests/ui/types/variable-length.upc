// SPDX-License-Identifier: BSD-3-Clause
// Shared arrays of variable length.
int n = 5;
shared [] int a[n]; //~ error E0314

int f(int m)
{
    static shared [] int b[m]; //~ error E0314
    shared [] int(*p)[m];
    typedef int row[m];
    static shared [] row c[2]; //~ error E0314
    static shared [] int(*q)[m];
    return upc_localsizeof(*p); //~ error E0402
}

shared [] int(*p)[n]; //~ error E0314
typedef shared [] int d[n]; //~ error E0314
struct s {
    shared [] int(*p)[n]; //~ error E0314
};
