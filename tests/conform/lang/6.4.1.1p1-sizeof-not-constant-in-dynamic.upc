// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.1p1
//@ fail: E0304
// In the dynamic environment sizeof of a definitely blocked array is no integer constant.
shared int a[4 * THREADS];
shared [sizeof(a)] char *p; //~ error E0304

int main(void)
{
    return 0;
}
