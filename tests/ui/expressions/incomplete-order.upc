// SPDX-License-Identifier: BSD-3-Clause
// Order and difference of incomplete pointers-to-shared.
struct unknown;
shared void *a, *b;
shared struct unknown *u;
shared int *c;

int main(void)
{
    a < b; //~ error E0405
    a >= c; //~ error E0405
    a - b; //~ error E0405
    u <= u; //~ error E0405
    u - u; //~ error E0405
    return a == b;
}
