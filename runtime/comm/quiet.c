/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of a thread's accesses have ended, and the wait until they all have. An access ends when its
 * confirmation arrives, a message by itself. Signalling puts need none as long as no fence waits for
 * them: their targets learn by the signal. So those of a thread that seldom fences are tells, which
 * credits pay for; and when it does fence, it asks each process that it has sent some for one
 * confirmation of all. A thread that fences after a few of them (a setting) has each confirmed at once,
 * and waits for less time.
 */
#include "comm/inside.h"

struct fl_comm_op *fl_comm_relaxed(void) {
    return fl_comm_own.alone ? &fl_comm_own.op : fl_comm_group_op(&fl_comm_together);
}

/* ---- signalling puts ---- */

struct fl_comm_op *fl_comm_signalled(void) {
    return fl_comm_own.alone ? &fl_comm_own.signalled : fl_comm_relaxed();
}

/* Relaxed: it changes once, and which message it is seen at does not matter. */
static bool gets_messages_alone(unsigned proc) {
    return !fl_comm_state.one_sided ||
           atomic_load_explicit(&fl_comm_state.peers[proc].reach, memory_order_relaxed) ==
               FL_COMM_REACH_MESSAGES;
}

bool fl_comm_leaves_unconfirmed(unsigned proc, const struct fl_comm_op *op) {
    struct fl_comm_own *own = &fl_comm_own;
    uint32_t few = fl_comm_state.setup.few_signals;
    /* A one-sided access could overtake what no request tells of. */
    if (op != &own->signalled || few == 0 || !gets_messages_alone(proc)) {
        return false;
    }
    own->signals += own->signals < few;
    if (!own->seldom_fences && own->signals < few) {
        return false;
    }
    uint64_t bit = 1ull << proc % 64;
    own->n_unconfirmed += !(own->unconfirmed[proc / 64] & bit);
    own->unconfirmed[proc / 64] |= bit;
    return true;
}

/* An empty batch is confirmed when all that was sent before it has been handled. */
static void confirm(unsigned proc, struct fl_comm_op *op) {
    uint32_t charge = fl_comm_cost(0);
    fl_comm_enter_in_order(proc, charge);
    struct fl_comm_message m = {.kind = FL_COMM_KIND_RECORDS};
    m.cookie = fl_comm_cookie(fl_comm_request_new(proc, FL_COMM_KIND_PUT, charge, op));
    fl_comm_send(proc, &m, NULL, 0, false);
    fl_comm_leave();
}

static FL_COLD void confirm_all(void) {
    struct fl_comm_own *own = &fl_comm_own;
    for (unsigned i = 0; own->n_unconfirmed > 0; i++) {
        fl_assert(i <= (fl_comm_state.procs - 1) / 64);
        for (; own->unconfirmed[i]; own->n_unconfirmed--) {
            unsigned bit = (unsigned)__builtin_ctzll(own->unconfirmed[i]);
            own->unconfirmed[i] &= own->unconfirmed[i] - 1;
            confirm(i * 64 + bit, &own->signalled);
        }
    }
}

/* Whether there are some, all to one process. */
static bool all_to(unsigned proc) {
    const struct fl_comm_own *own = &fl_comm_own;
    return own->n_unconfirmed == 1 && own->unconfirmed[proc / 64] >> proc % 64 & 1;
}

static void await_signalled(void) {
    struct fl_comm_own *own = &fl_comm_own;
    if (own->n_unconfirmed > 0) {
        confirm_all();
    }
    if (own->signals > 0) {
        own->seldom_fences = own->signals == fl_comm_state.setup.few_signals;
        own->signals = 0;
    }
    fl_comm_wait(&own->signalled);
}

/* ---- fences ---- */

void fl_comm_quiet_unsignalled(void) {
    fl_read_cache_drop();
    fl_comm_flush_common();
    fl_comm_wait(&fl_comm_own.op);
    fl_comm_group_wait(&fl_comm_together);
}

void fl_comm_quiet(void) {
    fl_comm_quiet_unsignalled();
    await_signalled();
}

void fl_comm_quiet_unsignalled_elsewhere(unsigned proc) {
    const struct fl_comm_own *own = &fl_comm_own;
    bool is_elsewhere =
        !fl_comm_has_ended(&fl_comm_own.op) && (own->goes_to_several || own->proc != proc);
    if (is_elsewhere || !fl_comm_group_ended(&fl_comm_together)) {
        fl_comm_quiet_unsignalled();
    } else {
        fl_read_cache_drop();
    }
}

void fl_comm_quiet_elsewhere(unsigned proc) {
    fl_comm_quiet_unsignalled_elsewhere(proc);
    if (!fl_comm_has_ended(&fl_comm_own.signalled) || !all_to(proc)) {
        await_signalled();
    }
}
