// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p8
//@ fail: E0406
// Pointers of different block size have no difference: they are not compatible.
shared [2] int *p;
shared [3] int *q;

int main(void)
{
    return q - p; //~ error E0406
}
