// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p1
//@ fail: E0401
// A private pointer-to-shared is not itself of shared type.
shared int *p;

int main(void)
{
    return upc_localsizeof(p); //~ error E0401
}
