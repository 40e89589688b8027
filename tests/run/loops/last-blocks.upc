// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3 -Wall -Wshift-negative-value -Werror
// Loops whose subscripts wander: searches, sorts, queues and heaps, within blocks and across them.
#include <upc_relaxed.h>
#include <setjmp.h>
#include <stdlib.h>
#include "../hosts/expect.h"

enum { OWN = 240, WIDE = 8, ROWS = OWN / WIDE };

static shared [OWN] int line[OWN * THREADS];
static shared [20] int pieces[OWN * THREADS];
static shared [20 * WIDE] int rows[ROWS * THREADS][WIDE];
static shared [20] int *pointer;
static int all;

static int value(int i)
{
    return i * 37 % 101;
}

static void fill(void)
{
    upc_barrier;
    for (int i = MYTHREAD; i < all; i += THREADS)
        line[i] = pieces[i] = pointer[i] = rows[i / WIDE][i % WIDE] = value(i);
    upc_barrier;
}

static void searches(int key, int lo, int hi)
{
    int expected = lo, i = lo, n;
    while (expected < hi && value(expected) != key)
        expected++;
    while (i < hi && pieces[i] != key)
        i++;
    expect("while", i, expected);
    for (i = lo; i < hi && line[i] != key; i++)
        ;
    expect("for", i, expected);
    for (i = lo; i < hi; i++)
        if (pointer[i] == key)
            break;
    expect("break", i, expected);
    for (n = i = 0; i < hi - lo; i++)
        n += (pointer + lo)[i] == key;
    for (i = lo; i < hi; i++)
        n -= value(i) == key;
    expect("from a pointer", n, 0);
    // Backwards from a pointer into the middle of a block, which moves on.
    shared [20] int *at = pointer + hi;
    for (i = 1, n = 0; i <= hi - lo; i++) {
        n += at[-i] - value(hi - i);
        if (i % 50 == 0 && hi - 2 * i > lo)
            at -= 3, n += at[-i] - value(hi - 3 - i), at += 3;
    }
    expect("backwards", n, 0);
    for (i = lo, n = 0; i < hi - 1; i++)
        n += rows[i / WIDE][i % WIDE] != value(i)
            || rows[(i + 1) / WIDE][(i + 1) % WIDE] != value(i + 1);
    expect("rows", n, 0);
}

static void halves(void)
{
    // Two places of one array in turns, and two arrays by one index.
    int wrong_ones = 0, lo = 0, hi = all - 1;
    while (lo < hi) {
        wrong_ones += pieces[lo] != value(lo) || pieces[hi] != value(hi);
        wrong_ones += pointer[lo] != line[lo] || pointer[hi] != line[hi];
        lo++, hi--;
    }
    for (int i = 0; i < all / 2; i++)
        if (pieces[i] + pieces[i + all / 2] != value(i) + value(i + all / 2))
            wrong_ones++;
    expect("halves", wrong_ones, 0);
}

static void other_forms(shared [20] int *q, int n)
{
    // Rows and elements of one array; pointers of one name and value to other blocks.
    int i = 0, k = 0, rows_wrong = 0, wrong_ones = 0;
    while (i < n / WIDE - 1) {
        rows_wrong += rows[i + 1][k] != value((i + 1) * WIDE + k);
        rows_wrong += *(rows[i] + k) != value(i * WIDE + k);
        k += 1;
        if (k > WIDE - 1)
            i++, k -= WIDE;
    }
    expect("rows and elements", rows_wrong, 0);
    int *by_forties = malloc(sizeof(int) * n);
    for (i = 0; i < n; i++)
        by_forties[i] = ((shared [40] int *)q)[i];
    for (i = 0; i < n; i += 1 + (i & 1)) {
        if (i % 3) {
            shared [20] int *p = q;
            wrong_ones += p[i] != value(i);
        } else {
            shared [40] int *p = (shared [40] int *)q;
            wrong_ones += p[i] != by_forties[i];
        }
    }
    free(by_forties);
    expect("pointers of one name", wrong_ones, 0);
    // A difference of pointers is no difference of integers.
    int own[8] = {0}, *p = own, *from = own;
    for (i = 0; i < 20; i++) {
        wrong_ones += pieces[(p - from) * 20 + i] != value((i > 10) * 20 + i);
        if (i == 10)
            p++;
    }
    expect("differences", wrong_ones + own[0], 0);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void sort(int lo, int n)
{
    int *expected = malloc(sizeof(int) * n), differences = 0;
    for (int i = 0; i < n; i++)
        expected[i] = value(lo + i);
    qsort(expected, n, sizeof *expected, compare);
    for (int i = lo + 1; i < lo + n; i++) {
        int v = pieces[i], j = i - 1;
        while (j >= lo && pieces[j] > v) {
            pieces[j + 1] = pieces[j];
            j--;
        }
        pieces[j + 1] = v;
    }
    for (int end = n - 1; end > 0; end--) {
        for (int from = end == n - 1 ? n / 2 : 0; from >= 0; from--) {
            int i = from;
            for (;;) {
                int child = 2 * i + 1;
                if (child > end)
                    break;
                if (child < end && pointer[lo + child + 1] > pointer[lo + child])
                    child++;
                if (pointer[lo + i] >= pointer[lo + child])
                    break;
                int t = pointer[lo + i];
                pointer[lo + i] = pointer[lo + child];
                pointer[lo + child] = t;
                i = child;
            }
        }
        int t = pointer[lo];
        pointer[lo] = pointer[lo + end];
        pointer[lo + end] = t;
    }
    for (int i = 0; i < n; i++)
        differences += pieces[lo + i] != expected[i] || pointer[lo + i] != expected[i];
    expect("sorted", differences, 0);
    free(expected);
}

static void queue(int lo, int n)
{
    int head = lo, tail = lo + 1, sum = 0;
    line[lo] = 1;
    while (head < tail) {
        int node = line[head++];
        sum += node;
        if (tail < lo + n)
            line[tail++] = node + 1;
        if (tail < lo + n)
            line[tail++] = node + 2;
    }
    int expected[OWN] = {1};
    for (volatile int h = 0, t = 1; h < t; h++) {
        for (volatile int k = 1; k < 3; k++)
            if (t < n)
                expected[t++] = expected[h] + k;
        sum -= expected[h];
    }
    expect("queue", sum, 0);
}

static void jumps(int n)
{
    // Loops that are entered, and left, in other ways than at their heads.
    static jmp_buf back;
    volatile int rounds = 0, sum = 0;
    for (volatile int i = 0; i < n; i++) {
        if (setjmp(back) > 0)
            sum += 1000;
        sum += pieces[i];
        if (i % 30 == 29 && rounds++ % 2 == 0)
            longjmp(back, 1);
    }
    int expected = 0, k = n / 2;
    for (int i = 0; i < n; i++)
        expected += value(i) + (i % 30 == 29 ? 1000 + value(i) : 0);
    expect("longjmp", sum, expected);
    sum = 0;
    goto inside;
    for (k = 0; k < n; k++) {
inside:
        sum += pieces[k] - value(k);
    }
    switch (n % 4) {
        while (n > 0) {
        case 3: sum += pieces[--n] - value(n); /* fall through */
        case 2: sum += pieces[--n] - value(n); /* fall through */
        case 1: sum += pieces[--n] - value(n); /* fall through */
        case 0:;
            if (n < 3)
                break;
            sum += pieces[--n] - value(n);
        }
    }
    expect("into loops", sum, 0);
}

int main(void)
{
    all = OWN * THREADS;
    pointer = upc_all_alloc(OWN * THREADS / 20, 20 * sizeof(int));
    fill();
    for (int key = 0; key < 120; key += 17)
        searches(key, key % 7, all - key % 5);
    halves();
    other_forms(pointer, all);
    jumps(OWN - 3);
    fill();
    sort(MYTHREAD * OWN + 3, OWN - 5);
    queue(MYTHREAD * OWN, OWN);
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
