// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// `while` and `do` loops that count, by an index or a pointer that moves at the end of the body or in an
// expression of it; and some whose body moves it otherwise.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 12, PAGES = 700, N = 1400 };

static shared [BLOCK] int blocked[N * THREADS], other[N * THREADS];
static shared [PAGES] int pages[N * THREADS];
static shared int cyclic[N * THREADS];
static shared [] int *shared of_last;
static int plain[N * 64], n;

#define APART __attribute__((noinline))

static long sum_of(int lo, int hi, int by)
{
    long sum = 0;
    for (int i = lo; i < hi; i += by)
        sum = sum * 3 + plain[i];
    return sum;
}

static long sum_down(int lo, int hi)
{
    long sum = 0;
    for (int i = hi - 1; i >= lo; i--)
        sum = sum * 3 + plain[i];
    return sum;
}

static APART void by_statement(int lo, int hi)
{
    long sum = 0, i = lo;
    while (i < hi) {
        sum = sum * 3 + blocked[i];
        i++;
    }
    expect("up", sum == sum_of(lo, hi, 1) && i == hi, 1);
    int k = lo;
    sum = 0;
    while (hi > k) {
        int value = pages[k];
        sum = sum * 3 + value;
        k += 2;
    }
    expect("by twos", sum == sum_of(lo, hi, 2) && k == lo + (hi - lo + 1) / 2 * 2, 1);
    k = hi - 1;
    sum = 0;
    while (k >= lo) {
        sum = sum * 3 + pages[k];
        --k;
    }
    expect("down", sum == sum_down(lo, hi) && k == lo - 1, 1);
    k = lo;
    sum = 0;
    do {
        sum = sum * 3 + cyclic[k] + blocked[k] - other[k];
        k = k + 1;
    } while (k < hi);
    expect("do", sum == sum_of(lo, hi, 1) && k == hi, 1);
    k = hi;
    sum = 0;
    do {
        sum += pages[k - 1];
        k++;
    } while (k < hi);
    expect("do once", sum == plain[hi - 1] && k == hi + 1, 1);
}

static APART void by_operand(int lo, int hi)
{
    long sum = 0;
    int i = lo;
    while (i < hi)
        sum = sum * 3 + blocked[i++];
    expect("operand", sum == sum_of(lo, hi, 1) && i == hi, 1);
    i = lo;
    sum = 0;
    while (i < hi) {
        int value = pages[i++], twice = 2 * value;
        sum = sum * 3 + twice - value;
    }
    expect("operand of a declaration", sum == sum_of(lo, hi, 1) && i == hi, 1);
    shared [BLOCK] int *along = blocked + lo;
    i = lo;
    sum = 0;
    while (i < hi)
        sum = sum * 3 + *along++ - 2 * plain[i++];
    expect("operand of a private array", sum == -sum_of(lo, hi, 1) && along - blocked == i, 1);
    shared [] int *p = of_last;
    i = 0;
    sum = 0;
    while (i < N)
        sum += p[i++];
    expect("another thread's", sum, N * (N - 1L) / 2);
    /* The subscript is what it was before, the summand is not. */
    i = lo;
    sum = 0;
    while (i < hi) {
        int value = blocked[i++];
        sum = sum * 3 + value - i + plain[i - 1] + 1 - (value - i + 1);
    }
    expect("named again", sum == sum_of(lo, hi, 1) && i == hi, 1);
}

static APART void by_pointers(int lo, int hi)
{
    long sum = 0;
    shared [BLOCK] int *p = blocked + lo, *end = blocked + hi;
    while (p < end)
        sum = sum * 3 + *p++;
    expect("pointer", sum == sum_of(lo, hi, 1) && p == end, 1);
    shared int *c = &cyclic[lo];
    sum = 0;
    while (c != &cyclic[hi]) {
        sum = sum * 3 + *c;
        ++c;
    }
    expect("pointer as a statement", sum == sum_of(lo, hi, 1) && c == cyclic + hi, 1);
    shared [PAGES] int *q = pages + hi;
    int i = hi;
    sum = 0;
    while (i > lo) {
        q--, i--;
        sum = sum * 3 + *q;
    }
    expect("first thing of all", sum == sum_down(lo, hi) && q == pages + lo, 1);
    q = pages + hi - 1;
    sum = 0;
    while (q >= pages + lo + 1) {
        sum = sum * 3 + *q;
        q--;
    }
    expect("pointer downwards", sum == sum_down(lo + 1, hi) && q == pages + lo, 1);
    p = blocked + lo;
    sum = 0;
    for (; p < end; p++)
        sum = sum * 3 + *p;
    expect("without a first clause", sum == sum_of(lo, hi, 1) && p == end, 1);
    upc_barrier;
    if (MYTHREAD == THREADS / 2) {
        shared [BLOCK] int *from = blocked + lo, *to = other + lo;
        i = lo;
        while (i < hi) {
            *to++ = *from++ + 1000000;
            i++;
        }
        expect("copied", from - blocked + to - other + i, 3 * hi);
        do
            *--to -= 1000000, i--;
        while (i > lo);
        expect("and back", to - other, lo);
    }
    upc_barrier;
    for (i = 0; i < n; i++)
        expect("an element", other[i], i);
}

static APART void by_threads(int lo, int hi)
{
    int i = lo + MYTHREAD;
    upc_barrier;
    while (i < hi) {
        cyclic[i] += 5;
        i += THREADS;
    }
    shared int *p = cyclic + lo + MYTHREAD;
    while (p < cyclic + hi) {
        *p -= 5;
        p += THREADS;
    }
    upc_barrier;
    long sum = 0;
    for (i = lo; i < hi; i++)
        sum = sum * 3 + cyclic[i];
    expect("by threads", sum == sum_of(lo, hi, 1), 1);
}

static APART int where(int wanted, int lo)
{
    int i = lo;
    while (i < n) {
        if (blocked[i] == wanted)
            return i;
        i++;
    }
    return -1;
}

/* Lengths of arrays name the index behind its move, and move it. */
static APART void with_lengths(int lo, int hi)
{
    long sum = 0, lengths = 0, again = 0;
    int i = lo;
    while (i < hi) {
        sum = sum * 3 + blocked[i++];
        char of_a_variable[i], (*of_a_target)[i + 1];
        lengths += sizeof of_a_variable + sizeof *of_a_target + sizeof(char[i]);
    }
    for (int k = lo + 1; k <= hi; k++)
        again += 3 * k + 1;
    expect("lengths", sum == sum_of(lo, hi, 1) && lengths == again && i == hi, 1);
    i = lo;
    sum = again = 0;
    while (i < hi) {
        sum = sum * 3 + blocked[i];
        char two[2 + (i++ & 0)];
        again += sizeof two;
        i++;
    }
    expect("moved by a length", sum == sum_of(lo, hi, 2) && again == i - lo, 1);
    shared [BLOCK] int *p = blocked + lo;
    sum = lengths = again = 0;
    for (i = lo; i < hi; i++) {
        sum = sum * 3 + *p++;
        lengths += sizeof(char[p - blocked]);
        again += i + 1;
    }
    expect("a pointer's lengths", sum == sum_of(lo, hi, 1) && lengths == again, 1);
}

/* A pragma wants its loop behind it, whatever stands before that. */
static APART void by_pragmas(int lo, int hi)
{
    long sum = 0;
    int i = lo;
#pragma GCC unroll 4
    while (i < hi) {
        sum = sum * 3 + blocked[i];
        i++;
    }
    expect("unrolled", sum == sum_of(lo, hi, 1) && i == hi, 1);
    i = lo;
    sum = 0;
    if (lo < hi)
#pragma GCC ivdep
        do {
            sum = sum * 3 + pages[i++];
        } while (i < hi);
    expect("without dependences", sum == sum_of(lo, hi, 1) && i == hi, 1);
}

/* What these move is not moved once, or not for the last time. */
static APART void otherwise(int lo, int hi)
{
    long sum = 0, i = lo;
    while (i < hi) {
        if (blocked[i] % 3 == 0) {
            i += 2;
            continue;
        }
        sum += blocked[i];
        i++;
    }
    long expected = 0;
    for (i = lo; i < hi; i += plain[i] % 3 == 0 ? 2 : 1)
        expected += plain[i] % 3 ? plain[i] : 0;
    expect("continue", sum == expected, 1);
    i = lo;
    sum = 0;
    while (i < hi) {
        sum += blocked[i];
        i++;
        sum -= other[i - 1] - i;
    }
    expect("named after its move", sum == ((long)hi * (hi + 1) - (long)lo * (lo + 1)) / 2, 1);
    i = lo;
    sum = 0;
    while (i < hi) {
        sum += blocked[i++];
        if (sum % 2 && i < hi)
            sum += blocked[i++];
    }
    long again = 0;
    for (i = lo; i < hi;) {
        again += plain[i++];
        if (again % 2 && i < hi)
            again += plain[i++];
    }
    expect("twice", sum == again && i == hi, 1);
    int tries = 0;
    i = lo;
    sum = 0;
    while (i < hi) {
        tries++;
        if (tries % 2)
            continue;
        sum = sum * 3 + blocked[i];
        i++;
    }
    expect("tried again", sum == sum_of(lo, hi, 1) && tries == 2 * (hi - lo), 1);
    i = lo;
    sum = again = 0;
    while (i < hi) {
        sum += blocked[i];
        if (i % 7 == 3)
            i++;
        i++;
    }
    for (int at = lo; at < hi; at += at % 7 == 3 ? 2 : 1)
        again += plain[at];
    expect("leaps", sum, again);
    i = lo;
    int end = hi;
    sum = 0;
    while (i < end) {
        sum += blocked[i];
        end -= i % 5 == 4;
        i++;
    }
    again = 0;
    long k = lo;
    for (long bound = hi; k < bound; bound -= k++ % 5 == 4)
        again += plain[k];
    expect("a bound that moves", sum == again && i == k, 1);
}

/* The outer switch leads into the loop, which has a whole one as well. */
static APART long into_the_middle(int lo, int hi)
{
    long sum = 0;
    int i = lo;
    switch (lo & 1) {
    case 0:
        do {
            sum += blocked[i];
            switch (i & 3) {
            case 1:
                sum += 3;
            }
        case 1:
            sum = sum * 3 + blocked[i];
            i++;
        } while (i < hi);
    }
    return sum;
}

static long into_the_middle_of_c(int lo, int hi)
{
    long sum = 0;
    for (int i = lo; i == lo || i < hi; i++) {
        if (i > lo || lo % 2 == 0)
            sum += plain[i] + (i % 4 == 1 ? 3 : 0);
        sum = sum * 3 + plain[i];
    }
    return sum;
}

int main(void)
{
    n = N * THREADS;
    for (int i = 0; i < n; i++)
        plain[i] = i;
    upc_forall (int i = 0; i < n; i++; &blocked[i])
        blocked[i] = other[i] = i;
    for (int i = MYTHREAD; i < n; i += THREADS)
        cyclic[i] = pages[i] = i;
    if (MYTHREAD == THREADS - 1) {
        of_last = upc_alloc(N * sizeof(int));
        for (int i = 0; i < N; i++)
            of_last[i] = i;
    }
    upc_barrier;
    static const int los[] = {0, 1, BLOCK, PAGES - 3};
    for (int s = 0; s < 4; s++) {
        by_statement(los[s], n - 3 * s);
        by_operand(los[s], n - 3 * s);
        by_pointers(los[s], n - 3 * s);
        by_threads(los[s], n - 3 * s);
        by_pragmas(los[s], n - 3 * s);
        with_lengths(los[s], n - 3 * s);
        otherwise(los[s], n - 3 * s);
        by_statement(los[s], los[s] + 1);
        by_operand(los[s], los[s] + 3);
        by_pointers(los[s], los[s] + 1);
        expect("into the middle", into_the_middle(los[s], los[s] + 30) ==
               into_the_middle_of_c(los[s], los[s] + 30), 1);
        expect("found", where(los[s] + 100, los[s]), los[s] + 100);
    }
    return MYTHREAD == 0 ? done() : wrong;
}
