/* SPDX-License-Identifier: BSD-3-Clause */
/* See pairs.h. */
#include "sync/pairs.h"

uint64_t fl_pairs_bytes(unsigned members) {
    return fl_pairs_from_offset(members) + members * sizeof(struct fl_pairs_from);
}

/* A member that waits for one other, or for any of a set. */
struct waiting {
    const struct fl_pairs *pairs;
    unsigned me, other;
    const unsigned *set; /* null: for one */
    size_t n, first;
};

/* Says whom it waits for, if it takes long, and in the end again what the caller had said. */
static void wait_for(struct waiting *waiting, fl_wait_condition *reached) {
    const struct fl_pairs *pairs = waiting->pairs;
    /* Who has to poll does so between its looks. */
    for (uint32_t i = fl_wait_service.poll ? 0 : pairs->policy.spins; i > 0; i--) {
        if (reached(waiting)) {
            return;
        }
    }
    /* Relaxed: the calling thread's own. */
    const char *said = atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    unsigned thread = pairs->threads ? pairs->threads[waiting->other] : waiting->other;
    fl_wait_begin(said ? said : pairs->what, NULL, waiting->set ? 0 : (int)thread + 1);
    fl_wait_at_bell(&pairs->inboxes[waiting->me]->bell, reached, waiting, pairs->policy);
    fl_wait_begin(said, NULL, 0);
}

static bool signal_is_there(void *context) {
    const struct waiting *waiting = context;
    return fl_pairs_has(waiting->pairs, waiting->me, waiting->other);
}

void fl_pairs_wait_slow(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    wait_for(&(struct waiting){.pairs = pairs, .me = me, .other = from}, signal_is_there);
}

/* Where it finds one, is where it looks first from then on. */
static bool any_signal_is_there(void *context) {
    struct waiting *waiting = context;
    for (size_t i = 0, at = waiting->first; i < waiting->n; i++) {
        if (fl_pairs_has(waiting->pairs, waiting->me, waiting->set[at])) {
            waiting->first = at;
            return true;
        }
        at = at + 1 < waiting->n ? at + 1 : 0;
    }
    return false;
}

size_t fl_pairs_wait_any(const struct fl_pairs *pairs, unsigned me, const unsigned *from, size_t n,
                         size_t first) {
    struct waiting waiting = {
        .pairs = pairs, .me = me, .set = from, .n = n, .first = first < n ? first : 0};
    if (!any_signal_is_there(&waiting)) {
        wait_for(&waiting, any_signal_is_there);
    }
    fl_pairs_peer(pairs, me, from[waiting.first])->waited++;
    return waiting.first;
}

static bool cell_is_there(void *context) {
    const struct waiting *waiting = context;
    const struct fl_pairs_cell *cell =
        fl_pairs_next_in(waiting->pairs, waiting->me, waiting->other);
    /* [Q4] pairs [Q3]; seq_cst for the bell. */
    return atomic_load_explicit(&cell->turn, memory_order_seq_cst) ==
           fl_pairs_peer(waiting->pairs, waiting->me, waiting->other)->received + 1;
}

const void *fl_pairs_await_slow(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    wait_for(&(struct waiting){.pairs = pairs, .me = me, .other = from}, cell_is_there);
    return fl_pairs_next_in(pairs, me, from)->bytes;
}

static bool room_is_there(void *context) {
    const struct waiting *waiting = context;
    struct fl_pairs_peer *peer = fl_pairs_peer(waiting->pairs, waiting->me, waiting->other);
    const struct fl_pairs_from *from =
        fl_pairs_from(waiting->pairs, waiting->me, waiting->other);
    /* [Q6] pairs [Q5]; seq_cst for the bell. */
    peer->room = atomic_load_explicit(&from->taken, memory_order_seq_cst);
    return peer->sent - peer->room < FL_PAIRS_CELLS;
}

void fl_pairs_room_slow(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    struct waiting waiting = {.pairs = pairs, .me = me, .other = to};
    if (!room_is_there(&waiting)) {
        wait_for(&waiting, room_is_there);
    }
}
