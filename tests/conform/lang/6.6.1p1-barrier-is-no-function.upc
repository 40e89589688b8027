// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p1
//@ fail: E0102
// upc_barrier is a statement, not an expression.
int main(void)
{
    int x = upc_barrier; //~ error E0102
    return x;
}
