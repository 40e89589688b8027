// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2
/* UPC as written around the year 2000: K&R definitions, `shared` after the type, upc_local_alloc,
 * one-letter macros, gotos, register variables, side effects everywhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

#define N 10
#define SQ(x) ((x) * (x))
#define FORALL(i, n) upc_forall (i = 0; i < (n); i++; i)

int shared total[THREADS];
int shared [N] table[THREADS][N];
struct rec {
    char name[8];
    union {
        int i;
        float f;
    } u;
    unsigned lo : 3, hi : 13;
    short shared *link;
};
typedef struct rec shared *recp;
typedef shared struct rec srec, *srecp;
srec records[THREADS * 2];
short shared numbers[4 * THREADS], *shared where[THREADS];
static shared int flag = 3;
char *names[] = {"zero", "one", "two", "three", 0};
int counter = 5, *pcounter = &counter;
int (*chosen)();

static int
add(a, b)
register int a;
int b;
{
    static int calls;
    calls++;
    counter += calls > 0;
    return a + b;
}

static int *
pick(p, i)
    shared [N] int *p;
    int i;
{
    static int copy;
    copy = p[i]++;
    return &copy;
}

static void
die(line)
{
    printf("thread %d: line %d\n", MYTHREAD, line);
    upc_global_exit(1);
}
#define CHECK(e) ((e) ? (void)0 : die(__LINE__))

int main(argc, argv)
int argc;
char **argv;
{
    register int i, j;
    int s = 0, k;
    shared int *p;
    shared char *q;
    recp r;

    chosen = argc > 100 ? 0 : add;
    FORALL(i, THREADS)
        for (j = 0; j < N; table[i][j] = SQ(j) + i, j++)
            ;
    upc_barrier;
    i = 0;
again:
    s += (*chosen)(table[MYTHREAD][i], i % 2 ? -1 : 1);
    if (++i < N)
        goto again;
    CHECK(s == 285 + N * MYTHREAD);
    CHECK(*pcounter == 5 + N && pcounter == &counter);
    CHECK(*pick(&table[MYTHREAD][0], 2) == 4 + MYTHREAD);
    CHECK(table[MYTHREAD][2] == 5 + MYTHREAD);

    p = &total[0];
    p += MYTHREAD;
    *p = s;
    upc_barrier;
    for (p = total, s = 0, i = THREADS; i--;)
        s += *p++;
    CHECK(p - total == THREADS && p == total + THREADS);
    CHECK(s == THREADS * 285 + N * THREADS * (THREADS - 1) / 2);

    /* records */
    r = &records[MYTHREAD + THREADS];
    CHECK(upc_threadof(r) == (size_t)MYTHREAD);
    for (k = 0; (r->name[k] = names[MYTHREAD % 4][k]); k++)
        ;
    r->u.f = 1.5f;
    r->lo = MYTHREAD, r->hi = 8000 + MYTHREAD;
    r->link = where[MYTHREAD] = numbers + 2 * MYTHREAD;
    *r->link = (short)(r->hi - r->lo);
    upc_barrier;
    {
        int peer = (MYTHREAD + 1) % THREADS;
        srecp other = records + THREADS + peer;
        struct rec copy;
        copy = *other;
        CHECK(strcmp(copy.name, names[peer % 4]) == 0);
        CHECK(copy.u.f == 1.5f && other->hi == 8000u + peer && (*other).lo == peer % 8u);
        CHECK(*copy.link == 8000 + peer - peer % 8 && copy.link == where[peer]);
        other = other->u.f > 1 ? &records[peer] : NULL;
        CHECK(other && other != r && !other->link);
    }
    upc_barrier;

    /* memory from the old call: local, though shared */
    q = upc_local_alloc(N, sizeof(int));
    CHECK(upc_threadof(q) == (size_t)MYTHREAD);
    {
        int *l = (int *)q;
        for (i = 0; i < N; i++)
            l[i] = i ^ MYTHREAD;
        CHECK(((shared [] int *)q)[N - 1] == ((N - 1) ^ MYTHREAD));
    }
    upc_free(q);

    switch (flag) {
    case 3:
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            flag <<= 2;
        upc_barrier;
        CHECK(flag == 12);
        break;
    default:
        upc_barrier;
        die(__LINE__);
    }
    for (;;) {
        if (MYTHREAD == 0)
            printf("ok\n");
        exit(0);
    }
}
