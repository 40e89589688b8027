// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p2
//@ fail: E0501
// Neither is a pointer-to-shared.
shared int x;

int main(void)
{
    upc_notify &x; //~ error E0501
    upc_wait;
    return 0;
}
