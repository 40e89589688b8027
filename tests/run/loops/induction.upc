// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Pointers-to-shared that keep step with a loop's index, in its head or in its body, and some that do not;
// and private pointers to the element of an iteration.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, SMALL = 3, N = 240, ROW = 4 };

struct record {
    int key, value;
};

static shared [BLOCK] int blocked[N * THREADS], other[N * THREADS];
static shared [SMALL] int small[N * THREADS];
static shared int cyclic[N * THREADS], next[N * THREADS];
static shared [ROW] int rows[N * THREADS][ROW];
static shared [BLOCK] struct record records[N * THREADS];
static shared int shared_lo;
static int n;

/* Not known to the compiler. */
static __attribute__((noinline)) int owner_of(int element, int block)
{
    return element / block % THREADS;
}

static void clear(void)
{
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS)
        blocked[i] = small[i] = cyclic[i] = records[i].value = rows[i][0] = 0;
    upc_barrier;
}

static void expect_made(const char *what, int lo, int hi)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int mark = i >= lo && i < hi ? i + 1 : 0;
        expect(what, blocked[i], mark);
        expect(what, small[i], mark);
        expect(what, cyclic[i], mark);
        expect(what, rows[i][0], mark);
        expect(what, records[i].value, mark);
    }
    clear();
}

/* The pointers start `lo` elements ahead, the index at `from`. */
static void in_heads(int lo, int hi, int from)
{
    shared [BLOCK] int *p = blocked + lo;
    shared [SMALL] int *s = &small[lo];
    shared int *c;
    int i;
    upc_forall (i = from; i < from + hi - lo; i++, p++; p)
        *p += p - blocked + 1 + 1000 * (owner_of(lo + i - from, BLOCK) - MYTHREAD);
    expect("pointer after the loop", p - blocked, hi);
    expect("index after the loop", i, from + hi - lo);
    upc_forall (i = from, c = cyclic + lo; i < from + hi - lo; i++, ++c, s = s + 1; c)
        *c += i - from + lo + 1 + 1000 * (owner_of(lo + i - from, 1) - MYTHREAD);
    expect("cyclic pointer after the loop", c - cyclic, hi);
    expect("another pointer after the loop", s - small, hi);
    upc_forall (s = &small[lo], i = from; i < from + hi - lo; s++, i++; s)
        *s += i - from + lo + 1 + 1000 * (owner_of(lo + i - from, SMALL) - MYTHREAD);
    shared [BLOCK] struct record *t;
    shared [ROW] int (*r)[ROW] = &rows[lo];
    upc_forall (t = records + lo, p = blocked + lo; p < blocked + hi; p++, t++; &t->value)
        t->value += *p + 1000 * (owner_of(p - blocked, BLOCK) - MYTHREAD);
    for (i = 0; i < hi - lo; i++, r++)
        if (upc_threadof(r) == MYTHREAD)
            (*r)[0] += lo + i + 1 + 1000 * (owner_of(lo + i, 1) - MYTHREAD);
}

/* Where they start is read in shared memory. */
static void from_shared(int lo, int hi)
{
    upc_barrier;
    if (MYTHREAD == 0)
        shared_lo = lo;
    upc_barrier;
    shared [BLOCK] int *p;
    shared int *c;
    int i;
    upc_forall (p = blocked + shared_lo; p < blocked + hi; p++; p)
        *p += p - blocked + 1;
    upc_forall (i = shared_lo, c = cyclic + shared_lo; i < hi; i++, c++; c)
        *c += i + 1;
    expect("pointer after the loop", c - cyclic, hi);
    shared [SMALL] int *s = small + lo;
    upc_forall (i = shared_lo; i < hi; i++, s++; s)
        *s += i + 1 + 1000 * (owner_of(i, SMALL) - MYTHREAD);
    upc_forall (i = shared_lo; i < hi; i++; &rows[i])
        rows[i][0] = records[i].value = i + 1;
}

static void by_threads(int lo, int hi)
{
    shared int *c = cyclic + lo + MYTHREAD, *d = next + lo + MYTHREAD;
    int i;
    for (i = lo + MYTHREAD; i < hi; i += THREADS, c += THREADS, d += THREADS)
        *c = *d + 1;
    expect("pointer by THREADS", c - cyclic, i);
    d = &next[lo + MYTHREAD];
    c = &cyclic[lo + MYTHREAD];
    int n_own = (hi - lo + THREADS - 1 - MYTHREAD) / THREADS;
    for (i = 0; i < n_own; i++) {
        *c = *d + *c - *d;
        d += THREADS;
        c += THREADS;
    }
    expect("pointer by THREADS in the body", c - cyclic, lo + MYTHREAD + n_own * THREADS);
    shared [ROW] int (*r)[ROW] = rows + lo + MYTHREAD;
    for (i = 0; i < n_own; i++, r += THREADS)
        (*r)[0] = lo + i * THREADS + MYTHREAD + 1;
    upc_barrier;
    if (MYTHREAD == 0) {
        shared [BLOCK] int *p = blocked + lo, *q = other + lo;
        for (i = lo; i < hi; i++)
            *p++ = *q++ + 1;
        expect("pointers in the body", (p - blocked) + (q - other), 2 * hi);
        shared [SMALL] int *s = small + lo;
        shared [BLOCK] struct record *t = records + lo;
        for (i = 10; i < 10 + hi - lo; i++) {
            int value = *s++ + lo + i - 10 + 1;
            t->value = value;
            s[-1] = value;
            t++;
        }
        expect("their ends", (s - small) + (t - records), 2 * hi);
    }
}

static __attribute__((noinline)) long sum_cyclic(shared const int *p, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += *p++;
    return sum;
}

static __attribute__((noinline)) long sum_small(shared [SMALL] const int *p, int from, int n)
{
    long sum = 0;
    for (int i = from; i < from + n; i++)
        sum = 2 * sum % 1000003 + *p++;
    return sum;
}

/* What moves elsewhere, or not in each iteration, or is looked at afterwards. */
static void out_of_step(void)
{
    shared [BLOCK] const int *p = other, *q = other, *r = other, *s = other, *t = other;
    long sum = 0;
    for (int i = 0; i < 60; i++) {
        if (i % 2)
            sum += *p++;
        sum += i % 3 ? *q++ : 0;
        sum += *r++ + *r++;
        s++;
        sum += *s;
    }
    expect("not in each iteration", sum, 29 * 30 / 2 + 39 * 40 / 2 + 119 * 120 / 2 + 60 * 61 / 2);
    expect("how far", (p - other) + (q - other) + (r - other) + (s - other), 30 + 40 + 120 + 60);
    for (int i = 0; i < 60; i++) {
        if (i == 40)
            continue;
        sum += *t++;
    }
    expect("not by those that go on", t - other, 59);
    shared int *c = next;
    for (int i = 0; i < 60; i++, c++) {
        if (*c == 20)
            break;
    }
    expect("where it ended", c - next, 20);
    int turns = 0;
    for (int i = 0; i < 60; i++, c++)
        turns += *c == 25 ? (c += 10, 1) : 1;
    expect("moved twice", c - next, 20 + 60 + 10);
    c = next;
    for (int i = 0; c < next + 40 && i < 60; i++, c++)
        turns++;
    expect("another condition", c - next, 40);
}

static void private_ones(void)
{
    int i;
    upc_forall (i = 0; i < n; i++; &records[i]) {
        struct record *r = (struct record *)&records[i];
        r->value = i + 1 + 1000 * (owner_of(i, BLOCK) - MYTHREAD);
    }
    upc_forall (i = 0; i < n; i++; blocked + i) {
        int *p = (int *)(blocked + i);
        *p = i + 1 + 1000 * (owner_of(i, BLOCK) - MYTHREAD);
        shared [BLOCK] int *s = &blocked[i];
        expect("phase", upc_phaseof(s), i % BLOCK);
        expect("address", upc_addrfield(s) == upc_addrfield(blocked + i) && (int *)s == p, 1);
    }
    upc_forall (i = 0; i < n; i++; &cyclic[i]) {
        shared int *s = &cyclic[i];
        int *row = (int *)rows[i];
        *s = i + 1 + 1000 * (owner_of(i, 1) - MYTHREAD);
        row[0] = *s;
    }
    upc_forall (i = 0; i < n; i++; &small[i])
        *(int *)&small[i] = i + 1 + 1000 * (owner_of(i, SMALL) - MYTHREAD);
}

int main(void)
{
    n = N * THREADS;
    for (int i = MYTHREAD; i < n; i += THREADS)
        other[i] = next[i] = i;
    clear();
    static const int los[] = {0, 1, BLOCK, BLOCK + 7};
    for (int s = 0; s < 4; s++) {
        int lo = los[s], hi = n - 3 * s;
        in_heads(lo, hi, 0);
        expect_made("in the head", lo, hi);
        in_heads(lo, hi, 5);
        expect_made("with an index that begins elsewhere", lo, hi);
        in_heads(lo, hi, -5);
        expect_made("with a negative index", lo, hi);
        from_shared(lo, hi);
        expect_made("from shared memory", lo, hi);
        by_threads(lo, hi);
        expect_made("by THREADS", lo, hi);
        long sum = (long)(hi - lo) * (lo + hi - 1) / 2, mixed = 0;
        expect("sum", sum_cyclic(&next[lo], hi - lo) == sum, 1);
        if (MYTHREAD == THREADS - 1)
            for (int i = 0; i < n; i++)
                small[i] = i;
        upc_barrier;
        for (int i = lo; i < hi; i++)
            mixed = 2 * mixed % 1000003 + i;
        expect("sum of small blocks", sum_small(&small[lo], s, hi - lo) == mixed, 1);
        clear();
    }
    out_of_step();
    private_ones();
    expect_made("private", 0, n);
    return MYTHREAD == 0 ? done() : wrong;
}
