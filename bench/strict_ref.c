// SPDX-License-Identifier: BSD-3-Clause
/* The C side of strict.upc: sequentially consistent loads and stores. */
#include <stdatomic.h>

enum { WORDS = 512 };

long strict_read_ref(const _Atomic long *words, long n);
void strict_write_ref(_Atomic long *words, long n);
void strict_change_ref(_Atomic long *words, long n);

long strict_read_ref(const _Atomic long *words, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += atomic_load(&words[i % WORDS]);
    }
    return sum;
}

void strict_write_ref(_Atomic long *words, long n) {
    for (long i = 0; i < n; i++) {
        atomic_store(&words[i % WORDS], i);
    }
}

/* A load and a store, as UPC's `+=` is: not one operation. */
void strict_change_ref(_Atomic long *words, long n) {
    for (long i = 0; i < n; i++) {
        atomic_store(&words[i % WORDS], atomic_load(&words[i % WORDS]) + i);
    }
}
