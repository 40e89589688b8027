// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops whose index is a pointer-to-shared: each iteration is made once, in order, by the thread it belongs
// to, and the pointer ends where the plain loop leaves it.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, N = 240, ROW = 4 };

struct record {
    int key, value;
};

static shared [BLOCK] int blocked[N * THREADS], still[N * THREADS];
static shared int cyclic[N * THREADS];
static shared [ROW] int rows[N * THREADS][ROW];
static shared [BLOCK] struct record records[N * THREADS];
static int n;

/* Not known to the compiler. */
static __attribute__((noinline)) int owner_of(int element, int block)
{
    return element / block % THREADS;
}

static void expect_marks(const char *what, int lo, int hi, int by)
{
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int mark = i >= lo && i < hi && (i - lo) % by == 0 ? i + 1 : 0;
        expect(what, blocked[i], mark);
        expect(what, cyclic[i], mark);
        expect(what, rows[i][ROW - 1], mark);
        expect(what, records[i].value, mark);
    }
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS)
        blocked[i] = cyclic[i] = rows[i][ROW - 1] = records[i].value = 0;
    upc_barrier;
}

static __attribute__((noinline)) void by_ones(shared [BLOCK] int *a, shared int *c, int lo, int hi)
{
    shared [BLOCK] int *p;
    upc_forall (p = a + lo; p < a + hi; p++; p)
        *p += p - a + 1 + 1000 * (owner_of(p - a, BLOCK) - MYTHREAD);
    expect("pointer after the loop", p - a, hi);
    shared int *q;
    upc_forall (q = &c[lo]; q != &c[hi]; ++q; q)
        *q += q - c + 1 + 1000 * (owner_of(q - c, 1) - MYTHREAD);
    expect("cyclic pointer after the loop", q - c, hi);
    upc_forall (shared [ROW] int (*r)[ROW] = rows + lo; r <= &rows[hi - 1]; r = r + 1; *r)
        (*r)[ROW - 1] += r - rows + 1 + 1000 * (owner_of(r - rows, 1) - MYTHREAD);
    upc_forall (shared [BLOCK] struct record *s = records + lo; s < records + hi; s++; &s->key)
        s->value += s - records + 1 + 1000 * (owner_of(s - records, BLOCK) - MYTHREAD);
}

static void downwards(int lo, int hi)
{
    shared [BLOCK] int *p;
    upc_forall (p = blocked + hi - 1; p >= blocked + lo; p--; p)
        p[0] += p - blocked + 1 + 1000 * (owner_of(p - blocked, BLOCK) - MYTHREAD);
    expect("pointer that went down", p - blocked, lo - 1);
    shared int *q;
    upc_forall (q = cyclic + hi - 1; q > &cyclic[lo] - 1; q -= 1; q)
        *(q + 0) += q - cyclic + 1 + 1000 * (owner_of(q - cyclic, 1) - MYTHREAD);
    upc_forall (shared [ROW] int (*r)[ROW] = rows + hi - 1; r >= rows + lo; r--; r)
        r[0][ROW - 1] += r - rows + 1 + 1000 * (owner_of(r - rows, 1) - MYTHREAD);
    for (shared [BLOCK] struct record *s = records + hi - 1; s >= records + lo; s--)
        if (upc_threadof(s) == MYTHREAD)
            s->value += s - records + 1 + 1000 * (owner_of(s - records, BLOCK) - MYTHREAD);
}

static void by_twos(int lo, int hi)
{
    shared [BLOCK] int *p;
    upc_forall (p = blocked + lo; p < blocked + hi; p += 2; p)
        *p += p - blocked + 1 + 1000 * (owner_of(p - blocked, BLOCK) - MYTHREAD);
    expect("pointer by twos", p - blocked, lo + (hi - lo + 1) / 2 * 2);
    shared int *q;
    upc_forall (q = cyclic + lo; q < cyclic + hi; q += 2; q)
        *q += q - cyclic + 1 + 1000 * (owner_of(q - cyclic, 1) - MYTHREAD);
    upc_forall (shared [ROW] int (*r)[ROW] = rows + lo; r < rows + hi; r += 2; r)
        (*r)[ROW - 1] += r - rows + 1 + 1000 * (owner_of(r - rows, 1) - MYTHREAD);
    upc_forall (shared [BLOCK] struct record *s = records + lo; s < records + hi; s += 2; s)
        (*s).value += s - records + 1 + 1000 * (owner_of(s - records, BLOCK) - MYTHREAD);
}

/* Each thread makes its own round of iterations, or all of them. */
static void in_for(int lo, int hi)
{
    shared int *q;
    for (q = cyclic + lo + MYTHREAD; q < cyclic + hi; q += THREADS)
        *q = q - cyclic + 1;
    expect("end of a round", q - cyclic >= hi && q - cyclic < hi + THREADS, 1);
    for (shared [ROW] int (*r)[ROW] = &rows[lo + MYTHREAD]; r < rows + hi; r += THREADS)
        (*r)[ROW - 1] = r - rows + 1;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (shared [BLOCK] int *p = blocked + lo; p < blocked + hi; p++)
            *p = p - blocked + 1;
        for (shared [BLOCK] struct record *s = &records[lo]; s < &records[hi]; s++)
            s->value = s - records + 1;
    }
    upc_barrier;
    long sum = 0, others = 0, last = lo;
    for (shared [BLOCK] int *p = blocked + lo; p < blocked + hi; p++)
        sum += *p;
    for (q = cyclic + lo; q < cyclic + hi; q++) {
        others += *q;
        expect("order", q - cyclic, last++);
    }
    expect("sums", sum == others, 1);
    for (q = cyclic + hi - 1; q >= cyclic + lo; q--) {
        others -= *q;
        expect("order downwards", q - cyclic, --last);
    }
    expect("all of it", others, 0);
    for (q = cyclic + lo; q < cyclic + hi; q += 2)
        sum -= *q;
    for (q = cyclic + lo + 1; q < cyclic + hi; q = q + 2) {
        sum -= *q;
        expect("order by twos", q - cyclic, ++last + others++);
    }
    expect("both halves", sum, 0);
    int by = 3;
    for (q = cyclic + lo, last = 0; q < cyclic + hi; q += by)
        last++;
    expect("by threes", last, (hi - lo + 2) / 3);
}

/* Neighbours, other arrays beside, other uses of the pointer; and bounds that the loop changes. */
static void with_others(void)
{
    shared [BLOCK] int *p, *end = still + n - 1;
    upc_forall (p = still + 1; p < end; p++; p)
        blocked[p - still] = p[1] - p[-1] + cyclic[p - still] + records[p - still].value + p - still + 1;
    upc_barrier;
    for (int i = 0; i < n; i++)
        expect("beside others", blocked[i], i > 0 && i < n - 1 ? i + 1 : 0);
    upc_barrier;
    int turns = 0;
    end = blocked + 30;
    for (p = blocked; p < end; p++)
        end -= *p == 10, turns++;
    expect("a bound that changes", turns, 29);
    for (p = blocked, turns = 0; p < blocked + 30; p++)
        p += *p == 10, turns++;
    expect("a pointer that jumps", turns, 29);
    shared [BLOCK] int **where = &p;
    for (p = blocked, turns = 0; p < blocked + 30; p++)
        *where += *p == 10, turns++;
    expect("a pointer that is written elsewhere", turns, 29);
    for (p = end; p < blocked; p++)
        turns++;
    expect("no iteration", turns, 29);
    expect("pointer of no iteration", p - end, 0);
}

int main(void)
{
    n = N * THREADS;
    static const int los[] = {0, 1, BLOCK, BLOCK + 7};
    for (int s = 0; s < 4; s++) {
        int lo = los[s], hi = n - 3 * s;
        by_ones(blocked, cyclic, lo, hi);
        expect_marks("by ones", lo, hi, 1);
        by_ones(blocked, cyclic, lo, lo + 1);
        expect_marks("one iteration", lo, lo + 1, 1);
        downwards(lo, hi);
        expect_marks("downwards", lo, hi, 1);
        by_twos(lo, hi);
        expect_marks("by twos", lo, hi, 2);
        in_for(lo, hi);
        expect_marks("for", lo, hi, 1);
    }
    with_others();
    return MYTHREAD == 0 ? done() : wrong;
}
