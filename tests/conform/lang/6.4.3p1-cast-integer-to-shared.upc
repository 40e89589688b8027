// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p1
//@ fail: E0407
// An integer that is no null pointer constant cannot be cast to a pointer-to-shared.
int main(void)
{
    shared int *q = (shared int *)4096; //~ error E0407
    return q != 0;
}
