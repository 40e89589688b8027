// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p4
//@ fail: E0502
// ... no pointer-to-local.
int main(void)
{
    int a[3];
    upc_forall(int i = 0; i < 3; i++; &a[i]) //~ error E0502
        a[i] = i;
    return 0;
}
