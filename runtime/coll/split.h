/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams of some members of a team. Each member has a struct of its own for the new team, so nothing
 * but the memory of each host, which the caller provides, is shared. Does not know where it comes
 * from.
 */
#ifndef FL_COLL_SPLIT_H
#define FL_COLL_SPLIT_H

#include "coll/team.h"

/* The first part of a split, by all members of the call's team: those with one color make a team,
 * in the order of their keys, and of their ranks where keys are equal. The caller's rank in it; a
 * negative color makes none, and team->members is 0. Fatal if there is no private memory. */
unsigned fl_coll_split(struct fl_coll_call *call, int color, int key, struct fl_coll_team *team);

/* The second part, by all members again. A new team's leader on each host (team->leader) passes
 * memory of fl_coll_bytes(team->members, team->hosts), as described there; the others null. The
 * team's choices are to be set. */
void fl_coll_split_end(struct fl_coll_call *call, struct fl_coll_team *team, void *memory);

/* By all members of a team that was split: the last call on it. Waits for all. The last member of
 * each host to return gets the memory back, the others null. */
void *fl_coll_unite(struct fl_coll_call *call, struct fl_coll_team *team);

#endif
