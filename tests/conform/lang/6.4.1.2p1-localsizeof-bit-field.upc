// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p1
//@ fail: E0402
// sizeof's constraints hold: no bit-field.
shared struct { unsigned b : 3; } s;

int main(void)
{
    return upc_localsizeof(s.b); //~ error E0402
}
