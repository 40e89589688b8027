// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p1
//@ fail: E0404
// No binary operator takes a pointer-to-shared and a pointer-to-local.
shared [] int *p;
int *q;

int main(void)
{
    return p - q; //~ error E0404
}
