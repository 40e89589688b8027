/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x4 2x2 3x1 4x2
/* Locks that are many, one for each of thousands of objects, locks that are tried, atomic operations of C11, and a flag that one thread
 * waits for with flushes. */
#include "../inputs/check.h"

#include <stdatomic.h>

enum { LOCKS = 50 };
static omp_lock_t one, many[LOCKS];
static long counts[LOCKS];
static _Atomic long sum;
static _Atomic int ready;
static volatile int flag;
static int data;

static void held(int n) {
    long count = 0, tried = 0, total = 0;
    omp_set_lock(&one);
    CHECK(!omp_test_lock(&one));
    omp_unset_lock(&one);
    CHECK(omp_test_lock(&one));
    omp_unset_lock(&one);
#pragma omp parallel
    {
        unsigned seed = (unsigned)omp_get_thread_num();
        for (int i = 0; i < 20; i++) {
            omp_set_lock(&one);
            count++;
            omp_unset_lock(&one);
            while (!omp_test_lock(&one)) {
            }
            tried++;
            omp_unset_lock(&one);
        }
        for (int i = 0; i < 100; i++) {
            int k = rand_r(&seed) % LOCKS;
            omp_set_lock(&many[k]);
            counts[k]++;
            omp_unset_lock(&many[k]);
        }
    }
    for (int i = 0; i < LOCKS; i++) {
        total += counts[i];
    }
    CHECK(count == 20 * n && tried == 20 * n && total == 100 * n);
}

/* One for each element, as hash tables have them. */
static void one_each(int n) {
    enum { ELEMENTS = 5000 };
    struct element {
        omp_lock_t lock;
        int count;
    } *elements = calloc(ELEMENTS, sizeof *elements);
    for (int i = 0; i < ELEMENTS; i++) {
        omp_init_lock(&elements[i].lock);
    }
#pragma omp parallel
    for (int i = 0; i < ELEMENTS; i++) {
        int me = omp_get_thread_num();
        if (me == i % n || me == (i / n + i) % n) {
            omp_set_lock(&elements[i].lock);
            elements[i].count++;
            omp_unset_lock(&elements[i].lock);
        }
    }
    int wrong = 0;
    for (int i = 0; i < ELEMENTS; i++) {
        wrong += elements[i].count != 1 + (i % n != (i / n + i) % n);
        omp_destroy_lock(&elements[i].lock);
    }
    CHECK(wrong == 0);
    free(elements);
}

static void atomics(int n) {
    unsigned char bytes[8] = {0};
    double numbers = 0;
#pragma omp parallel
    {
        for (int i = 0; i < 20; i++) {
            sum++;
#pragma omp atomic
            bytes[i % 8]++;
#pragma omp atomic
            numbers += 0.5;
        }
        atomic_fetch_add(&ready, 1);
        while (atomic_load(&ready) < n) {
        }
        CHECK(sum == 20 * n);
    }
    CHECK(numbers == 10.0 * n && bytes[0] == (unsigned char)(3 * n));
}

static void flushes(int n) {
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp flush
            flag = 1;
#pragma omp flush
        }
        if (omp_get_thread_num() == n - 1) {
            while (!flag) {
#pragma omp flush
            }
#pragma omp flush
            CHECK(data == 42);
        }
    }
}

int main(void) {
    int n = omp_get_max_threads();
    omp_init_lock(&one);
    for (int i = 0; i < LOCKS; i++) {
        omp_init_lock(&many[i]);
    }
    held(n);
    one_each(n);
    atomics(n);
    flushes(n);
    return result();
}
