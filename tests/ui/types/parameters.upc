// SPDX-License-Identifier: BSD-3-Clause
// Shared parameters; pointers to shared and array notation are fine.
int a(shared int x); //~ error E0312
int b(int good, int *shared p); //~ error E0312
int c(shared int good[], shared [2] int good_too[4]);
int (*d)(shared double); //~ error E0312
typedef shared struct { int i; } s;

int e(s x) //~ error E0312
{
    return x.i;
}

int f(x)
    shared int x; //~ error E0312
{
    return x;
}
