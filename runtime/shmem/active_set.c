/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations of active sets, deprecated in OpenSHMEM 1.5 (annex F): the PEs start,
 * start + 2^k, .. which are not a team, so members synchronise through the work array alone. Member
 * 0 counts the arrivals and releases the others. The array holds SHMEM_SYNC_VALUE before and after.
 */
#include "shmem/inside.h"

#include <stdlib.h>

/* Indices into a work array. */
enum { ARRIVED, RELEASED, PLACE, WORDS_USED };
_Static_assert(WORDS_USED <= SHMEM_SYNC_SIZE, "work arrays have room");

struct set {
    int start, stride, size, me; /* the caller's number among the members */
    long *work;
};

static struct set set_of(int start, int log_stride, int size, long *work) {
    furlong_shmem_check_started("an operation of an active set");
    int stride = 1 << log_stride, me = (shmem_my_pe() - start) >> log_stride;
    if (shmem_my_pe() < start || start + me * stride != shmem_my_pe() || me >= size) {
        gas_misuse("PE %d is none of the active set of %d PEs from %d on, each %dth", shmem_my_pe(),
                   size, start, stride);
    }
    return (struct set){start, stride, size, me, work};
}

static int pe_of(const struct set *set, int member) {
    return set->start + member * set->stride;
}

static void wait_for(long *word, long value) {
    shmem_long_wait_until(word, SHMEM_CMP_EQ, value);
    *word = SHMEM_SYNC_VALUE;
}

static void arrive(const struct set *set) {
    shmem_quiet();
    if (set->me == 0) {
        wait_for(&set->work[ARRIVED], set->size - 1);
    } else {
        shmem_long_atomic_inc(&set->work[ARRIVED], set->start);
    }
}

static void release(const struct set *set) {
    shmem_quiet();
    if (set->me == 0) {
        for (int i = 1; i < set->size; i++) {
            shmem_long_atomic_set(&set->work[RELEASED], 1, pe_of(set, i));
        }
    } else {
        wait_for(&set->work[RELEASED], 1);
    }
}

static void meet(const struct set *set) {
    arrive(set);
    release(set);
}

void furlong_shmem_sync_set(int start, int log_stride, int size, long *work) {
    struct set set = set_of(start, log_stride, size, work);
    meet(&set);
}

void shmem_barrier(int start, int log_stride, int size, long *work) {
    furlong_shmem_sync_set(start, log_stride, size, work);
}

/* Leaves the root's own destination unchanged. */
static void broadcast(const struct set *set, void *dest, const void *source, size_t bytes,
                      int root) {
    if (set->me == root) {
        for (int i = 0; i < set->size; i++) {
            if (i != root) {
                shmem_putmem(dest, source, bytes, pe_of(set, i));
            }
        }
    }
    meet(set);
}

static void put_to_all(const struct set *set, char *dest, const void *source, size_t bytes) {
    for (int i = 0; i < set->size; i++) {
        shmem_putmem(dest, source, bytes, pe_of(set, (set->me + i) % set->size));
    }
    meet(set);
}

/* Each member receives the offset of its block from the one before it, and passes on the next. */
static void collect(const struct set *set, char *dest, const void *source, size_t bytes) {
    long *word = &set->work[PLACE];
    long place = 0;
    if (set->me > 0) {
        shmem_long_wait_until(word, SHMEM_CMP_NE, SHMEM_SYNC_VALUE);
        place = *word - 1;
        *word = SHMEM_SYNC_VALUE;
    }
    if (set->me + 1 < set->size) {
        shmem_long_atomic_set(word, place + (long)bytes + 1, pe_of(set, set->me + 1));
    }
    put_to_all(set, dest + place, source, bytes);
}

static void alltoalls(const struct set *set, char *dest, const char *source, ptrdiff_t to_stride,
                      ptrdiff_t from_stride, size_t each, size_t n) {
    ptrdiff_t to_block = to_stride * (ptrdiff_t)(n * each);
    ptrdiff_t from_block = from_stride * (ptrdiff_t)(n * each);
    for (int i = 0; i < set->size; i++) {
        int to = (set->me + i) % set->size;
        furlong_shmem_strided_put(dest + set->me * to_block, source + to * from_block, to_stride,
                                  from_stride, each, n, pe_of(set, to));
    }
    meet(set);
}

#define SETS(bits)                                                                                 \
    void shmem_broadcast##bits(void *dest, const void *source, size_t n, int root, int start,      \
                               int log_stride, int size, long *work) {                             \
        struct set set = set_of(start, log_stride, size, work);                                    \
        broadcast(&set, dest, source, n * (bits / 8), root);                                       \
    }                                                                                              \
    void shmem_collect##bits(void *dest, const void *source, size_t n, int start, int log_stride,  \
                             int size, long *work) {                                               \
        struct set set = set_of(start, log_stride, size, work);                                    \
        collect(&set, dest, source, n * (bits / 8));                                               \
    }                                                                                              \
    void shmem_fcollect##bits(void *dest, const void *source, size_t n, int start,                 \
                              int log_stride, int size, long *work) {                              \
        struct set set = set_of(start, log_stride, size, work);                                    \
        size_t bytes = n * (bits / 8);                                                             \
        put_to_all(&set, (char *)dest + (size_t)set.me * bytes, source, bytes);                    \
    }                                                                                              \
    void shmem_alltoall##bits(void *dest, const void *source, size_t n, int start,                 \
                              int log_stride, int size, long *work) {                              \
        struct set set = set_of(start, log_stride, size, work);                                    \
        alltoalls(&set, dest, source, 1, 1, bits / 8, n);                                          \
    }                                                                                              \
    void shmem_alltoalls##bits(void *dest, const void *source, ptrdiff_t to_stride,                \
                               ptrdiff_t from_stride, size_t n, int start, int log_stride,         \
                               int size, long *work) {                                             \
        struct set set = set_of(start, log_stride, size, work);                                    \
        alltoalls(&set, dest, source, to_stride, from_stride, bits / 8, n);                        \
    }
SETS(32)
SETS(64)

/* Member 0 reads and combines all sources, which are symmetric, after all members have arrived.
 * `dest` may be `source`. */
void furlong_shmem_reduce_set(void *dest, const void *source, size_t each, int count, int start,
                              int log_stride, int size, long *work,
                              furlong_shmem_combiner *combine) {
    struct set set = set_of(start, log_stride, size, work);
    size_t n = count > 0 ? (size_t)count : 0, bytes = n * each;
    arrive(&set);
    if (set.me == 0 && n > 0) {
        char *sum = malloc(2 * bytes), *next = sum + bytes;
        if (!sum) {
            fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for a reduction of %zu elements", n);
        }
        memcpy(sum, source, bytes);
        for (int i = 1; i < size; i++) {
            shmem_getmem(next, source, bytes, pe_of(&set, i));
            combine(next, sum, n, NULL);
        }
        for (int i = 0; i < size; i++) {
            shmem_putmem(dest, sum, bytes, pe_of(&set, i));
        }
        shmem_quiet();
        free(sum);
    }
    release(&set);
}
