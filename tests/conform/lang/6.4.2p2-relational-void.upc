// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p2
//@ fail: E0405
// shared void is incomplete, so such pointers have no order.
shared void *p, *q;

int main(void)
{
    return p < q; //~ error E0405
}
