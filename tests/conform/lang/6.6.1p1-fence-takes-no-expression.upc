// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p1
//@ fail: E0102
// upc_fence has no expression.
int main(void)
{
    upc_fence 1; //~ error E0102
    return 0;
}
