/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs whose members are of several hosts: what goes to another one, and its handler there. */
#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"
#include "sync/pairs.h"

#include <inttypes.h>
#include <string.h>

enum what { SIGNAL, CELL, TAKEN };

static fl_comm_handler take;

void fl_pairs_start(struct fl_pairs_hub *hub) {
    fl_comm_register(FL_COMM_PAIRS, take, hub);
}

void fl_pairs_connect(struct fl_pairs_hub *hub, struct fl_pairs *pairs, uint64_t id,
                      const struct fl_layout *layout) {
    pairs->id = id;
    pairs->layout = layout;
    fl_mutex_lock(&hub->mutex);
    pairs->next = hub->first;
    hub->first = pairs;
    fl_mutex_unlock(&hub->mutex);
}

void fl_pairs_disconnect(struct fl_pairs_hub *hub, struct fl_pairs *pairs) {
    fl_mutex_lock(&hub->mutex);
    struct fl_pairs **at = &hub->first;
    while (*at != pairs) {
        fl_assert(*at);
        at = &(*at)->next;
    }
    *at = pairs->next;
    fl_mutex_unlock(&hub->mutex);
}

static const struct fl_pairs *find(struct fl_pairs_hub *hub, uint64_t id) {
    fl_mutex_lock(&hub->mutex);
    const struct fl_pairs *pairs = hub->first;
    while (pairs && pairs->id != id) {
        pairs = pairs->next;
    }
    fl_mutex_unlock(&hub->mutex);
    return pairs;
}

static unsigned proc_of(const struct fl_pairs *pairs, unsigned member) {
    return fl_layout_proc_of_thread(pairs->layout,
                                    pairs->threads ? pairs->threads[member] : member);
}

static void tell(const struct fl_pairs *pairs, enum what what, unsigned me, unsigned to,
                 const struct fl_pairs_cell *cell) {
    const struct fl_pairs_peer *peer = fl_pairs_peer(pairs, me, to);
    const uint64_t words[] = {pairs->id, what, me, to, peer->received, peer->sent};
    fl_comm_tell(proc_of(pairs, to), FL_COMM_PAIRS, words, 6, cell ? cell->bytes : NULL,
                 cell ? sizeof cell->bytes : 0);
}

void fl_pairs_signal_far(const struct fl_pairs *pairs, unsigned me, unsigned to, bool strict) {
    if (strict) {
        const uint64_t words[] = {pairs->id, SIGNAL, me, to, 0, 0};
        fl_comm_ask_nb(proc_of(pairs, to), FL_COMM_PAIRS, words, 6, NULL, 0, fl_comm_relaxed());
    } else {
        tell(pairs, SIGNAL, me, to, NULL);
    }
}

void fl_pairs_send_far(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    tell(pairs, CELL, me, to, &pairs->inboxes[me]->away);
}

void fl_pairs_tell_taken_far(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    tell(pairs, TAKEN, me, to, NULL);
}

static void take(void *context, const struct fl_comm_call *call) {
    const struct fl_pairs *pairs = find(context, call->words[0]);
    unsigned from = (unsigned)call->words[2], to = (unsigned)call->words[3];
    if (!pairs || from >= pairs->members || to >= pairs->members || !fl_pairs_is_here(pairs, to)) {
        fl_fatal(FL_CODE_BAD_MESSAGE,
                 "process %u sent a signal from member %u to member %u of the group 0x%" PRIx64
                 ", which is not known here",
                 call->asker.proc, from, to, call->words[0]);
    }
    uint32_t received = (uint32_t)call->words[4], sent = (uint32_t)call->words[5];
    switch ((enum what)call->words[1]) {
    case SIGNAL:
        fl_pairs_signal_here(pairs, from, to);
        if (call->asker.cookie) {
            fl_comm_answer(call->asker, NULL, 0, NULL, 0);
        }
        break;
    case TAKEN:
        fl_pairs_tell_taken_here(pairs, from, to, received);
        break;
    case CELL: {
        struct fl_pairs_cell *cell =
            &fl_pairs_from(pairs, to, from)->cells[(sent - 1) % FL_PAIRS_CELLS];
        memcpy(cell->bytes, call->payload, sizeof cell->bytes);
        cell->taken = received;
        fl_pairs_publish_here(pairs, to, cell, sent);
        break;
    }
    }
}
