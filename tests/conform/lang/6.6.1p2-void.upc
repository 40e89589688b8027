// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p2
//@ fail: E0501
// Neither is void.
static void f(void)
{
}

int main(void)
{
    upc_notify;
    upc_wait f(); //~ error E0501
    return 0;
}
