// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p2
//@ fail: E0501
// A structure is not assignable to int.
struct { int i; } s;

int main(void)
{
    upc_barrier s; //~ error E0501
    return 0;
}
