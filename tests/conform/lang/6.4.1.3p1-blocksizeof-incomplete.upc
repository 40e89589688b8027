// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.3p1
//@ fail: E0402
// sizeof's constraints hold: no incomplete type.
int main(void)
{
    return upc_blocksizeof(shared void); //~ error E0402
}
