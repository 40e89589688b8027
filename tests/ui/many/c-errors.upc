// SPDX-License-Identifier: BSD-3-Clause
// Errors of plain C, which the C compiler reports, on the user's lines.
shared int x;

static int f(int a)
{
    return a + undeclared;
}

int main(void)
{
    upc_barrier;
    f(1, 2);
    x = 1;
    return missing(x);
}
