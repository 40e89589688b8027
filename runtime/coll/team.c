/* SPDX-License-Identifier: BSD-3-Clause */
/* See team.h. */
#include "coll/team.h"

#include "comm/comm.h"

#include <string.h>

uint64_t fl_coll_bytes(unsigned threads) {
    return fl_round_up(sizeof(struct fl_coll_center), sizeof(struct fl_coll_slot)) +
           2 * ((uint64_t)threads + 1) * sizeof(struct fl_coll_slot);
}

static fl_comm_handler take_slots;

void fl_coll_attach(struct fl_coll_team *team, void *memory, const struct fl_barrier *barrier,
                    const struct fl_layout *layout, uint64_t stride) {
    team->threads = layout->threads;
    team->layout = layout;
    team->stride = stride;
    team->barrier = barrier;
    team->center = memory;
    team->slots = (struct fl_coll_slot *)((char *)memory + fl_round_up(sizeof *team->center,
                                                                       sizeof *team->slots));
    if (layout->hosts > 1) {
        fl_comm_register(FL_COMM_COLL, take_slots, team);
    }
}

static struct fl_coll_slot *board_of(const struct fl_coll_team *team, uint32_t meeting) {
    return &team->slots[(meeting & 1) * ((size_t)team->threads + 1)];
}

static void begin_wait(const struct fl_coll_call *call) {
    fl_wait_begin(call->team->barrier->names[call->kind], NULL, 0);
}

static void barrier(const struct fl_coll_call *call) {
    const struct fl_barrier_mark mark = {.kind = call->kind};
    begin_wait(call);
    fl_barrier_notify(call->team->barrier, call->thread->barrier, &mark);
    fl_barrier_wait(call->team->barrier, call->thread->barrier, &mark);
    fl_wait_end();
}

void fl_coll_begin(const struct fl_coll_call *call) {
    if (call->in != FL_COLL_NONE) {
        barrier(call);
    }
}

void fl_coll_end(const struct fl_coll_call *call) {
    if (call->out != FL_COLL_NONE) {
        barrier(call);
    }
}

/* The word cannot go past a meeting that the calling thread has not arrived at. */
static void wait_until_over(const struct fl_coll_call *call, uint32_t meeting) {
    _Atomic uint32_t *over = &call->team->center->over;
    if (FL_UNLIKELY(!fl_wait_reached(over, meeting << 1))) {
        begin_wait(call);
        fl_wait_until(over, meeting << 1, call->team->barrier->policy);
        fl_wait_end();
    }
}

struct fl_coll_slot *fl_coll_meet(const struct fl_coll_call *call) {
    uint32_t last = call->thread->meetings;
    wait_until_over(call, last);
    call->thread->meetings = (last + 1) & INT32_MAX;
    return board_of(call->team, call->thread->meetings);
}

/* A slot on its way to another host. */
struct entry {
    uint32_t index;
    uint32_t used;
    unsigned char bytes[FL_COLL_SLOT_BYTES];
};
_Static_assert(sizeof(struct entry) == FL_COLL_SLOT_BYTES + 8, "nothing between");

enum { ENTRIES = 32 }; /* in one message */

/* At the first process of each host: words are the meeting, the round, and whether it was all. */
static void take_slots(void *context, const struct fl_comm_call *call) {
    const struct fl_coll_team *team = context;
    uint32_t meeting = (uint32_t)call->words[0];
    struct fl_coll_slot *slots = board_of(team, meeting);
    for (size_t at = 0; at < call->bytes; at += sizeof(struct entry)) {
        struct entry entry;
        memcpy(&entry, (const char *)call->payload + at, sizeof entry);
        struct fl_coll_slot *slot = &slots[entry.index];
        /* Relaxed: only this process takes slots, so it wrote what it finds. A slot that has come
         * before may be on its way elsewhere now. */
        if (atomic_load_explicit(&slot->meeting, memory_order_relaxed) == meeting) {
            continue;
        }
        memcpy(slot->bytes, entry.bytes, sizeof slot->bytes);
        slot->used = entry.used;
        /* [K2] pairs [K3]: else a slot would be sent on half written. */
        atomic_store_explicit(&slot->meeting, meeting, memory_order_release);
    }
    if (call->words[2]) {
        fl_wait_publish(&team->center->came[meeting & 1][call->words[1]], meeting << 1);
    }
}

/* All that has been left on this host's board, or come to it. */
static void send_slots(const struct fl_coll_call *call, unsigned host, uint32_t round) {
    const struct fl_coll_team *team = call->team;
    uint32_t meeting = call->thread->meetings;
    const struct fl_coll_slot *slots = board_of(team, meeting);
    unsigned proc = team->layout->at[host].proc;
    struct entry entries[ENTRIES];
    unsigned n = 0;
    for (unsigned i = 0; i < team->threads; i++) {
        /* [K3] pairs [K2]. */
        if (atomic_load_explicit(&slots[i].meeting, memory_order_acquire) != meeting) {
            continue;
        }
        if (n == ENTRIES) {
            fl_comm_tell(proc, FL_COMM_COLL, (const uint64_t[]){meeting, round, false}, 3, entries,
                         sizeof entries);
            n = 0;
        }
        entries[n].index = i;
        entries[n].used = slots[i].used;
        memcpy(entries[n++].bytes, slots[i].bytes, sizeof slots[i].bytes);
    }
    fl_comm_tell(proc, FL_COMM_COLL, (const uint64_t[]){meeting, round, true}, 3, entries,
                 n * sizeof *entries);
}

/* Makes all hosts' boards alike; for the last to arrive on each. */
static FL_COLD void exchange_slots(const struct fl_coll_call *call) {
    const struct fl_layout *layout = call->team->layout;
    uint32_t meeting = call->thread->meetings;
    begin_wait(call);
    for (unsigned round = 0, step = 1; step < layout->hosts; round++, step *= 2) {
        send_slots(call, (layout->my_host + step) % layout->hosts, round);
        fl_wait_until(&call->team->center->came[meeting & 1][round], meeting << 1,
                      call->team->barrier->policy);
    }
    fl_wait_end();
}

bool fl_coll_arrive(const struct fl_coll_call *call) {
    struct fl_coll_center *center = call->team->center;
    /* [K1] pairs itself: the last to arrive sees what all wrote on the board. */
    uint32_t before = atomic_fetch_add_explicit(&center->arrived, 1, memory_order_acq_rel);
    if (before + 1 < fl_layout_my_threads(call->team->layout)) {
        return false;
    }
    /* Relaxed: nobody arrives at the next meeting before this one is over, which publishes it. */
    atomic_store_explicit(&center->arrived, 0, memory_order_relaxed);
    if (FL_UNLIKELY(call->team->layout->hosts > 1)) {
        exchange_slots(call);
    }
    return true;
}

void fl_coll_over(const struct fl_coll_call *call) {
    fl_wait_publish(&call->team->center->over, call->thread->meetings << 1);
}

void fl_coll_await(const struct fl_coll_call *call) {
    wait_until_over(call, call->thread->meetings);
}

void fl_coll_pass(const struct fl_coll_call *call, bool wait) {
    if (fl_coll_arrive(call)) {
        fl_coll_over(call);
    }
    if (wait) {
        fl_coll_await(call);
    }
}
