// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// Also in a typedef.
typedef shared int (*t)[THREADS][13][THREADS]; //~ error E0315

int main(void)
{
    return 0;
}
