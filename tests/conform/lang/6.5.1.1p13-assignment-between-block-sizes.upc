// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p13
//@ fail: E0409
// The block size is part of the type: another one needs a cast.
shared [2] int *p;
shared [4] int *q;

int main(void)
{
    p = q; //~ error E0409
    return 0;
}
