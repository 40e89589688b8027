/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs.h. Free runs are kept by size class, as in Doug Lea's allocator, with their length at
 * both ends, so that neighbours merge in constant time (Knuth, TAOCP 1, 2.5, boundary tags). */
#include "space/runs.h"

#include "core/assert.h"

enum { LOOKS = 32 }; /* in the one bin whose runs may be too short */

void fl_runs_link(struct fl_granule *table, uint32_t *head, uint32_t run) {
    fl_assert(run > 0 && run != *head && (!*head || table[*head].before == 0));
    table[run].before = 0;
    table[run].next = *head;
    if (*head) {
        table[*head].before = run;
    }
    *head = run;
}

void fl_runs_unlink(struct fl_granule *table, uint32_t *head, uint32_t run) {
    uint32_t next = table[run].next;
    uint32_t before = table[run].before;
    fl_assert(before ? table[before].next == run : *head == run);
    fl_assert(!next || table[next].before == run);
    if (before) {
        table[before].next = next;
    } else {
        *head = next;
    }
    if (next) {
        table[next].before = before;
    }
    table[run].next = table[run].before = 0;
}

static uint32_t *bin_of(struct fl_heap_arena *arena, uint32_t granules) {
    return &arena->free_runs[fl_log2_floor(granules)];
}

static void set_free(struct fl_granule *table, struct fl_heap_arena *arena, uint32_t run,
                     uint32_t granules) {
    fl_assert(granules > 0 && run >= arena->first && run + granules < arena->top);
    struct fl_granule *last = &table[run + granules - 1];
    last->kind = FL_GRANULE_FREE;
    last->granules = granules;
    table[run].kind = FL_GRANULE_FREE;
    table[run].granules = granules;
    fl_runs_link(table, bin_of(arena, granules), run);
}

/* Whether both ends of the run say that it is free and so long. */
static bool is_free(const struct fl_granule *table, uint32_t run, uint32_t granules) {
    const struct fl_granule *first = &table[run], *last = &table[run + granules - 1];
    return granules > 0 && first->kind == FL_GRANULE_FREE && last->kind == FL_GRANULE_FREE &&
           first->granules == granules && last->granules == granules;
}

/* Takes a free run off its list; its ends become unknown granules. */
static void unset_free(struct fl_granule *table, struct fl_heap_arena *arena, uint32_t run) {
    uint32_t granules = table[run].granules;
    fl_assert(is_free(table, run, granules));
    fl_runs_unlink(table, bin_of(arena, granules), run);
    table[run + granules - 1].kind = FL_GRANULE_NONE;
    table[run].kind = FL_GRANULE_NONE;
}

static uint32_t find(const struct fl_granule *table, const struct fl_heap_arena *arena,
                     uint32_t granules) {
    unsigned bin = fl_log2_floor(granules);
    uint32_t run = arena->free_runs[bin];
    for (unsigned i = 0; run && i < LOOKS; i++) {
        if (table[run].granules >= granules) {
            return run;
        }
        run = table[run].next;
    }
    while (++bin < FL_HEAP_BINS) {
        if (arena->free_runs[bin]) {
            return arena->free_runs[bin];
        }
    }
    return 0;
}

uint32_t fl_runs_take(struct fl_granule *table, struct fl_heap_arena *arena, uint32_t granules) {
    uint32_t run = find(table, arena, granules);
    if (run) {
        fl_assert(table[run].granules >= granules);
        uint32_t rest = table[run].granules - granules;
        unset_free(table, arena, run);
        if (rest) {
            set_free(table, arena, run + granules, rest);
        }
    } else if (arena->limit - arena->top >= granules) {
        run = arena->top;
        arena->top += granules;
    } else {
        return 0;
    }
    fl_assert(run >= arena->first && run + granules <= arena->top && arena->top <= arena->limit);
    table[run].granules = granules;
    return run;
}

void fl_runs_return(struct fl_granule *table, struct fl_heap_arena *arena, uint32_t run) {
    uint32_t granules = table[run].granules;
    uint32_t after = run + granules;
    fl_assert(granules > 0 && table[run].kind != FL_GRANULE_FREE);
    fl_assert(run >= arena->first && after <= arena->top);
    table[run].kind = FL_GRANULE_NONE;
    if (after < arena->top && table[after].kind == FL_GRANULE_FREE) {
        granules += table[after].granules;
        unset_free(table, arena, after);
    }
    if (run > arena->first && table[run - 1].kind == FL_GRANULE_FREE) {
        uint32_t first = run - table[run - 1].granules;
        granules += table[first].granules;
        unset_free(table, arena, first);
        run = first;
    }
    if (run + granules == arena->top) {
        arena->top = run;
    } else {
        set_free(table, arena, run, granules);
    }
}
