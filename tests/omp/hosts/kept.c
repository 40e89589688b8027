// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x1 2x2 3x1
// Short regions that read what other threads have written, which the runtime may keep on host 0: all
// have the threads and values they have on one host, before, while and after that, also where a long
// region, a region of another size or a serial part comes between.
#include <omp.h>
#include <stdio.h>

enum { N = 3000, STEPS = 300 };

static int at[N], a[N], b[N];
static long sum;

static void step(int n) {
#pragma omp parallel for num_threads(n)
    for (int i = 0; i < N; i++) {
        b[i] = a[at[i]] + 1;
    }
#pragma omp parallel for num_threads(n) schedule(dynamic, 100)
    for (int i = 0; i < N; i++) {
        a[i] = b[N - 1 - i];
    }
#pragma omp parallel for num_threads(n) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        sum += a[i];
    }
}

static int count(int n) {
    int here = 0, all = 0;
#pragma omp parallel num_threads(n)
    {
#pragma omp atomic
        here++;
#pragma omp critical
        all += omp_get_thread_num() + omp_get_num_threads();
#pragma omp barrier
#pragma omp single
        here += 1000;
    }
    return here == 1000 + n && all == n * (n - 1) / 2 + n * n;
}

int main(void) {
    int n = omp_get_max_threads(), bad = 0;
    long right = 0;
    for (int i = 0; i < N; i++) {
        at[i] = (i * 7 + 3) % N;
    }
    for (int s = 1; s <= STEPS; s++) {
        step(n);
        right += (long)s * N;
        bad += !count(s % 16 == 0 ? n + 1 : n);
        for (int i = s; i < N; i += 500) {
            bad += a[i] != s;
        }
    }
    if (bad || sum != right) {
        printf("%d are wrong; the sum is %ld, not %ld\n", bad, sum, right);
        return 1;
    }
    printf("ok\n");
}
