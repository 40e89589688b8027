/* SPDX-License-Identifier: BSD-3-Clause */
/* The C11 atomics that atomic.upc compares itself with. */
#include <stdatomic.h>
#include <stdint.h>

void ref_add(void *counter, int64_t *fetched, int64_t n);
void ref_add_register(void *counter, int64_t *fetched, int64_t n);
void ref_xor(void *counter, int64_t *fetched, int64_t n);
void ref_cswap(void *counter, int64_t *fetched, int64_t n);

void ref_add(void *counter, int64_t *fetched, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        *(volatile int64_t *)fetched = atomic_fetch_add((_Atomic int64_t *)counter, 1);
    }
}

void ref_add_register(void *counter, int64_t *fetched, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += atomic_fetch_add((_Atomic int64_t *)counter, 1);
    }
    *fetched = sum;
}

void ref_xor(void *counter, int64_t *fetched, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        *(volatile int64_t *)fetched = atomic_fetch_xor((_Atomic int64_t *)counter, 1);
    }
}

void ref_cswap(void *counter, int64_t *fetched, int64_t n) {
    int64_t old = atomic_load((_Atomic int64_t *)counter);
    for (int64_t i = 0; i < n; i++) {
        int64_t found = old;
        atomic_compare_exchange_strong((_Atomic int64_t *)counter, &found, old + 1);
        *(volatile int64_t *)fetched = found;
        old++;
    }
}
