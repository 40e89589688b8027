// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p1
//@ fail: E0407
// A pointer-to-local cannot be cast to a pointer-to-shared.
int main(void)
{
    int i, *p = &i;
    shared int *q;
    q = (shared int *)p; //~ error E0407
    return q != 0;
}
