/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions that are distributed over hosts, on top of far.h. The members of a level 1 region with at
 * least one for each host are divided evenly among the hosts; other regions are on one host.
 */
#ifndef FL_OMP_SPANS_H
#define FL_OMP_SPANS_H

#include "omp/far.h"
#include "omp/team.h"

/* On host 0: whether the region of `n` members that `outer` begins shall be on all hosts. */
bool fl_omp_spans(const struct fl_omp_member *outer, const struct fl_omp_region *region, unsigned n);

/* Members of `n` that are on this host; *first_p: the number of the first. */
unsigned fl_omp_span_part(unsigned n, unsigned *first_p);

/* Forks: sends the region to the other hosts. */
void fl_omp_span_fork(const struct fl_omp_region *region, unsigned n,
                      const struct fl_omp_icvs *icvs);

/* The number by which all hosts know the construct that the member has met last. */
static inline uint64_t fl_omp_span_number(const struct fl_omp_member *me) {
    return me->shares + me->singles;
}

/* The next batch [*from, *to) of iterations for the member's host, as large as the schedule says.
 * False: none are left. */
bool fl_omp_span_take(const struct fl_omp_member *me, uint64_t *from, uint64_t *to);

/* Zeroed memory that members of the construct share on all hosts, one block for each use. Called by
 * one thread of each host; the memory stays until the program ends. */
void *fl_omp_span_zeros(const struct fl_omp_member *me, unsigned use, size_t bytes);

/* Memory that the program may pass to any thread of any host; free() takes it. Null: no memory is
 * left. */
void *fl_omp_program_memory(size_t bytes, size_t align);

#endif
