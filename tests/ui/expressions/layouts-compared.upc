// SPDX-License-Identifier: BSD-3-Clause
// Comparison and difference of pointers with different block sizes.
shared [2] int *a;
shared [3] int *b;
shared int *c;
shared [] int *d;
shared [2] char *e;

int main(void)
{
    a == b; //~ error E0406
    a - b; //~ error E0406
    c < d; //~ error E0406
    d != c; //~ error E0406
    a - e; //~ error E0406
    return a == (shared void *)b;
}
