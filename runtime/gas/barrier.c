/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split-phase barrier of all ranks, with names. The ranks of a host arrive at one word, which
 * combines their names; the last rank starts the rounds between hosts (sync/rounds.h). A rank
 * notifies the next barrier only after it has seen the end of this one, so one word suffices. A
 * waiting rank serves messages, and each of its sleeps has a time limit.
 */
#include "gas/inside.h"

/* The combined state of several ranks: their number, a name if any, whether names differ, and whether
 * ranks have come to end (gas_finish), to go on, or to leave (gas_leave). */
#define COUNT 0xfffffull
#define NAMED (1ull << 20)
#define DIFFER (1ull << 21)
#define ENDS (1ull << 22)
#define GOES_ON (1ull << 23)
#define LEAVES (1ull << 24)
#define ID(state) ((int)(uint32_t)((state) >> 32))

static uint64_t join(uint64_t a, uint64_t b) {
    uint64_t state = (a & COUNT) + (b & COUNT);
    state |= (a | b) & (NAMED | DIFFER | ENDS | GOES_ON | LEAVES);
    if ((a & NAMED) && (b & NAMED) && ID(a) != ID(b)) {
        state |= DIFFER;
    }
    return state | (uint64_t)(uint32_t)(a & NAMED ? ID(a) : ID(b)) << 32;
}

static void release_host(uint64_t said) {
    struct gas_shared *shared = gas_process.shared;
    bool differ = said & DIFFER;
    shared->name = said;
    /* Relaxed: only one barrier is active, and [B2] orders consecutive ones. */
    uint32_t over = atomic_load_explicit(&shared->over, memory_order_relaxed);
    atomic_store_explicit(&shared->arrived, 0, memory_order_relaxed);
    /* [B2] pairs [B3]: else a rank misses what another one wrote before its notify. */
    atomic_store_explicit(&shared->over, (over & ~1u) + 2 + differ, memory_order_release);
    gas_wake_sleepers();
}

/* The state of this host combined with those received in the first `rounds` rounds. */
static uint64_t join_heard(const struct gas_stage *stage, unsigned rounds) {
    uint64_t state = stage->said;
    for (unsigned round = 0; round < rounds; round++) {
        state = join(state, stage->heard[round]);
    }
    return state;
}

static void tell(const struct gas_stage *stage, uint32_t epoch, unsigned round) {
    unsigned host = (gas_process.job.host + (1u << round)) % gas_process.job.hosts;
    const uint64_t words[] = {(uint64_t)epoch << 32 | round << 8 | GAS_WIRE_ARRIVED,
                              join_heard(stage, round)};
    fl_comm_tell(gas_process.layout.at[host].proc, FL_COMM_GAS, words, 2, NULL, 0);
}

static void happen(uint32_t epoch, uint32_t bit) {
    struct gas_stage *stage = &gas_process.shared->stages[epoch & 1];
    unsigned rounds = fl_log2_ceil(gas_process.job.hosts);
    struct fl_rounds_event event = fl_rounds_happen(&stage->state, rounds, epoch, bit);
    for (unsigned round = event.from; round < event.to; round++) {
        tell(stage, epoch, round);
    }
    if (event.is_last) {
        release_host(join_heard(stage, rounds));
    }
}

static void host_arrived(uint32_t epoch, uint64_t state) {
    if (gas_process.job.hosts == 1) {
        release_host(state);
        return;
    }
    gas_process.shared->stages[epoch & 1].said = state & ~COUNT;
    happen(epoch, FL_ROUNDS_ARRIVED);
}

void gas_barrier_serve(const struct fl_comm_call *call) {
    uint32_t epoch = (uint32_t)(call->words[0] >> 32);
    unsigned round = call->words[0] >> 8 & 0xff;
    if (call->n_words == 2 && round < fl_log2_ceil(gas_process.job.hosts)) {
        gas_process.shared->stages[epoch & 1].heard[round] = call->words[1];
        happen(epoch, fl_rounds_heard(round));
    }
}

static void notify(int id, unsigned flags, uint64_t then) {
    struct gas_process *gas = &gas_process;
    if (gas->barrier.notified) {
        gas_misuse("gas_barrier_notify without gas_barrier_wait after the one before");
    }
    gas->barrier.notified = true;
    gas->barrier.named = !(flags & GAS_BARRIER_ANONYMOUS);
    gas->barrier.mismatch = flags & GAS_BARRIER_MISMATCH;
    gas->barrier.id = id;
    gas->barrier.epoch++;
    uint64_t mine = 1 | then | (gas->barrier.mismatch ? DIFFER : 0);
    if (gas->barrier.named && !gas->barrier.mismatch) {
        mine |= NAMED | (uint64_t)(uint32_t)id << 32;
    }
    /* Relaxed: the compare-and-swap rejects a stale value. */
    uint64_t before = atomic_load_explicit(&gas->shared->arrived, memory_order_relaxed);
    uint64_t state;
    do {
        state = join(before, mine);
        /* [B1] pairs itself: the last rank acquires what the others wrote before they arrived. */
    } while (!atomic_compare_exchange_weak_explicit(&gas->shared->arrived, &before, state,
                                                    memory_order_acq_rel, memory_order_relaxed));
    if ((state & COUNT) == gas->am.procs) {
        host_arrived(gas->barrier.epoch, state);
    }
}

void gas_barrier_notify(int id, unsigned flags) {
    notify(id, flags, GOES_ON);
}

static bool is_over(void) {
    /* [B3] pairs [B2]. */
    uint32_t over = atomic_load_explicit(&gas_process.shared->over, memory_order_acquire);
    return over >> 1 == (gas_process.barrier.epoch & UINT32_MAX >> 1);
}

/* A plain read: `name` changes only when a barrier ends that this rank has notified. */
static bool some_end_others_not(void) {
    return (gas_process.shared->name & (ENDS | GOES_ON)) == (ENDS | GOES_ON);
}

static int leave(int id, unsigned flags) {
    if (FL_UNLIKELY(some_end_others_not())) {
        gas_ends_without_others("this rank is at a barrier, but another has ended instead");
    }
    bool named = !(flags & GAS_BARRIER_ANONYMOUS);
    bool same = named == gas_process.barrier.named && (!named || id == gas_process.barrier.id);
    gas_process.barrier.notified = false;
    /* Relaxed: is_over has acquired this value. */
    uint32_t over = atomic_load_explicit(&gas_process.shared->over, memory_order_relaxed);
    return (over & 1) || !same ? GAS_ERR_BARRIER_MISMATCH : GAS_OK;
}

static void check_notified(void) {
    if (!gas_process.barrier.notified) {
        gas_misuse("a barrier is waited for without gas_barrier_notify");
    }
}

int gas_barrier_try(int id, unsigned flags) {
    check_notified();
    gas_poll();
    return is_over() ? leave(id, flags) : GAS_ERR_NOT_READY;
}

int gas_barrier_wait(int id, unsigned flags) {
    check_notified();
    fl_wait_begin("a barrier", NULL, 0);
    GAS_BLOCK_UNTIL(is_over());
    fl_wait_end();
    return leave(id, flags);
}

/* A plain read: `name` changes only when a barrier ends that this rank has notified. */
int gas_barrier_name(int *id_p) {
    uint64_t said = gas_process.shared->name;
    *id_p = ID(said);
    return said & NAMED ? 1 : 0;
}

void gas_barrier_at_end(uint64_t limit_ns) {
    notify(0, GAS_BARRIER_ANONYMOUS, ENDS);
    uint64_t begin = fl_os_now_ns();
    bool said = false;
    fl_wait_begin("the end of the other ranks", NULL, 0);
    for (struct gas_patience patience = {0}; !is_over();) {
        gas_wait_step(&patience);
        if (!said && fl_os_now_ns() - begin > limit_ns) {
            said = true;
            gas_ends_late(limit_ns);
        }
    }
    fl_wait_end();
    if (some_end_others_not()) {
        gas_ends_without_others("this rank has ended, but another is at a barrier instead");
    }
}

bool gas_barrier_leave(uint64_t deadline_ns) {
    if (gas_process.barrier.notified) {
        return false;
    }
    notify(0, GAS_BARRIER_ANONYMOUS, LEAVES);
    while (!is_over()) {
        if (fl_os_now_ns() > deadline_ns) {
            return false;
        }
        fl_os_nap(); /* runs no handler, because the caller may hold a lock that it needs */
    }
    return (gas_process.shared->name & (ENDS | GOES_ON | LEAVES)) == LEAVES;
}

void gas_barrier(void) {
    gas_barrier_notify(0, GAS_BARRIER_ANONYMOUS);
    (void)gas_barrier_wait(0, GAS_BARRIER_ANONYMOUS);
}
