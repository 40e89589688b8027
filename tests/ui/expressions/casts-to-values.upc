// SPDX-License-Identifier: BSD-3-Clause
// Casts to shared types that are no pointers.
typedef shared int counter;
shared double d;

int main(void)
{
    int x = (shared int)3; //~ error E0412
    x = (counter)x; //~ error E0412
    x = (shared [2] char)d; //~ error E0412
    return x;
}
