/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that wait until this host has left a meeting, or has the diffs that come before them.
 * They are served in the order of their arrival, except that a request of a host, for pages or an
 * operation, does not hold up what that host sends after it. For handlers.
 */
#include "dsm/inside.h"

#include <stdlib.h>
#include <string.h>

struct fl_dsm_deferred {
    struct fl_dsm_deferred *next;
    fl_defer_action *act;
    enum fl_defer_order order;
    struct fl_comm_call call;
    uint64_t word;
    _Alignas(uint64_t) unsigned char payload[];
};

/* Meetings that are over. A host that has left one already knows homes that this one does not.
 * [F1] pairs [F2]: a deferred message is counted before it is tried again, so that either this sees
 * the end of the meeting, or the thread that ends it sees the count. */
static uint32_t epoch_now(void) {
    return atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_seq_cst);
}

/* A served message may be what another waits for: so again, until none is served. */
static void serve_deferred(void) {
    enum { NOTHING, REQUESTS, ALL };
    unsigned char waits[fl_dsm.hosts]; /* [host]: what of its messages stays */
    for (bool again = true; again;) {
        again = false;
        uint32_t epoch = epoch_now();
        memset(waits, NOTHING, sizeof waits);
        struct fl_dsm_deferred **at = &fl_dsm.deferred.all;
        while (*at) {
            struct fl_dsm_deferred *one = *at;
            unsigned char *wait = &waits[one->call.asker.proc];
            unsigned most = one->order == FL_DEFER_BEHIND_ALL ? NOTHING : REQUESTS;
            if (*wait > most || !one->act(&one->call, epoch)) {
                *wait = one->order == FL_DEFER_REQUEST && *wait < ALL ? REQUESTS : ALL;
                at = &one->next;
                continue;
            }
            again = true;
            *at = one->next;
            free(one);
            atomic_fetch_sub_explicit(&fl_dsm.deferred.n, 1, memory_order_relaxed);
        }
    }
}

static void defer(const struct fl_comm_call *call, enum fl_defer_order order,
                  fl_defer_action *act) {
    struct fl_dsm_deferred *one = FL_ALLOCATED(malloc(sizeof *one + call->bytes),
                                               "messages of other hosts");
    *one = (struct fl_dsm_deferred){
        .act = act, .order = order, .call = *call, .word = call->words[0]};
    one->call.words = &one->word;
    one->call.payload = one->payload;
    if (call->bytes > 0) {
        memcpy(one->payload, call->payload, call->bytes);
    }
    struct fl_dsm_deferred **last = &fl_dsm.deferred.all;
    while (*last) {
        last = &(*last)->next;
    }
    *last = one;
    /* [F1]. */
    atomic_fetch_add_explicit(&fl_dsm.deferred.n, 1, memory_order_seq_cst);
}

void fl_defer_serve(const struct fl_comm_call *call, enum fl_defer_order order,
                    fl_defer_action *act) {
    if (fl_dsm.deferred.all || !act(call, epoch_now())) {
        defer(call, order, act);
        serve_deferred();
    }
}

bool fl_defer_is_due(const struct fl_comm_call *call, uint32_t epoch, struct fl_text *said,
                     uint32_t *theirs_p) {
    if (!fl_text_number(said, theirs_p)) {
        fl_dsm_bad(call, "it is of no time");
    }
    return *theirs_p <= epoch || fl_meet_is_ahead(call->asker.proc, *theirs_p, epoch);
}

bool fl_defer_have_come(const struct fl_comm_call *call, struct fl_text *said) {
    uint32_t needed[fl_dsm.hosts];
    if (!fl_time_hear(fl_dsm.hosts, said, needed)) {
        fl_dsm_bad(call, "it is of no time");
    }
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        /* Relaxed: only handlers write it, and this is one. */
        if (atomic_load_explicit(&fl_dsm.arrived[h], memory_order_relaxed) < needed[h]) {
            return false;
        }
    }
    return true;
}

void fl_dsm_serve_retry(const struct fl_comm_call *call, const struct fl_dsm_retry_message *word) {
    (void)call;
    (void)word;
    serve_deferred();
}

void fl_defer_retry(void) {
    /* [F2] pairs [F1]. */
    if (atomic_load_explicit(&fl_dsm.deferred.n, memory_order_seq_cst)) {
        FL_DSM_SEND(fl_dsm.me, retry, NULL, 0);
    }
}
