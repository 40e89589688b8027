/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the emitter ABI (upcr.h, which includes it) that counts accesses for a report, `upcc -inst`
 * and `upcrun -report`. Like upcr.h it is plain C without macros.
 */
#ifndef FURLONG_UPCR_COUNTS_H
#define FURLONG_UPCR_COUNTS_H

/* The counts of one place of the program and thread, which are part of the recording (core/record.h): of
 * accesses to each thread of this host. Null if there is none. */
enum { UPCR_READS_IT = 1, UPCR_WRITES_IT = 2, UPCR_WITH_OWN = 4, UPCR_COUNTED = 512 };
extern unsigned long *upcr_counts_of(unsigned long **row, unsigned long bytes, int uses,
                                     const char *file, int line)
    __attribute__((cold, visibility("hidden")));

/* Where a relaxed access to this host's memory is to be counted, if that is enough; else null. Those to
 * own memory are counted too, as a branch would cost more. `row` keeps the counts. */
static inline unsigned long *upcr_count_for(const volatile void *p, unsigned long bytes, int uses,
                                            unsigned long **row, const char *file, int line) {
    unsigned long at = (unsigned long)p - upcr_job.here;
    if (upcr_heard != UPCR_COUNTS_ARE_HEARD || bytes >= UPCR_COUNTED || at >= upcr_job.here_bytes) {
        return (unsigned long *)0;
    }
    unsigned long *counts = *row;
    if (__builtin_expect(!counts, 0)) {
        counts = upcr_counts_of(row, bytes, UPCR_INST == 2 ? uses | UPCR_WITH_OWN : uses, file, line);
        if (!counts) {
            return counts;
        }
    }
    return &counts[at >> upcr_log2_segment()];
}

/* upcr_is_here for an access, which is counted. */
static inline int upcr_is_here_counted(const volatile void *p, unsigned long bytes, int uses,
                                       unsigned long **row, const char *file, int line) {
    unsigned long *count = upcr_count_for(p, bytes, uses, row, file, line);
    if (!count) {
        return upcr_is_here(p);
    }
    ++*count;
    return 1;
}

/* The same for loops that find their counts before: on one host, where nothing else is to be heard. */
static inline unsigned long *upcr_counts_before(unsigned long bytes, int uses, unsigned long **row,
                                                const char *file, int line) {
    return upcr_job.hosts > 1
               ? (unsigned long *)0
               : upcr_count_for((void *)upcr_job.here, bytes, uses, row, file, line);
}

/* The number of the thread of this host, from 0, that has `p`. */
static inline unsigned long upcr_home_of(const volatile void *p) {
    return ((unsigned long)p - upcr_job.here) >> upcr_log2_segment();
}

static inline int upcr_count(const volatile void *p, unsigned long *counts) {
    counts[upcr_home_of(p)]++;
    return 1;
}

/* A loop of which not each iteration counts its accesses: a thread's first ones do, then one of each
 * UPCR_SAMPLE, which stands for these. Which one is random, lest it keep step with what the loop does;
 * and each time that the loop begins, so that the expected count is exact however short it is. */
enum { UPCR_SAMPLE = 512, UPCR_SAMPLE_FIRST = 1024 };
struct upcr_sample {
    unsigned long first; /* iterations so far, up to UPCR_SAMPLE_FIRST */
    unsigned long rest;  /* of the present UPCR_SAMPLE iterations, behind the one that counts */
    unsigned long random;
};

/* Which one of the next UPCR_SAMPLE iterations counts. */
static inline unsigned long upcr_sample_place(struct upcr_sample *sample) {
    sample->random = sample->random * 6364136223846793005u + 1442695040888963407u;
    unsigned long place = sample->random >> 32 & (UPCR_SAMPLE - 1);
    sample->rest = UPCR_SAMPLE - 1 - place;
    return place;
}

/* How many iterations to leave out where the loop begins. */
static inline unsigned long upcr_sample_begin(struct upcr_sample *sample) {
    return sample->first < UPCR_SAMPLE_FIRST ? 0 : upcr_sample_place(sample);
}

/* For how many iterations the present one stands. */
static inline unsigned long upcr_sample_weight(const struct upcr_sample *sample) {
    return sample->first < UPCR_SAMPLE_FIRST ? 1 : UPCR_SAMPLE;
}

/* How many iterations to leave out after the present one. */
static inline unsigned long upcr_sample(struct upcr_sample *sample) {
    if (sample->first < UPCR_SAMPLE_FIRST) {
        sample->first++;
        return upcr_sample_begin(sample);
    }
    unsigned long rest = sample->rest;
    return rest + upcr_sample_place(sample);
}

/* An access to that thread's memory, for `n` iterations, after which `left` are left out. What stands
 * before the counts says that not all were looked at (fl_record_row.flags). */
enum { UPCR_ROW_SAMPLED = 2 };
static inline int upcr_count_sample(unsigned long home, unsigned long *counts, unsigned long n,
                                    unsigned long left) {
    counts[home] += n;
    ((unsigned *)counts)[-1] |= left ? UPCR_ROW_SAMPLED : 0;
    return 1;
}

/* The same where finding the address has told the thread, by what follows. */
static inline int upcr_count_of(unsigned long home, unsigned long *counts) {
    counts[home]++;
    return 1;
}

static inline unsigned long upcr_home(long block) {
    return upcr_threads() == 1 ? 0 : upcr_owner(block, upcr_row(block));
}

static inline void *upcr_elem_cyclic_of(const volatile void *cell, long i, unsigned long esz,
                                        unsigned long *home) {
    *home = upcr_home(i);
    return upcr_elem_cyclic(cell, i, esz);
}

static inline void *upcr_elem_blocked_of(const volatile void *cell, long i, unsigned long esz,
                                         unsigned long b, unsigned long *home) {
    *home = upcr_home((long)((unsigned long)i / b));
    return upcr_elem_blocked(cell, i, esz, b);
}

static inline void *upcr_elem_rows_of(const volatile void *cell, long i, long within,
                                      unsigned long esz, unsigned long rows, unsigned long row,
                                      unsigned long *home) {
    *home = upcr_home((long)((unsigned long)i / rows));
    return upcr_elem_rows(cell, i, within, esz, rows, row);
}

static inline void upcr_count_many(const volatile void *p, unsigned long *counts, long n) {
    counts[upcr_home_of(p)] += (unsigned long)n;
}

#endif
