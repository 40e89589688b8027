// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p4
//@ fail: E0502
// ... no structure.
shared struct { int x; } s;

int main(void)
{
    upc_forall(int i = 0; i < 3; i++; s) //~ error E0502
        ;
    return 0;
}
