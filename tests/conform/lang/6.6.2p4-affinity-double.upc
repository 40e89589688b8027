// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p4
//@ fail: E0502
// The affinity is an integer or a pointer-to-shared: no floating type.
int main(void)
{
    upc_forall(int i = 0; i < 3; i++; 1.5 * i) //~ error E0502
        ;
    return 0;
}
