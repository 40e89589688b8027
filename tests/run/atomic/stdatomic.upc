// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 4x1 1x4 2x2 1x7 2:4x1 3:3x1 2:4x2
//@ flags: -O2 -Wall
//@ not-clang: its <stdatomic.h> does not know pointers-to-shared
// <stdatomic.h>, and operators on `_Atomic` objects, of one thread and under contention.
#include <upc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    ((condition) ? (void)0 \
                 : (printf("line %d, thread %d: %s\n", __LINE__, MYTHREAD, #condition), exit(1)))

#define ROUNDS 100

shared _Atomic int counts[THREADS];
shared atomic_long total;
strict shared _Atomic short products[THREADS];
strict shared _Atomic double sum;
shared [3] atomic_uchar bytes[3 * THREADS];
shared [3] int cells[3 * THREADS];
typedef shared [3] int *cell_pointer;
shared _Atomic(cell_pointer) tail;
shared atomic_flag busy;
shared int guarded;

static void single(int next)
{
    atomic_init(&counts[next], 4);
    CHECK(counts[next]++ == 4 && ++counts[next] == 6 && counts[next]-- == 6);
    CHECK((counts[next] += 10) == 15 && (counts[next] *= 2) == 30);
    CHECK((counts[next] = 7) == 7 && counts[next] == 7);
    CHECK(atomic_fetch_add(&counts[next], 3) == 7 && atomic_load(&counts[next]) == 10);
    CHECK(atomic_fetch_or_explicit(&counts[next], 5, memory_order_relaxed) == 10);
    CHECK(atomic_exchange(&counts[next], 2) == 15);
    int expected = 3;
    CHECK(!atomic_compare_exchange_strong(&counts[next], &expected, 4) && expected == 2);
    while (!atomic_compare_exchange_weak(&counts[next], &expected, 5)) {
    }
    atomic_store_explicit(&products[next], counts[next], memory_order_release);
    CHECK((products[next] <<= 2) == 20 && products[next]-- == 20 && products[next] == 19);
    CHECK((bytes[3 * next + 1] -= 1) == 255);
}

int main(void)
{
    single((MYTHREAD + 1) % THREADS);
    upc_barrier;
    if (MYTHREAD == 0) {
        tail = cells;
        counts[0] = 0;
    }
    upc_barrier;
    for (int i = 0; i < ROUNDS; i++) {
        total += i;
        counts[0]++;
        sum += 0.5;
        if (i < 3) {
            *tail++ = 1;
        }
        while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
        }
        guarded = guarded + 1;
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
    upc_barrier;
    CHECK(total == ROUNDS * (ROUNDS - 1) / 2 * THREADS);
    CHECK(counts[0] == ROUNDS * THREADS);
    CHECK(sum == 0.5 * ROUNDS * THREADS);
    CHECK(guarded == ROUNDS * THREADS);
    CHECK(tail == cells + 3 * THREADS);
    for (int i = 0; i < 3 * THREADS; i++) {
        CHECK(cells[i] == 1);
    }
    if (MYTHREAD == 0) {
        puts("ok");
    }
    return 0;
}
