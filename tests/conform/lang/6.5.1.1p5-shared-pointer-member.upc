// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p5
//@ fail: E0311
// Neither is a pointer member; only what it points to.
struct S2 {
    char *shared p2; //~ error E0311
};

int main(void)
{
    return 0;
}
