// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p3
//@ fail: E0303
// Neither through a typedef.
typedef shared [2] int pair;
shared [3] pair *p; //~ error E0303

int main(void)
{
    return 0;
}
