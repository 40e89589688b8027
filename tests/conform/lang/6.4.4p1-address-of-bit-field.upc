// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.4p1
//@ fail: E0410
// A shared bit-field has no address.
shared struct { int a : 4; int b : 5; } s;

int main(void)
{
    return &s.b != 0; //~ error E0410
}
