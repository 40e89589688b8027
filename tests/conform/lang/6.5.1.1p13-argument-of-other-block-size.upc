// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p13
//@ fail: E0409
// So does an argument.
shared int a[THREADS];

static int f(shared [] int *p)
{
    return *p;
}

int main(void)
{
    return f(a); //~ error E0409
}
