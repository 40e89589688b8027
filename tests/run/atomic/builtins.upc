// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 4x1 1x4 2x2 1x7 2:4x1 3:3x1 2:4x2
//@ flags: -O2 -Wall -Werror
// The C compiler's atomic functions, on objects of the next thread: each gives what it must, and
// evaluates its arguments once.
#include <upc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    ((condition) ? (void)0 \
                 : (printf("line %d, thread %d: %s\n", __LINE__, MYTHREAD, #condition), exit(1)))

enum colour { RED, GREEN, BLUE = 70000 };

struct pair {
    _Alignas(4) short a;
    short b;
};

shared uint8_t bytes[8 * THREADS];
shared [3] short shorts[3 * THREADS];
shared int ints[THREADS];
shared [4] unsigned uints[4 * THREADS];
shared [5] long longs[5 * THREADS];
shared [70000000] uint64_t wide[70000000ul * THREADS];
shared bool flags[THREADS];
shared enum colour colours[THREADS];
shared struct pair pairs[THREADS];
char *shared names[THREADS];
shared [7] int *shared others[THREADS];
shared [7] int cells[7 * THREADS];

static int calls;
static int once(int n)
{
    calls++;
    return n;
}

#define OPERATIONS(type, object) \
    do { \
        shared void *where = &(object); \
        (void)where; \
        calls = 0; \
        __atomic_store_n(&(object), 12, __ATOMIC_RELEASE); \
        CHECK(__sync_fetch_and_add(&(object), once(5)) == 12 && object == 17); \
        CHECK(__sync_fetch_and_sub(&(object), once(7)) == 17 && object == 10); \
        CHECK(__sync_fetch_and_or(&(object), once(5)) == 10 && object == 15); \
        CHECK(__sync_fetch_and_and(&(object), once(6)) == 15 && object == 6); \
        CHECK(__sync_fetch_and_xor(&(object), once(5)) == 6 && object == 3); \
        CHECK(__sync_fetch_and_nand(&(object), once(1)) == 3 && object == (type)~1); \
        CHECK(__sync_add_and_fetch(&(object), once(9)) == 7 && object == 7); \
        CHECK(__sync_sub_and_fetch(&(object), once(9)) == (type)-2); \
        CHECK(__sync_and_and_fetch(&(object), once(60)) == 60); \
        CHECK(__sync_or_and_fetch(&(object), once(3)) == 63); \
        CHECK(__sync_xor_and_fetch(&(object), once(1)) == 62); \
        CHECK(__sync_nand_and_fetch(&(object), once(2)) == (type)~2); \
        CHECK(calls == 12); \
        __atomic_store_n(&(object), once(20), __ATOMIC_RELAXED); \
        CHECK(__atomic_fetch_add(&(object), 1, __ATOMIC_RELAXED) == 20); \
        CHECK(__atomic_fetch_sub(&(object), 2, __ATOMIC_ACQUIRE) == 21); \
        CHECK(__atomic_fetch_or(&(object), 4, __ATOMIC_RELEASE) == 19); \
        CHECK(__atomic_fetch_and(&(object), 29, __ATOMIC_ACQ_REL) == 23); \
        CHECK(__atomic_fetch_xor(&(object), 1, __ATOMIC_SEQ_CST) == 21); \
        CHECK(__atomic_fetch_nand(&(object), 20, __ATOMIC_SEQ_CST) == 20); \
        CHECK(__atomic_add_fetch(&(object), 21, __ATOMIC_CONSUME) == 0); \
        CHECK(__atomic_sub_fetch(&(object), 1, __ATOMIC_RELAXED) == (type)-1); \
        CHECK(__atomic_and_fetch(&(object), 99, __ATOMIC_RELAXED) == 99); \
        CHECK(__atomic_or_fetch(&(object), 4, __ATOMIC_RELAXED) == 103); \
        CHECK(__atomic_xor_fetch(&(object), 3, __ATOMIC_RELAXED) == 100); \
        CHECK(__atomic_nand_fetch(&(object), 4, __ATOMIC_RELAXED) == (type)~4); \
        __atomic_fetch_add(&(object), 1, __ATOMIC_RELAXED); \
        __sync_fetch_and_add(&(object), 5); \
        CHECK(__atomic_load_n(&(object), __ATOMIC_ACQUIRE) == 1); \
        EXCHANGES(type, object); \
    } while (0)

/* What other types than integers have, too. */
#define EXCHANGES(type, object) \
    do { \
        type old, new = (type)33, expected; \
        __sync_lock_release(&(object)); \
        CHECK(object == (type)0); \
        CHECK(__sync_lock_test_and_set(&(object), (type)once(1)) == (type)0); \
        CHECK(__sync_bool_compare_and_swap(&(object), (type)1, (type)2)); \
        CHECK(!__sync_bool_compare_and_swap(&(object), (type)1, (type)3)); \
        CHECK(__sync_val_compare_and_swap(&(object), (type)2, (type)4) == (type)2); \
        CHECK(__sync_val_compare_and_swap(&(object), (type)2, (type)5) == (type)4); \
        CHECK(__atomic_exchange_n(&(object), (type)6, __ATOMIC_ACQ_REL) == (type)4); \
        __atomic_exchange(&(object), &new, &old, __ATOMIC_SEQ_CST); \
        CHECK(old == (type)6); \
        __atomic_load(&(object), &old, __ATOMIC_RELAXED); \
        CHECK(old == new); \
        new = (type)34; \
        __atomic_store(&(object), &new, __ATOMIC_SEQ_CST); \
        expected = (type)30; \
        CHECK(!__atomic_compare_exchange_n(&(object), &expected, (type)35, false, \
                                           __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
        CHECK(expected == (type)34); \
        CHECK(__atomic_compare_exchange_n(&(object), &expected, (type)35, 0, 5, 5)); \
        expected = (type)35; \
        CHECK(__atomic_compare_exchange(&(object), &expected, &new, false, __ATOMIC_RELEASE, \
                                        __ATOMIC_RELAXED)); \
        CHECK(__atomic_load_n(&(object), __ATOMIC_SEQ_CST) == (type)34); \
    } while (0)

static void flags_of(int next)
{
    __atomic_store_n(&flags[next], false, __ATOMIC_RELEASE);
    CHECK(!__atomic_exchange_n(&flags[next], once(8), __ATOMIC_ACQUIRE) && flags[next]);
    CHECK(__atomic_test_and_set(&bytes[next], __ATOMIC_ACQUIRE));
    __atomic_clear(&bytes[next], __ATOMIC_RELEASE);
    CHECK(!__atomic_test_and_set(&bytes[next], __ATOMIC_ACQUIRE) && bytes[next] == 1);
    CHECK(__atomic_test_and_set((shared void *)&bytes[next], __ATOMIC_SEQ_CST));
}

static void records_of(int next)
{
    struct pair one = {1, 2}, two = {3, 4}, got;
    __atomic_store(&pairs[next], &one, __ATOMIC_SEQ_CST);
    got = two;
    CHECK(!__atomic_compare_exchange(&pairs[next], &got, &two, false, 5, 5));
    CHECK(got.a == 1 && got.b == 2);
    CHECK(__atomic_compare_exchange(&pairs[next], &got, &two, false, 5, 5));
    __atomic_load(&pairs[next], &got, __ATOMIC_ACQUIRE);
    CHECK(got.a == 3 && got.b == 4);
}

static void pointers_of(int next)
{
    char text[8];
    __atomic_store_n(&names[next], text, __ATOMIC_RELEASE);
    CHECK(__atomic_fetch_add(&names[next], 3, __ATOMIC_RELAXED) == text);
    CHECK(__atomic_sub_fetch(&names[next], 1, __ATOMIC_SEQ_CST) == text + 2);
    CHECK(__sync_bool_compare_and_swap(&names[next], text + 2, (char *)NULL));
    __atomic_store_n(&others[next], &cells[8 % (7 * THREADS)], __ATOMIC_SEQ_CST);
    shared [7] int *old = __atomic_exchange_n(&others[next], NULL, __ATOMIC_SEQ_CST);
    CHECK(old == &cells[8 % (7 * THREADS)] && upc_phaseof(old) == 1);
    CHECK(__sync_bool_compare_and_swap(&others[next], NULL, &cells[3]));
    CHECK(__atomic_load_n(&others[next], __ATOMIC_ACQUIRE) == cells + 3);
}

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    shared [] int *plain = (shared [] int *)&ints[next];
    int order = __ATOMIC_SEQ_CST;
    OPERATIONS(uint8_t, bytes[next]);
    OPERATIONS(short, shorts[3 * next + 1]);
    OPERATIONS(int, ints[next]);
    OPERATIONS(int, *plain);
    OPERATIONS(unsigned, uints[4 * next + 2]);
    OPERATIONS(long, longs[5 * next + 4]);
    OPERATIONS(uint64_t, wide[70000000ul * next + 7]);
    EXCHANGES(enum colour, colours[next]);
    CHECK(__atomic_exchange_n(&ints[next], 9, order) == 34);
    flags_of(next);
    records_of(next);
    pointers_of(next);
    upc_barrier;
    for (int i = 0; i < 100; i++) {
        __sync_fetch_and_add(&bytes[2 * THREADS], 1);
        __atomic_fetch_add(&longs[0], i, __ATOMIC_RELAXED);
        __atomic_fetch_xor(&uints[4 * (THREADS - 1)], 1u << MYTHREAD, __ATOMIC_ACQ_REL);
    }
    __sync_synchronize();
    upc_barrier;
    CHECK(longs[0] == 4950 * THREADS);
    CHECK(bytes[2 * THREADS] == (uint8_t)(100 * THREADS));
    CHECK(uints[4 * (THREADS - 1)] == 0);
    if (MYTHREAD == 0) {
        puts("ok");
    }
    return 0;
}
