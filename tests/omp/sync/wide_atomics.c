/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic objects of 16 bytes, and of sizes that no instruction is for. */
//@ not-clang: its atomic objects of 12 bytes have 4 more, which it compares, and nobody sets
#include "../inputs/check.h"
#include <stdatomic.h>

struct odd {
    int a, b, c;
};
struct two {
    long a, b;
};

static _Atomic struct odd odd;
static _Atomic struct two two;
static unsigned __int128 big __attribute__((aligned(16)));

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    for (int i = 0; i < 30; i++) {
        struct odd old = atomic_load(&odd), next;
        do {
            next = (struct odd){old.a + 1, old.b + 2, old.c + 3};
        } while (!atomic_compare_exchange_strong(&odd, &old, next));
        struct two was = atomic_load(&two), then;
        do {
            CHECK(was.b == -was.a);
            then = (struct two){was.a + 1, was.b - 1};
        } while (!atomic_compare_exchange_weak(&two, &was, then));
        __atomic_fetch_add(&big, ((unsigned __int128)1 << 64) + 1, __ATOMIC_SEQ_CST);
        struct odd seen = odd;
        CHECK(seen.b == 2 * seen.a && seen.c == 3 * seen.a);
    }
    struct odd last = odd;
    struct two end = two;
    CHECK(last.a == 30 * n && last.b == 60 * n && last.c == 90 * n && end.a == 30 * n);
    CHECK((unsigned long)big == 30UL * n && (unsigned long)(big >> 64) == 30UL * n);
    atomic_store(&odd, ((struct odd){1, 2, 3}));
    last = atomic_exchange(&odd, ((struct odd){4, 5, 6}));
    struct odd now = atomic_load(&odd);
    CHECK(last.c == 3 && now.b == 5);
    return result();
}
