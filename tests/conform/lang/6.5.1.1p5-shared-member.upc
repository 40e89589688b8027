// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p5
//@ fail: E0311
// A member of a structure is not shared by itself.
struct S {
    shared int x; //~ error E0311
};

int main(void)
{
    return 0;
}
