// SPDX-License-Identifier: BSD-3-Clause
// Size operators on what is not shared, and on what has no size.
struct unknown;
int x, *p;
shared int *q;
shared struct { int bits : 3; } s;
shared void *v;
int f(void);

int main(void)
{
    int n = upc_blocksizeof(x); //~ error E0401
    n += upc_localsizeof(int[3]); //~ error E0401
    n += upc_elemsizeof(q); //~ error E0401
    n += upc_elemsizeof(*p); //~ error E0401
    n += upc_blocksizeof(x + 1); //~ error E0401
    n += upc_elemsizeof(*v); //~ error E0402
    n += upc_localsizeof(shared struct unknown); //~ error E0402
    n += upc_blocksizeof(s.bits); //~ error E0402
    n += upc_blocksizeof(undeclared); //~ error E0401
    n += sizeof(shared void); //~ error E0402
    return n + upc_blocksizeof(f); //~ error E0402
}
