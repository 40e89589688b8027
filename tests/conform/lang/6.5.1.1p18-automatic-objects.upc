// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p18
//@ fail: E0310 E0310
// Example 2: no automatic object is shared; a pointer-to-shared may be automatic.
static void foo(void)
{
    shared int x;  //~ error E0310
    shared int *y; // allowed
    int *shared z; //~ error E0310
    (void)x, (void)y, (void)z;
}

int main(void)
{
    foo();
    return 0;
}
