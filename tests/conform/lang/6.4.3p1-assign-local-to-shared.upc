// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p1
//@ fail: E0407
// Neither can a pointer-to-local be assigned.
int main(void)
{
    int i;
    shared [] int *q;
    q = &i; //~ error E0407
    return q != 0;
}
