// SPDX-License-Identifier: BSD-3-Clause
// A stray character between two good functions: both are still understood.
static int f(void)
{
    return 1;
}
@ //~ error E0101
static int g(void)
{
    shared int x; //~ error E0310
    return x;
}

int main(void)
{
    return f() + g();
}
