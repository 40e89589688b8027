// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p8
//@ fail: E0313
// A function's result is a value, not a shared object.
shared int f(void) //~ error E0313
{
    return 0;
}

int main(void)
{
    return f();
}
