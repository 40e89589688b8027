/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions that span hosts: what the rest of the runtime asks of far.h. Of level 1 regions with at
 * least a member on each host, members are divided evenly; other regions are on one host.
 */
#ifndef FL_OMP_SPANS_H
#define FL_OMP_SPANS_H

#include "omp/far.h"
#include "omp/team.h"

/* On host 0: whether the region of `n` members that `outer` begins shall be on all hosts. */
bool fl_omp_spans(const struct fl_omp_member *outer, const struct fl_omp_region *region, unsigned n);

/* Members of `n` that are on this host; *first_p: the number of the first. */
unsigned fl_omp_span_part(unsigned n, unsigned *first_p);

/* The other hosts are told of it. */
void fl_omp_span_fork(const struct fl_omp_region *region, unsigned n,
                      const struct fl_omp_icvs *icvs);

/* The number by which all hosts know the construct that the member has met last. */
static inline uint64_t fl_omp_span_number(const struct fl_omp_member *me) {
    return me->shares + me->singles;
}

/* The next iterations from [*from, *to) for the member's host, as its schedule says. */
bool fl_omp_span_take(const struct fl_omp_member *me, uint64_t *from, uint64_t *to);

/* Zeros that members of the construct share on all hosts, for one of a few uses. Called by one thread
 * of each host; they stay until the program ends. */
void *fl_omp_span_zeros(const struct fl_omp_member *me, unsigned use, size_t bytes);

/* Memory that the program may hand to any thread, on several hosts to others'; free takes it. Null:
 * there is none left. */
void *fl_omp_program_memory(size_t bytes, size_t align);

#endif
