// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// Also in a cast.
shared void *q;

int main(void)
{
    shared void *p = (shared int(*)[THREADS][THREADS])q; //~ error E0315
    return p != 0;
}
