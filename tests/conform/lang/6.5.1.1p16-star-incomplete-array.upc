// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p16
//@ fail: E0308
// [*] needs a complete array to divide.
extern shared [*] int a[]; //~ error E0308

int main(void)
{
    return 0;
}
