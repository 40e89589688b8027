// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p13
//@ fail: E0409
// Pointers to pointers of different layout are incompatible too.
shared [2] int *shared *p;
shared [3] int *shared *q;

int main(void)
{
    p = q; //~ error E0409
    return 0;
}
