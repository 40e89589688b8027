// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p6
//@ fail: E0306
// Also not the pointer in a parameter.
static int f(shared [*] int *p) //~ error E0306
{
    return p != 0;
}

int main(void)
{
    return f(0);
}
