/* SPDX-License-Identifier: BSD-3-Clause */
/* See deal.h. */
#include "omp/deal.h"

#include "core/assert.h"
#include "omp/program.h"

static uint64_t word(uint64_t tag, uint64_t first, uint64_t end) {
    fl_assert(first <= end && end <= FL_OMP_DEAL_MOST && tag <= 0xff);
    return tag << 2 * FL_OMP_DEAL_BITS | end << FL_OMP_DEAL_BITS | first;
}

static uint64_t first_of(uint64_t word) {
    return word & FL_OMP_DEAL_MOST;
}

static uint64_t end_of(uint64_t word) {
    return word >> FL_OMP_DEAL_BITS & FL_OMP_DEAL_MOST;
}

/* Chunks that are dealt: all but the last. */
static uint64_t chunks_of(const struct fl_omp_loop *loop) {
    return loop->count == 0 ? 0 : (loop->count - 1) / loop->chunk;
}

/* The tag of the loop that the member has met last. 8 bits suffice: a word was last written at most
 * FL_OMP_SHARES loops ago. */
static uint64_t tag_of(const struct fl_omp_member *me) {
    return (me->deals - 1) / FL_OMP_SHARES & 0xff;
}

static _Atomic uint64_t *word_of(const struct fl_omp_member *me, struct fl_omp_member *of) {
    return &of->dealt[(me->deals - 1) % FL_OMP_SHARES];
}

static uint64_t all_that_is_dealt(const struct fl_omp_member *me, const struct fl_omp_member *to) {
    uint64_t chunks = chunks_of(&me->loop), n = me->team->n;
    uint64_t each = chunks / n, rest = chunks % n;
    uint64_t first = each * to->index + (to->index < rest ? to->index : rest);
    return word(tag_of(me), first, first + each + (to->index < rest));
}

/* Members that share CPUs seldom contend for a shared counter, and one read of it tells them that
 * no chunk is left. */
static bool pays(const struct fl_omp_team *team) {
    return team->n > 1 && !team->far && team->busy <= fl_omp_program.cpus;
}

void fl_omp_deal_begin(struct fl_omp_member *me) {
    struct fl_omp_loop *loop = &me->loop;
    loop->dealt = NULL;
    loop->has_had_last = false;
    bool any_order = loop->schedule == FL_OMP_DYNAMIC && !loop->in_order && !loop->ordered;
    if (!any_order || !pays(me->team) || chunks_of(loop) > FL_OMP_DEAL_MOST) {
        return;
    }
    me->deals++;
    loop->dealt = word_of(me, me);
    uint64_t now = atomic_load_explicit(loop->dealt, memory_order_relaxed);
    if (now >> 2 * FL_OMP_DEAL_BITS != tag_of(me)) {
        /* If it fails, a thief has set the word, and has taken some. */
        atomic_compare_exchange_strong_explicit(loop->dealt, &now, all_that_is_dealt(me, me),
                                                memory_order_relaxed, memory_order_relaxed);
    }
}

/* Steals half of the victim's chunks, [*first, *end); false: it has none. */
static bool halve(struct fl_omp_member *me, struct fl_omp_member *victim, uint64_t *first,
                  uint64_t *end) {
    _Atomic uint64_t *dealt = word_of(me, victim);
    uint64_t tag = tag_of(me), now = atomic_load_explicit(dealt, memory_order_relaxed), left;
    do {
        left = now >> 2 * FL_OMP_DEAL_BITS == tag ? now : all_that_is_dealt(me, victim);
        *end = end_of(left);
        *first = *end - (*end - first_of(left) + 1) / 2;
        if (*first == *end) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(dealt, &now, word(tag, first_of(left), *first),
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

static bool take_last(struct fl_omp_member *me, uint64_t *chunk) {
    _Atomic uint64_t *last = &me->team->last_dealt[(me->deals - 1) % FL_OMP_SHARES];
    *chunk = chunks_of(&me->loop);
    me->loop.has_had_last =
        me->loop.count > 0 && atomic_load_explicit(last, memory_order_relaxed) != me->deals &&
        atomic_exchange_explicit(last, me->deals, memory_order_relaxed) != me->deals;
    return me->loop.has_had_last;
}

/* Whether the member's word is of this loop, and has no chunks. */
static bool has_none(const struct fl_omp_member *me) {
    uint64_t now = atomic_load_explicit(me->loop.dealt, memory_order_relaxed);
    return first_of(now) == end_of(now) && now >> 2 * FL_OMP_DEAL_BITS == tag_of(me);
}

bool fl_omp_deal_steal(struct fl_omp_member *me, uint64_t *chunk) {
    struct fl_omp_team *team = me->team;
    if (me->loop.has_had_last) {
        return false;
    }
    for (unsigned i = 1; i < team->n; i++) {
        uint64_t end;
        if (halve(me, team->members[(me->index + i) % team->n], chunk, &end)) {
            fl_assert(*chunk < end && has_none(me));
            /* No thief changes a word that has no chunks. */
            atomic_store_explicit(me->loop.dealt, word(tag_of(me), *chunk + 1, end),
                                  memory_order_relaxed);
            return true;
        }
    }
    return take_last(me, chunk);
}

void fl_omp_deal_wipe(struct fl_omp_team *team) {
    for (unsigned i = 0; i < team->made; i++) {
        for (unsigned k = 0; k < FL_OMP_SHARES; k++) {
            atomic_store_explicit(&team->members[i]->dealt[k], 0, memory_order_relaxed);
        }
    }
    for (unsigned k = 0; k < FL_OMP_SHARES; k++) {
        atomic_store_explicit(&team->last_dealt[k], 0, memory_order_relaxed);
    }
    team->deals = FL_OMP_SHARES; /* the next loops have another tag than 0 */
}
