// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p8
//@ fail: E0312
// A parameter is automatic.
static int f(shared int x) //~ error E0312
{
    return x;
}

int main(void)
{
    return f(0);
}
