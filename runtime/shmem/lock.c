/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: OpenSHMEM 1.5, 9.12. A symmetric long at all PEs, zero at first. The word of PE 0 is the lock;
 * it is a ticket lock: the next ticket in its low half, the one that is served in its high half. A PE
 * that polls another host's word asks less often the more tickets are before its own.
 */
#include "shmem/inside.h"

enum { HOME = 0 };
static const uint64_t SERVED = 1ull << 32;

static unsigned waiting(uint64_t word, uint32_t ticket) {
    return ticket - (uint32_t)(word >> 32);
}

void shmem_set_lock(long *lock) {
    uint64_t *word = (uint64_t *)lock;
    uint64_t before = shmem_uint64_atomic_fetch_add(word, 1, HOME);
    uint32_t ticket = (uint32_t)before;
    struct gas_patience patience = {0};
    for (unsigned n; (n = waiting(before, ticket)) > 0;) {
        for (unsigned i = 0; i < n; i++) {
            gas_wait_step(&patience);
        }
        before = shmem_uint64_atomic_fetch(word, HOME);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

void shmem_clear_lock(long *lock) {
    shmem_quiet();
    (void)shmem_uint64_atomic_fetch_add((uint64_t *)lock, SERVED, HOME);
}

/* 0: the caller has it. */
int shmem_test_lock(long *lock) {
    uint64_t *word = (uint64_t *)lock;
    uint64_t now = shmem_uint64_atomic_fetch(word, HOME);
    if (waiting(now, (uint32_t)now) > 0) {
        return 1;
    }
    /* The low half must not carry into the high one. */
    uint64_t taken = (now & ~(SERVED - 1)) | (uint32_t)(now + 1);
    return shmem_uint64_atomic_compare_swap(word, now, taken, HOME) == now ? 0 : 1;
}
