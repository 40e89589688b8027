// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p9
//@ fail: E0406
// Pointers of different block size have no order.
shared [] int *p;
shared int *q;

int main(void)
{
    return p <= q; //~ error E0406
}
