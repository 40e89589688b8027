// SPDX-License-Identifier: BSD-3-Clause
// The same memory through pointers of several layouts: where each subscript lands.
#include "../../check.h"

enum { B = 4, N = 8 };
shared [B] int a[N * THREADS];

int main(void)
{
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        a[i] = i;
    upc_barrier;
    shared [] int *flat = (shared [] int *)&a[0];
    for (int i = 0; i < N; i++)
        CHECK_EQ(flat[i], i / B * B * THREADS + i % B);
    shared int *cyclic = (shared int *)&a[0];
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(cyclic[i], i % THREADS * B + i / THREADS / B * B * THREADS + i / THREADS % B);
    shared [2] int *pairs = (shared [2] int *)&a[0];
    for (int i = 0; i < N * THREADS; i++) {
        int thread = i / 2 % THREADS, local = i / 2 / THREADS * 2 + i % 2;
        CHECK_EQ(pairs[i], local / B * B * THREADS + thread * B + local % B);
    }
    shared [B * sizeof(int)] char *bytes = (shared [B * sizeof(int)] char *)&a[0];
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(bytes[i * sizeof(int)], (char)i);
    return check_done();
}
