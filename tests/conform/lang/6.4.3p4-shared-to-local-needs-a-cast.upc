// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p4
//@ fail: E0408
// A pointer-to-shared does not become a pointer-to-local by itself.
shared int x;

int main(void)
{
    int *p = &x; //~ error E0408
    return *p;
}
