// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p7
//@ fail: E0307
// [*] does not stand in a typedef.
typedef shared [*] int table[10 * THREADS]; //~ error E0307

int main(void)
{
    return 0;
}
