/* SPDX-License-Identifier: BSD-3-Clause */
/* See pairs.h. */
#include "sync/pairs.h"

#include "core/assert.h"

uint64_t fl_pairs_bytes(unsigned members) {
    return fl_pairs_from_offset(members) + members * sizeof(struct fl_pairs_from);
}

/* Polls of the word before a wait becomes slow: none if comm must be polled in between, which is
 * slow. */
static uint32_t spins(const struct fl_pairs *pairs) {
    return fl_wait_service.poll ? 0 : pairs->policy.spins;
}

/* Waits, with a reason for reports, perhaps with `other`; restores the caller's reason. */
static FL_COLD void wait_slow(const struct fl_pairs *pairs, unsigned me, const unsigned *other,
                              fl_wait_condition *reached, void *context) {
    /* Relaxed: the calling thread's own. */
    const char *said = atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    int line = 0;
    if (other) {
        line = 1 + (int)(pairs->threads ? pairs->threads[*other] : *other);
    }
    fl_wait_begin(said ? said : pairs->what, NULL, line);
    fl_wait_at_bell(&pairs->inboxes[me]->bell, reached, context, pairs->policy);
    fl_wait_begin(said, NULL, 0);
}

/* A change for which a member waits: a word becomes `value`, or is no longer `value`. */
struct change {
    const _Atomic uint32_t *word;
    uint32_t value;
    bool equal;
};

static bool has_happened(void *context) {
    const struct change *change = context;
    /* [Q2] pairs [Q1], [Q4] pairs [Q3], [Q6] pairs [Q5]; seq_cst for the bell. */
    return (atomic_load_explicit(change->word, memory_order_seq_cst) == change->value) ==
           change->equal;
}

static void wait_for(const struct fl_pairs *pairs, unsigned me, unsigned other,
                     struct change change) {
    for (uint32_t i = spins(pairs); i > 0; i--) {
        if (has_happened(&change)) {
            return;
        }
    }
    wait_slow(pairs, me, &other, has_happened, &change);
}

void fl_pairs_wait_slow(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    const struct change change = {fl_pairs_signals(pairs, from, me),
                                  fl_pairs_peer(pairs, me, from)->waited, false};
    wait_for(pairs, me, from, change);
}

const void *fl_pairs_await_slow(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    const struct fl_pairs_cell *cell = fl_pairs_next_in(pairs, me, from);
    const struct change change = {&cell->turn, fl_pairs_peer(pairs, me, from)->received + 1, true};
    wait_for(pairs, me, from, change);
    return cell->bytes;
}

void fl_pairs_room_slow(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    struct fl_pairs_peer *peer = fl_pairs_peer(pairs, me, to);
    const _Atomic uint32_t *taken = &fl_pairs_from(pairs, me, to)->taken;
    /* [Q6] pairs [Q5]. */
    while (peer->room = atomic_load_explicit(taken, memory_order_acquire),
           peer->sent - peer->room >= FL_PAIRS_CELLS) {
        wait_for(pairs, me, to, (struct change){taken, peer->room, false});
    }
}

struct any {
    const struct fl_pairs *pairs;
    unsigned me;
    const unsigned *from;
    size_t n, at; /* where it looks first, and where it has found one */
};

static bool any_has_signalled(void *context) {
    struct any *any = context;
    for (size_t i = 0, at = any->at; i < any->n; i++) {
        if (fl_pairs_has(any->pairs, any->me, any->from[at])) {
            any->at = at;
            return true;
        }
        at = at + 1 < any->n ? at + 1 : 0;
    }
    return false;
}

size_t fl_pairs_wait_any(const struct fl_pairs *pairs, unsigned me, const unsigned *from, size_t n,
                         size_t first) {
    struct any any = {pairs, me, from, n, first < n ? first : 0};
    bool found = any_has_signalled(&any);
    for (size_t looks = spins(pairs); !found && looks > n; looks -= n) {
        found = any_has_signalled(&any);
    }
    if (!found) {
        wait_slow(pairs, me, NULL, any_has_signalled, &any);
    }
    fl_assert(any.at < n && fl_pairs_has(pairs, me, from[any.at]));
    fl_pairs_peer(pairs, me, from[any.at])->waited++;
    return any.at;
}
