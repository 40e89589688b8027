/* SPDX-License-Identifier: BSD-3-Clause */
/* How many messages signals and the writes before them are, and their confirmations. */
#include "comm/inside.h"

#include "comm/world_for_test.h"

static _Atomic uint64_t told;

static void note(void *context, const struct fl_comm_call *call) {
    (void)context;
    atomic_store(&told, call->words[0]);
}

static void register_handlers(void) {
    fl_comm_register(FL_COMM_BARRIER, note, NULL);
}

static void await_told(uint64_t value) {
    while (atomic_load(&told) != value) {
        fl_comm_poll();
    }
}

static void tell(unsigned to, uint64_t value) {
    fl_comm_tell(to, FL_COMM_BARRIER, &value, 1, NULL, 0);
}

static uint64_t messages_sent(void) {
    struct fl_comm_traffic traffic;
    (void)fl_comm_settled(&traffic);
    return traffic.sent;
}

/* A tell behind small writes is one message with them, and finds what they wrote. Where the thread loses
 * its CPU between the two, the writes may leave alone. */
static bool tells_behind_writes(unsigned me, void *context) {
    enum { ROUNDS = 50, WRITES = 3, STRIDE = 64 };
    uint64_t at = fl_space_address(&space, 1, 0), sent = messages_sent();
    bool good = true;
    (void)context;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        for (unsigned w = 0; w < WRITES; w++) {
            uint64_t *word = (uint64_t *)(uintptr_t)(at + w * STRIDE);
            if (me == 0) {
                fl_comm_put_relaxed((uint64_t)word, &i, sizeof i);
            } else if (w == 0) {
                await_told(i);
            }
            good = good && (me == 0 || *word == i);
        }
        tell(1 - me, i);
        if (me == 0) {
            await_told(i);
        }
    }
    fl_comm_quiet();
    return good && (me == 1 || messages_sent() - sent < ROUNDS + ROUNDS / 2);
}

static void signalled_put(unsigned to, uint64_t value) {
    fl_comm_put_soon_nb(fl_space_address(&space, to, 0), &value, sizeof value, fl_comm_signalled());
    tell(to, value);
}

/* Signalling puts between which there is no fence are not confirmed one by one, but for the first few,
 * and puts that have left alone. The answers are as many messages of the target. */
static bool confirmed_together(unsigned me, void *context) {
    enum { ROUNDS = 50 };
    uint64_t sent = messages_sent();
    (void)context;
    fl_comm_count_alone();
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        if (me == 0) {
            signalled_put(1, i);
            await_told(i);
        } else {
            await_told(i);
            tell(0, i);
        }
    }
    bool noted = fl_comm_own.n_unconfirmed == (me == 0);
    fl_comm_quiet();
    return noted && fl_comm_is_quiet() && (me == 0 || messages_sent() - sent < ROUNDS + ROUNDS / 2);
}

/* Of a thread that fences after each one, they are confirmed without being asked for. */
static bool confirmed_each(unsigned me, void *context) {
    enum { ROUNDS = 50 };
    uint64_t sent = messages_sent();
    (void)context;
    fl_comm_count_alone();
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        if (me == 0) {
            signalled_put(1, i);
            fl_comm_quiet();
        } else {
            await_told(i);
        }
        meet();
    }
    return me == 1 || messages_sent() - sent < ROUNDS + ROUNDS / 2;
}

int main(void) {
    run("a signal behind writes", new_world(2, 1, 1, tells_behind_writes));
    run("confirmed when a fence comes", new_world(2, 1, 1, confirmed_together));
    run("each confirmed before its fence", new_world(2, 1, 1, confirmed_each));
    return test_done();
}
