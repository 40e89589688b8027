/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: OpenSHMEM 1.5, 9.12. A lock is a symmetric long, zero at first, of which PE 0's word is a
 * ticket lock: the ticket being served in the low half, the next ticket in the high half. Both wrap
 * around after 2^32 turns: the high half's carry is lost, and a 32-bit increment advances the low
 * half, else its carry would draw a ticket that no PE holds. A waiting PE polls less often the more
 * tickets are before its own.
 */
#include "shmem/inside.h"

enum { HOME = 0 };
static const uint64_t TICKET = 1ull << 32;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word begins with its low half");

static uint32_t next_ticket(uint64_t word) {
    return (uint32_t)(word >> 32);
}

static unsigned waiting(uint64_t word, uint32_t ticket) {
    return ticket - (uint32_t)word;
}

void shmem_set_lock(long *lock) {
    uint64_t *word = (uint64_t *)lock;
    uint64_t before = shmem_uint64_atomic_fetch_add(word, TICKET, HOME);
    uint32_t ticket = next_ticket(before);
    struct gas_patience patience = {0};
    for (unsigned n; (n = waiting(before, ticket)) > 0;) {
        for (unsigned i = 0; i < n; i++) {
            gas_wait_step(&patience);
        }
        before = shmem_uint64_atomic_fetch(word, HOME);
    }
    /* No label: the program's loads come after the holder before has gone on. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

void shmem_clear_lock(long *lock) {
    shmem_quiet();
    shmem_uint32_atomic_inc((uint32_t *)lock, HOME);
}

/* Returns 0 if the caller now holds the lock, else 1. */
int shmem_test_lock(long *lock) {
    uint64_t *word = (uint64_t *)lock;
    uint64_t now = shmem_uint64_atomic_fetch(word, HOME);
    if (waiting(now, next_ticket(now)) > 0) {
        return 1;
    }
    return shmem_uint64_atomic_compare_swap(word, now, now + TICKET, HOME) == now ? 0 : 1;
}
