// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2
// Blocks of more elements than a small phase counts: 2^18 and beyond.
#include "../../check.h"

#define B 1000003
shared [B] char a[2 * B * THREADS];
shared [B] char *shared published[THREADS];

int main(void)
{
    static const int offsets[] = {0, 1, 262143, 262144, 262145, 524289, B - 1, B, B + 1, 2 * B - 1};
    shared [B] char *p = a;
    CHECK_EQ(upc_blocksizeof(a), B);
    for (int x = 0; x < 10; x++)
        for (int y = 0; y < 10; y++) {
            int i = offsets[x], k = offsets[y];
            shared [B] char *q = p + i;
            CHECK_EQ(upc_threadof(q), i / B % THREADS);
            CHECK_EQ(upc_phaseof(q), i % B);
            CHECK_EQ(upc_threadof(q + (k - i)), k / B % THREADS);
            CHECK((q + (k - i)) == &a[k]);
            CHECK_EQ(&a[k] - q, k - i);
            CHECK_EQ(q < &a[k], i < k);
        }
    long mine = (long)B * MYTHREAD + 600000;
    a[mine] = 'a' + MYTHREAD;
    published[MYTHREAD] = &a[mine];
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    shared [B] char *q = published[next];
    CHECK_EQ(*q, 'a' + next);
    CHECK_EQ(q - a, (long)B * next + 600000);
    q += B - 600000 - 1;
    CHECK_EQ(upc_threadof(q), next);
    CHECK_EQ(upc_threadof(++q), (next + 1) % THREADS);
    CHECK_EQ(upc_threadof(--q), next);
    return check_done();
}
