// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p8
//@ fail: E0309
// [] is a layout qualifier too.
shared [] void *p; //~ error E0309

int main(void)
{
    return 0;
}
