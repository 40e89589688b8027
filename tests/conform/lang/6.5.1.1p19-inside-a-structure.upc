// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p19
//@ fail: E0311
// Example 3: no member is shared; a pointer-to-shared may be a member.
struct foo {
    shared int x;  //~ error E0311
    shared int *y; // allowed
};

int main(void)
{
    return 0;
}
