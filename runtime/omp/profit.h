/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether distributing parallel regions over hosts pays. Regions that are short, and touch what
 * other hosts have written, take longer on several hosts than on one. So host 0 measures the
 * regions that it distributes; once waiting for other hosts has cost more than a try does, it tries
 * the cheap ones with all their threads on itself, and keeps them there as long as that is faster:
 * an explore-and-commit policy, whose rounds double (T. Lai, H. Robbins, Asymptotically efficient
 * adaptive allocation rules, Advances in Applied Mathematics 1985). Only in programs that cannot
 * tell on which host a thread is.
 *
 * Used by the thread that begins regions on several hosts, alone.
 */
#ifndef FL_OMP_PROFIT_H
#define FL_OMP_PROFIT_H

#include "omp/team.h"

/* A region of `n` threads begins that may be distributed. Returns whether it shall be. */
bool fl_omp_profit_distributes(const struct fl_omp_region *region, unsigned n);

/* The calling thread begins its part of the region; and has executed it. */
void fl_omp_profit_part_begins(void);
void fl_omp_profit_part_ended(void);

/* The region is over. */
void fl_omp_profit_region_ended(void);

#endif
