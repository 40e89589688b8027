// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p1
//@ fail: E0402
// sizeof's constraints hold: no function.
static int f(void)
{
    return 0;
}

int main(void)
{
    return f() + (int)upc_localsizeof(f); //~ error E0402
}
