// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p3
//@ fail: E0305
// The block size is not negative.
shared [-1] int *p; //~ error E0305

int main(void)
{
    return 0;
}
