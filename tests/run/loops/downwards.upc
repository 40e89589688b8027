// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// Loops that count down, to and from all places of blocks, over neighbours, and with early ends: each does
// what the same loop does in private memory, and leaves the same index.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { BLOCK = 16, N = 100, MOST = 16 };

static shared [BLOCK] int a[N * THREADS];
static shared int cyclic[N * THREADS];
static shared [] int row[N];
static int b[N * MOST];

static void begin(int n)
{
    for (int i = 0; i < n; i++) {
        b[i] = a[i] = i * 7 % 1000;
    }
}

static void expect_all(const char *what, int n)
{
    for (int i = 0; i < n; i++) {
        expect(what, a[i], b[i]);
    }
}

static void between(int lo, int hi, int n)
{
    int i, k, at;
    unsigned sum = 0, expected = 0;
    begin(n);
    for (i = hi; i >= lo; i--)
        sum = sum * 3 + a[i];
    expect("index of a sum", i, lo - 1);
    for (k = hi; k >= lo; k--)
        expected = expected * 3 + b[k];
    expect("sum", sum, expected);

    for (i = hi; i > lo; i--)
        a[i] = a[i - 1] + 1;
    expect("index of a shift", i, lo);
    for (k = hi; k > lo; k--)
        b[k] = b[k - 1] + 1;
    expect_all("shift", n);

    for (long j = hi; lo <= j; j -= 1)
        a[j] += j;
    for (k = hi; k >= lo; k--)
        b[k] += k;
    expect_all("addition", n);

    for (i = hi - 2; i >= lo + 2; --i)
        a[i] = (a[i + 1] * 3 + a[i - 2] + a[i + 2]) % 1000;
    for (k = hi - 2; k >= lo + 2; k--)
        b[k] = (b[k + 1] * 3 + b[k - 2] + b[k + 2]) % 1000;
    expect_all("neighbours", n);

    sum = expected = 0;
    for (i = hi; i >= lo; i = i - 1) {
        if (a[i] % 3 == 0)
            continue;
        sum = sum * 5 + a[i];
    }
    for (k = hi; k >= lo; k--) {
        if (b[k] % 3)
            expected = expected * 5 + b[k];
    }
    expect("sum of some", sum, expected);

    for (at = hi; at >= lo; at--) {
        if (a[at] % 97 == 5)
            break;
    }
    for (k = hi; k >= lo; k--) {
        if (b[k] % 97 == 5)
            break;
    }
    expect("where it breaks", at, k);
}

static void of_one_thread(shared [] int *p)
{
    int i;
    long sum = 0, expected = 0;
    for (i = N - 1; i >= 0; i--)
        p[i] = i * i;
    expect("last index", i, -1);
    for (i = N - 1; i >= 1; i--)
        sum = sum * 3 % 1009 + p[i] - p[i - 1];
    for (i = N - 1; i >= 1; i--)
        expected = expected * 3 % 1009 + 2 * i - 1;
    expect("differences", sum, expected);
    for (unsigned u = N - 1; u > 0; u--)
        p[u]++;
    for (i = 0; i < N; i++)
        expect("unsigned index", p[i], i * i + (i > 0));
}

int main(void)
{
    int i, n = N * THREADS;
    if (MYTHREAD == THREADS - 1) {
        for (int lo = 0; lo < 40; lo += 3) {
            for (int hi = n - 1; hi > n - 40; hi -= 7)
                between(lo, hi, n);
        }
        for (i = -5; i >= 3; i--)
            a[0] = -1;
        expect("index of no iteration", i, -5);
        for (i = n - 1; i >= 0; i--)
            cyclic[i] = n - i;
        for (i = 0; i < n; i++)
            expect("cyclic", cyclic[i], n - i);
        of_one_thread(row);
        for (int k = 0; k < 4; k++) {
            for (int j = BLOCK * (k + 1) - 1; j >= BLOCK * k; j--)
                a[j] = j * 1000;
        }
        for (i = 0; i < 4 * BLOCK; i++)
            expect("whole blocks", a[i], i * 1000);
    }
    upc_barrier;
    return MYTHREAD == THREADS - 1 ? done() : wrong;
}
