/* SPDX-License-Identifier: BSD-3-Clause */
/* C11 atomics and __sync functions among threads: a lock-free stack, spin locks, wide types. */
#include "../inputs/check.h"
#include <stdatomic.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int count;
static _Atomic double real;
static int old_style, by_flag, by_word, spin;
static struct node nodes[2000];

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 50; i++) {
            struct node *node = &nodes[me * 50 + i];
            node->value = 1;
            node->next = atomic_load(&top);
            while (!atomic_compare_exchange_weak(&top, &node->next, node)) {
            }
            atomic_fetch_add(&count, 2);
            real += 0.5;
            __sync_fetch_and_add(&old_style, 3);
            while (atomic_flag_test_and_set(&flag)) {
            }
            by_flag++;
            atomic_flag_clear(&flag);
            while (__sync_lock_test_and_set(&spin, 1)) {
            }
            by_word++;
            __sync_lock_release(&spin);
        }
    }
    int length = 0;
    for (struct node *node = top; node; node = node->next) {
        length += node->value;
    }
    CHECK(length == 50 * n && count == 100 * n && real == 25.0 * n);
    CHECK(old_style == 150 * n && by_flag == 50 * n && by_word == 50 * n);
    return result();
}
