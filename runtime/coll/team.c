/* SPDX-License-Identifier: BSD-3-Clause */
/* See team.h. */
#include "coll/team.h"

uint64_t fl_coll_bytes(unsigned threads) {
    return fl_round_up(sizeof(struct fl_coll_center), sizeof(struct fl_coll_slot)) +
           2 * ((uint64_t)threads + 1) * sizeof(struct fl_coll_slot);
}

void fl_coll_attach(struct fl_coll_team *team, void *memory, const struct fl_barrier *barrier,
                    uint64_t stride) {
    team->threads = barrier->threads;
    team->stride = stride;
    team->barrier = barrier;
    team->center = memory;
    team->slots = (struct fl_coll_slot *)((char *)memory + fl_round_up(sizeof *team->center,
                                                                       sizeof *team->slots));
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
    return &call->team->slots[((last + 1) & 1) * ((size_t)call->team->threads + 1)];
}

bool fl_coll_arrive(const struct fl_coll_call *call) {
    struct fl_coll_center *center = call->team->center;
    /* [K1] pairs itself: the last to arrive sees what all wrote on the board. */
    uint32_t before = atomic_fetch_add_explicit(&center->arrived, 1, memory_order_acq_rel);
    if (before + 1 < call->team->threads) {
        return false;
    }
    /* Relaxed: nobody arrives at the next meeting before this one is over, which publishes it. */
    atomic_store_explicit(&center->arrived, 0, memory_order_relaxed);
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
