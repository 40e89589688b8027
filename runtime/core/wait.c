/* SPDX-License-Identifier: BSD-3-Clause */
/* See wait.h. */
#include "core/wait.h"

_Thread_local struct fl_wait_reason fl_wait_reason;
struct fl_wait_service fl_wait_service;
_Thread_local void (*fl_wait_aside)(void);
_Thread_local void (*fl_wait_suspend)(void);
void (*fl_wait_vain)(void);

static void go_on_aside(void) {
    fl_wait_aside();
    if (fl_wait_poll() == 0) {
        fl_os_yield();
    }
}

void fl_wait_sleep(_Atomic uint32_t *word, uint32_t expected) {
    if (fl_wait_aside) {
        go_on_aside();
    } else {
        fl_os_futex_wait(word, expected);
    }
}

void fl_wait_sleep_for_thread(_Atomic uint32_t *word, uint32_t expected) {
    if (fl_wait_aside || !fl_wait_vain) {
        fl_wait_sleep(word, expected);
        return;
    }
    bool in_time = fl_os_futex_wait_timeout(word, expected, FL_WAIT_VAIN_NS);
    /* Relaxed: nothing is read that another thread wrote. */
    if (!in_time && atomic_load_explicit(word, memory_order_relaxed) == expected) {
        fl_wait_vain();
    }
}

struct fl_wait_policy fl_wait_choose(unsigned threads, unsigned cpus, uint64_t spins,
                                     uint64_t yields) {
    bool own_cpu = threads <= cpus;
    struct fl_wait_policy policy = {
        .spins = own_cpu ? 4000 : 1, /* about 6 us of polls; each pause between two adds 40 ns */
        .yields = own_cpu ? 200 : 32,
    };
    if (spins) {
        policy.spins = (uint32_t)spins;
    }
    if (yields) {
        policy.yields = (uint32_t)yields;
    }
    return policy;
}

void fl_wait_note_time(void) {
    atomic_store_explicit(&fl_wait_reason.since_ns, fl_os_now_ns(), memory_order_relaxed);
}

enum {
    DEAR_NS = 1000000, /* a longer yield was to a thread that computes: waiters give back sooner */
    SHUNNED = 40       /* yields that are left out after such a one */
};
static _Thread_local uint32_t shunned;

bool fl_wait_yield(void) {
    if (!fl_wait_service.avoids_long_yields || !fl_wait_service.avoids_long_yields()) {
        fl_os_yield();
        return true;
    }
    if (shunned > 0) {
        shunned--;
        return false;
    }
    uint64_t before = fl_os_now_ns();
    fl_os_yield();
    if (fl_os_now_ns() - before > DEAR_NS) {
        shunned = SHUNNED;
    }
    return true;
}

/* Reads the condition between polls of comm, for as many polls since the last message as the policy
 * has spins: a thread that serves another host is likely to get further requests, and would be
 * woken for each. */
static bool reached_by_polling(fl_wait_condition *reached, void *context,
                               struct fl_wait_policy policy) {
    for (uint32_t i = 0; i < policy.spins && !reached(context); i++) {
        if (fl_wait_poll()) {
            i = 0;
        } else if (i >= fl_wait_spins(policy) && !fl_wait_yield()) {
            break;
        }
    }
    return reached(context);
}

/* Spins and yields, before sleeping. Whether the condition has been reached. */
static bool reached_awake(fl_wait_condition *reached, void *context, struct fl_wait_policy policy) {
    if (fl_wait_service.poll && reached_by_polling(reached, context, policy)) {
        return true;
    }
    for (uint32_t i = 0; i < policy.yields && fl_wait_yield(); i++) {
        fl_wait_poll();
        if (reached(context)) {
            return true;
        }
    }
    fl_wait_note_time();
    fl_wait_rest();
    return false;
}

struct target {
    _Atomic uint32_t *word;
    uint32_t value;
    bool change; /* the wait is for the word to be `value` no longer */
};

static bool target_reached(void *context) {
    const struct target *target = context;
    return fl_wait_reached(target->word, target->value) != target->change;
}

static void wait_for(struct target target, struct fl_wait_policy policy) {
    if (reached_awake(target_reached, &target, policy)) {
        return;
    }
    _Atomic uint32_t *word = target.word;
    while (!target_reached(&target)) {
        /* Relaxed: the exchange decides whether it was right. */
        uint32_t now = atomic_load_explicit(word, memory_order_relaxed);
        uint32_t asleep = now | FL_WAIT_SLEEPING;
        if (((now & ~(uint32_t)FL_WAIT_SLEEPING) == target.value) != target.change) {
            continue;
        }
        if (now == asleep ||
            /* [W3] pairs [W1]: succeeds only if the change has not happened, whose exchange then
             * sees the bit. */
            atomic_compare_exchange_strong_explicit(word, &now, asleep, memory_order_acq_rel,
                                                    memory_order_relaxed)) {
            fl_wait_sleep_for_thread(word, asleep);
        }
    }
}

void fl_wait_until_slow(_Atomic uint32_t *word, uint32_t value, struct fl_wait_policy policy) {
    wait_for((struct target){word, value, false}, policy);
}

void fl_wait_change_slow(_Atomic uint32_t *word, uint32_t value, struct fl_wait_policy policy) {
    wait_for((struct target){word, value, true}, policy);
}

void fl_wait_ring_slow(struct fl_wait_bell *bell) {
    uint32_t now = atomic_load_explicit(&bell->rings, memory_order_relaxed);
    /* Relaxed: sleepers look again at what they wait for. The sum has the bit carried into the count.
     * A thread that finds the bit gone leaves the sleepers to the one that has rung. */
    while (now & FL_WAIT_SLEEPING) {
        if (atomic_compare_exchange_weak_explicit(&bell->rings, &now, now + FL_WAIT_SLEEPING,
                                                  memory_order_relaxed, memory_order_relaxed)) {
            fl_os_futex_wake(&bell->rings, INT32_MAX);
            return;
        }
    }
}

void fl_wait_among_others(struct fl_wait_bell *bell, fl_wait_condition *reached, void *context,
                     struct fl_wait_policy policy) {
    if (reached_awake(reached, context, policy)) {
        return;
    }
    for (;;) {
        /* [W5] pairs [W4]. */
        uint32_t asleep = FL_WAIT_SLEEPING |
            atomic_fetch_or_explicit(&bell->rings, FL_WAIT_SLEEPING, memory_order_seq_cst);
        if (reached(context)) {
            return; /* the mark stays: it may be another's */
        }
        fl_wait_sleep_for_thread(&bell->rings, asleep);
    }
}

void fl_wait_at_bell(struct fl_wait_bell *bell, fl_wait_condition *reached, void *context,
                     struct fl_wait_policy policy) {
    fl_wait_among_others(bell, reached, context, policy);
    /* Relaxed: as long as it is set, ringing only takes longer. */
    atomic_fetch_and_explicit(&bell->rings, ~(uint32_t)FL_WAIT_SLEEPING, memory_order_relaxed);
}
