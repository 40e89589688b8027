// SPDX-License-Identifier: BSD-3-Clause
// Pointers that change their block size or type without a cast.
shared [2] int *a;
shared [3] int *b = 0;
shared int *c;
shared [] int *d;
shared [2] double *e;
shared [2] const int *good;

static void f(shared [4] int *q);

int main(void)
{
    a = b; //~ error E0409
    c = d; //~ error E0409
    e = a; //~ error E0409
    f(a); //~ error E0409
    shared [5] int *g = c; //~ error E0409
    good = a;
    b = (shared void *)a;
    return 0;
}
