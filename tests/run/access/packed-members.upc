// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 2:2x1
//@ flags: -O1 -Wall -Wextra -Werror
// Members of packed structures stand at odd addresses; their accesses draw no warning of the C compiler.
#include "../../check.h"

struct __attribute__((packed)) inner { char tag; short s; };
struct __attribute__((packed)) outer {
    char tag;
    int i;
    double d[3];
    struct inner in;
    double _Complex z;
    shared int *p;
    union { long l; char c; };
};
struct partly { char tag; int i __attribute__((packed)); long l; };

shared struct outer a[THREADS];
shared [] struct outer one;
shared struct partly b[THREADS];
shared int numbers[2 * THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    shared struct outer *p = &a[next];
    p->i = 100 + MYTHREAD;
    p->i++;
    p->i *= 2;
    a[next].d[2] = MYTHREAD + 0.5;
    a[next].d[1] = a[next].d[2];
    a[next].d[1] -= 0.25;
    p->in.s = (short)-MYTHREAD;
    p->z = MYTHREAD + 2.0i;
    __real__ p->z += 1;
    p->p = numbers + MYTHREAD;
    p->p += THREADS;
    p->l = 1L << 40;
    p->l |= MYTHREAD;
    b[next].i = p->i;
    b[next].l = -1;
    {
#pragma upc strict
        shared struct outer *strictly = &a[next];
        strictly->d[0] = strictly->i;
        strictly->d[0] /= 2;
        strictly->in.s--;
    }
    if (MYTHREAD == THREADS - 1) {
        one.i = 7;
        one.d[0] = 1.5;
    }
    upc_barrier;
    CHECK_EQ(a[MYTHREAD].i, 2 * (101 + before));
    CHECK(a[MYTHREAD].d[0] == 101 + before);
    CHECK(a[MYTHREAD].d[1] == before + 0.25);
    CHECK_EQ(a[MYTHREAD].in.s, -before - 1);
    CHECK(a[MYTHREAD].z == before + 1 + 2.0i);
    CHECK(a[MYTHREAD].p == &numbers[before + THREADS]);
    CHECK_EQ(a[MYTHREAD].l, (1L << 40) | before);
    CHECK_EQ(b[MYTHREAD].i, a[MYTHREAD].i);
    CHECK_EQ(b[MYTHREAD].l, -1);
    CHECK_EQ(one.i, 7);
    CHECK(one.d[0] == 1.5);
    return check_done();
}
