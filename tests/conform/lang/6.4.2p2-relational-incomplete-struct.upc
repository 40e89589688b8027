// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p2
//@ fail: E0405
// Pointers to an incomplete shared structure have no order.
struct node;
shared struct node *p, *q;

int main(void)
{
    return p >= q; //~ error E0405
}
