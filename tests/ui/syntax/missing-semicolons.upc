// SPDX-License-Identifier: BSD-3-Clause
// Several places where something else was expected; the parser goes on after each.
shared int a[THREADS] //~ error E0102
int b;
share int of_nothing; //~ error E0420

int main(void)
{
    int c = 1 //~ error E0102
    int d = 2;
    upc_barrier //~ error E0102
    return c + d;
}

int f(void)
{
    if (1
        return 2; //~ error E0102
    return 3;
}
