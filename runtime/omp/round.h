/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether migrating tasks pays, which their origin decides by rounds: a round is some tasks that
 * have left, what that has cost on both hosts, and the time that the other hosts' CPUs were of use,
 * until all are back or enough of them. A round that has not paid is followed by a pause, longer
 * each time. Any thread, at any time; nothing blocks.
 */
#ifndef FL_OMP_ROUND_H
#define FL_OMP_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No round of the region has paid yet. */
void fl_omp_round_begin_region(void);

/* Tasks are about to leave; what it has cost to send them. */
void fl_omp_round_leave(uint64_t tasks);
void fl_omp_round_cost(uint64_t ns);

/* A task has ended elsewhere: nanoseconds of a CPU beside those for other hosts' memory and
 * locks. */
void fl_omp_round_return(uint64_t useful_ns, uint64_t spent_ns);
/* Tasks have come home, and have not begun. */
void fl_omp_round_take_back(uint64_t tasks);

struct fl_omp_round {
    bool is_open;      /* tasks are away */
    bool has_paid;     /* the last round in this region */
    bool is_worth_it;  /* no pause, and the round has paid so far: migration is likely to pay */
    uint64_t pause_ns; /* the last one; 0: the last round has paid */
};
struct fl_omp_round fl_omp_round(void);

#endif
