// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p1
//@ fail: E0402
// sizeof's constraints hold: no incomplete type.
struct unknown;

int main(void)
{
    return upc_localsizeof(shared struct unknown); //~ error E0402
}
