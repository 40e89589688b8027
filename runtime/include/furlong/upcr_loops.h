/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the emitter ABI (upcr.h, which includes it) that distributes the iterations of loops, and
 * keeps what they have found. Like upcr.h it is plain C without macros.
 */
#ifndef FURLONG_UPCR_LOOPS_H
#define FURLONG_UPCR_LOOPS_H

/* Enters a upc_forall that has an affinity expression: 1 if it is the outermost, which alone
 * distributes its iterations (6.6.2p11). The emitted variable that holds the result carries
 * __attribute__((cleanup(upcr_forall_leave))), so every way out of the loop undoes it. */
static inline int upcr_forall_enter(void) {
    return upcr_forall_depth++ == 0;
}

static inline void upcr_forall_leave(int *outermost) {
    (void)outermost;
    upcr_forall_depth--;
}

/* i mod THREADS == MYTHREAD for an integer affinity. */
static inline int upcr_mine_index(long i) {
    return upcr_owner(i, upcr_row(i)) == (unsigned long)upcr_my_number();
}

/* The same for types whose values a long does not hold. */
static inline int upcr_mine_unsigned(unsigned long i) {
    return i % upcr_threads() == (unsigned long)upcr_my_number();
}

/* upc_threadof(p) == MYTHREAD for a pointer affinity. */
static inline int upcr_mine_address(unsigned long address) {
    return upcr_threadof(address) == (unsigned long)upcr_my_number();
}

/* Loops that visit only their thread's blocks, which are numbered from thread 0 on. */

/* How many of the blocks 0 to n - 1 this thread owns: with n = i it is the number, counting its
 * own, of its first block at or after i. */
static inline long upcr_own_blocks(long n) {
    return upcr_row(n + (long)upcr_threads() - 1 - upcr_my_number());
}

/* Of this thread's blocks of one iteration, those with one of from, from + step, ...: the first at or after
 * block r, which is not before `from` (none: LONG_MAX), and in `blocks` how far it is to the next. */
long upcr_own_of_steps(long r, long from, long step, long *blocks);

/* This thread's first element of an array whose element 0 is at `cell`, on thread 0. */
static inline void *upcr_local(const volatile void *cell) {
    return (void *)((unsigned long)cell + (unsigned long)upcr_my_number() * upcr_job.stride);
}

/* This thread's element `i` of such an array. */
static inline void *upcr_local_elem(const volatile void *cell, long i, unsigned long esz) {
    return (void *)((unsigned long)upcr_local(cell) + (unsigned long)i * esz);
}

/* The first element, on thread 0, of the row of blocks that a pointer, with its phase, points into. */
static inline void *upcr_row_start(upcr_pts p, unsigned long esz) {
    unsigned long address = upcr_address(p);
    return (void *)(address - upcr_phase(p) * esz - upcr_threadof(address) * upcr_job.stride);
}

/* A pointer that walks along elements. The C compiler is not to know what its address was computed from:
 * it would go from one array to the next by their distance. */
static inline void *upcr_walk(void *p) {
    __asm__("" : "+r"(p));
    return p;
}

/* Are n elements, of which the first has this number, in one block? */
static inline int upcr_in_one_block(long number, long n, long block) {
    return number >= 0 && number / block == (number + n - 1) / block;
}

/* Which iteration of that row it points to, where each has `times` elements and a thread `block` of them;
 * negative between two. */
static inline long upcr_in_row(upcr_pts p, unsigned long block, unsigned long times) {
    unsigned long phase = upcr_phase(p), thread = upcr_threadof(upcr_address(p));
    return phase % times == 0 ? (long)(thread * block + phase / times) : -1;
}

/* The block that an access of a loop has found last: its first element, or row, and where element 0
 * would be if all lay as the block's. For elements of one block a comparison is enough, and no
 * address waits for another. */
struct upcr_last_block {
    long first; /* -2^62 before the loop: no element is near it */
    unsigned long zero;
    upcr_pts base; /* what elements are counted from, if it is a pointer */
};

/* As upcr_elem_blocked. */
static inline void *upcr_elem_blocked_near(struct upcr_last_block *last, const volatile void *cell,
                                           long i, unsigned long esz, unsigned long b) {
    if (__builtin_expect((unsigned long)i - (unsigned long)last->first >= b, 0)) {
        last->first = (long)((unsigned long)i / b * b);
        last->zero = (unsigned long)upcr_elem_blocked(cell, last->first, esz, b) -
                  (unsigned long)last->first * esz;
    }
    return (void *)(last->zero + (unsigned long)i * esz);
}

/* As upcr_elem_rows. */
static inline void *upcr_elem_rows_near(struct upcr_last_block *last, const volatile void *cell,
                                        long i, long within, unsigned long esz, unsigned long rows,
                                        unsigned long row) {
    if (__builtin_expect((unsigned long)i - (unsigned long)last->first >= rows, 0)) {
        last->first = (long)((unsigned long)i / rows * rows);
        last->zero = (unsigned long)upcr_elem_rows(cell, last->first, 0, esz, rows, row) -
                  (unsigned long)last->first * row * esz;
    }
    return (void *)(last->zero + ((unsigned long)i * row + (unsigned long)within) * esz);
}

/* As upcr_packed_address. */
static inline unsigned long upcr_packed_address_near(struct upcr_last_block *last, upcr_pts p,
                                                     long i, unsigned long esz, long b) {
    unsigned long ahead = (unsigned long)i - (unsigned long)last->first;
    if (__builtin_expect((p != last->base) | (ahead >= (unsigned long)b), 0)) {
        long pos = (long)upcr_phase(p) + i;
        last->first = i - upcr_within(pos, upcr_floordiv(pos, b), b);
        last->zero = upcr_packed_address(p, last->first, esz, b) - (unsigned long)last->first * esz;
        last->base = p;
    }
    return last->zero + (unsigned long)i * esz;
}

/* Of `n` elements from number `at` of a row on, which has `length`: how many are in the row, and how many
 * before these are not. */
static inline long upcr_part_in_row(long at, long n, long length, long *skipped) {
    long before = at < 0 ? -at : 0, end = at + n < length ? n : length - at;
    *skipped = before < end ? before : 0;
    return before < end ? end - before : 0;
}

#endif
