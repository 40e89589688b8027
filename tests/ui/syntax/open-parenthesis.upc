// SPDX-License-Identifier: BSD-3-Clause
// A parenthesis, a bracket and a layout that are never closed.
int f(int x)
{
    return (x + (2 * x); //~ error E0102
}

shared [4 int *p; //~ error E0102

int main(void)
{
    int a[3];
    return a[1 + 1; //~ error E0102
}
