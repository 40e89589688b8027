// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p3
//@ fail: E0304
// The block size is a constant expression.
int n = 4;
shared [n] int *p; //~ error E0304

int main(void)
{
    return 0;
}
