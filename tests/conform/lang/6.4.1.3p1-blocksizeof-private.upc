// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.3p1
//@ fail: E0401
// upc_blocksizeof applies to shared types only.
int main(void)
{
    return upc_blocksizeof(int); //~ error E0401
}
