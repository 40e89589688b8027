// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p6
//@ fail: E0306
// [*] is computed from an array: a pointer has none.
shared [*] int *p; //~ error E0306

int main(void)
{
    return 0;
}
