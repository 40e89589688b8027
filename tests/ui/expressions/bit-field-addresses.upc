// SPDX-License-Identifier: BSD-3-Clause
// Addresses of shared bit-fields.
struct bits { unsigned a : 3, b : 5; int whole; };
shared struct bits s, list[THREADS];
shared struct bits *p;

int main(void)
{
    &s.a; //~ error E0410
    &list[MYTHREAD].b; //~ error E0410
    &p->a; //~ error E0410
    return &s.whole != 0;
}
