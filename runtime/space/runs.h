/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of granules of one heap: taking them, returning them, merging neighbours. The caller holds
 * the heap's mutex, and sets the kind of what it took.
 */
#ifndef FL_SPACE_RUNS_H
#define FL_SPACE_RUNS_H

#include "space/heap.h"

/* The first granule of a run of `granules` > 0; 0 if no run is long enough. */
uint32_t fl_runs_take(struct fl_granule *table, struct fl_heap_arena *arena, uint32_t granules);

/* Returns a run that fl_runs_take gave. */
void fl_runs_return(struct fl_granule *table, struct fl_heap_arena *arena, uint32_t run);

/* Doubly linked lists through the table, for free runs and for granules with free slots. */
void fl_runs_link(struct fl_granule *table, uint32_t *head, uint32_t run);
void fl_runs_unlink(struct fl_granule *table, uint32_t *head, uint32_t run);

#endif
