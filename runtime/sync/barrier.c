/* SPDX-License-Identifier: BSD-3-Clause */
/* See barrier.h. */
#include "sync/barrier.h"

#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"
#include "sync/hosts.h"
#include "sync/mismatch.h"

#include <stdio.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "a sleeper of the pair waits on the word's first four bytes");

uint64_t fl_barrier_bytes(unsigned threads) {
    uint64_t cells = (uint64_t)threads * (fl_log2_ceil(threads) + 1) * 2;
    return sizeof(struct fl_barrier_center) + 2 * sizeof(struct fl_barrier_stage) +
           cells * sizeof(struct fl_barrier_cell) + (uint64_t)threads * 2 * sizeof(struct fl_barrier_record);
}

enum fl_barrier_way fl_barrier_choose(unsigned threads, unsigned cpus) {
    if (threads > cpus) {
        return FL_BARRIER_CENTRAL;
    }
    return threads == 2 ? FL_BARRIER_PAIR : FL_BARRIER_DISSEMINATION;
}

void fl_barrier_attach(struct fl_barrier *barrier, void *memory, unsigned threads,
                       enum fl_barrier_way way, struct fl_wait_policy policy,
                       const char *const *names) {
    *barrier = (struct fl_barrier){.threads = threads, .hosts = 1, .rounds = fl_log2_ceil(threads),
                                   .way = way, .policy = policy, .names = names};
    barrier->center = memory;
    barrier->stages = (struct fl_barrier_stage *)(barrier->center + 1);
    barrier->records = (struct fl_barrier_record *)(barrier->stages + 2);
    barrier->cells = (struct fl_barrier_cell *)(barrier->records + (size_t)threads * 2);
}

static struct fl_barrier_cell *cell_of(const struct fl_barrier *barrier, unsigned thread,
                                       unsigned round, uint32_t epoch) {
    fl_assert(thread < barrier->threads && round < barrier->rounds);
    return &barrier->cells[((size_t)thread * barrier->rounds + round) * 2 + (epoch & 1)];
}

static struct fl_barrier_record *record_of(const struct fl_barrier *barrier, unsigned thread,
                                           uint32_t epoch) {
    fl_assert(thread - barrier->first < barrier->threads);
    return &barrier->records[(size_t)(thread - barrier->first) * 2 + (epoch & 1)];
}

/* The record of a thread of the job that gave the agreed value of the epoch. */
static FL_COLD const struct fl_barrier_record *record_of_giver(const struct fl_barrier *barrier,
                                                               struct fl_barrier_agreed agreed,
                                                               uint32_t epoch) {
    unsigned thread = agreed.giver - 1;
    return thread - barrier->first < barrier->threads
               ? record_of(barrier, thread, epoch)
               : fl_barrier_hosts_record(barrier, thread, epoch);
}

static FL_COLD _Noreturn void differ(const struct fl_barrier *barrier, uint32_t epoch,
                                     struct fl_barrier_agreed one, struct fl_barrier_agreed other) {
    fl_mismatch_values(record_of_giver(barrier, one, epoch),
                       record_of_giver(barrier, other, epoch));
}

static FL_COLD _Noreturn void report_kinds(const struct fl_barrier *barrier, uint32_t epoch,
                                           unsigned one, unsigned other) {
    fl_mismatch_kinds(barrier->names, record_of(barrier, one, epoch),
                      record_of(barrier, other, epoch));
}

static void merge(const struct fl_barrier *barrier, uint32_t epoch, struct fl_barrier_agreed *into,
                  struct fl_barrier_agreed other) {
    if (FL_LIKELY(other.giver == 0)) {
        return;
    }
    if (into->giver == 0) {
        *into = other;
    } else if (into->value != other.value) {
        differ(barrier, epoch, *into, other);
    }
}

/* Records the statement where other threads can read it for error messages; copies the file's name
 * only if it is another file than the last time. Otherwise other threads do not read these lines:
 * they stay in this thread's cache. */
static void record(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                   const struct fl_barrier_mark *mark) {
    struct fl_barrier_record *r = record_of(barrier, thread->me, thread->epoch);
    r->thread = thread->me;
    r->kind = mark->kind;
    r->has_value = mark->has_value;
    r->value = mark->value;
    r->line = mark->line;
    if (mark->file && thread->file[thread->epoch & 1] != mark->file) {
        thread->file[thread->epoch & 1] = mark->file;
        snprintf(r->file, sizeof r->file, "%s", mark->file);
    }
    /* Relaxed: others look at it for messages only. */
    atomic_store_explicit(&r->epoch, thread->epoch, memory_order_relaxed);
}

static void send(const struct fl_barrier *barrier, const struct fl_barrier_thread *thread,
                 unsigned round) {
    unsigned to = thread->me + (1u << round);
    if (to >= barrier->threads) {
        to -= barrier->threads;
    }
    struct fl_barrier_cell *cell = cell_of(barrier, to, round, thread->epoch);
    /* Relaxed: this thread alone changes the epoch. */
    fl_assert(atomic_load_explicit(&cell->word, memory_order_relaxed) >> 1 != thread->epoch);
    cell->agreed = thread->agreed;
    fl_wait_publish(&cell->word, thread->epoch << 1);
}

static void wait_dissemination(const struct fl_barrier *barrier, struct fl_barrier_thread *thread) {
    for (unsigned round = 0; round < barrier->rounds; round++) {
        if (round > 0) {
            send(barrier, thread, round);
        }
        struct fl_barrier_cell *cell = cell_of(barrier, thread->me, round, thread->epoch);
        fl_wait_until(&cell->word, thread->epoch << 1, barrier->policy);
        if (FL_UNLIKELY(cell->agreed.kind != thread->agreed.kind)) {
            /* Every thread depends on each other one through a chain of messages. The first thread
             * in it that finds a difference stops here, so no thread leaves the barrier. */
            unsigned back = 1u << round;
            unsigned from =
                thread->me >= back ? thread->me - back : thread->me + barrier->threads - back;
            report_kinds(barrier, thread->epoch, thread->me, from);
        }
        merge(barrier, thread->epoch, &thread->agreed, cell->agreed);
    }
}

/* The first thread that gives a value sets the one that others are compared with. Relaxed: the
 * arrival that follows publishes it. */
static void give_central(const struct fl_barrier *barrier, const struct fl_barrier_thread *thread) {
    _Atomic uint64_t *agreed = &barrier->center->agreed[thread->epoch & 1];
    uint64_t mine = (uint64_t)thread->agreed.giver << 32 | (uint32_t)thread->agreed.value;
    uint64_t none = 0;
    atomic_compare_exchange_strong_explicit(agreed, &none, mine, memory_order_relaxed,
                                            memory_order_relaxed);
}

static FL_COLD _Noreturn void find_other_kind(const struct fl_barrier *barrier,
                                              const struct fl_barrier_thread *thread) {
    unsigned other = thread->me;
    for (unsigned t = barrier->first; t < barrier->first + barrier->threads; t++) {
        if (record_of(barrier, t, thread->epoch)->kind != thread->agreed.kind) {
            other = t;
        }
    }
    report_kinds(barrier, thread->epoch, thread->me, other);
}

static void arrive_central(const struct fl_barrier *barrier,
                           const struct fl_barrier_thread *thread) {
    struct fl_barrier_center *center = barrier->center;
    uint64_t mine = (uint64_t)thread->agreed.kind << 32 | 1;
    /* [B1] pairs itself: the last to arrive has seen everything that all wrote before. */
    uint64_t sum = mine + atomic_fetch_add_explicit(&center->arrived, mine, memory_order_acq_rel);
    fl_assert((uint32_t)sum <= barrier->threads);
    if ((uint32_t)sum < barrier->threads) {
        return;
    }
    if (FL_UNLIKELY(sum != mine * barrier->threads)) {
        find_other_kind(barrier, thread); /* no thread has been released yet */
    }
    /* Relaxed: no thread reads either before the publication below, which releases them. */
    atomic_store_explicit(&center->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&center->agreed[(thread->epoch + 1) & 1], 0, memory_order_relaxed);
    if (barrier->hosts > 1) {
        fl_barrier_hosts_arrive(barrier, thread);
    } else {
        fl_wait_publish(&center->word, thread->epoch << 1);
    }
}

static void wait_central(const struct fl_barrier *barrier, struct fl_barrier_thread *thread) {
    struct fl_barrier_center *center = barrier->center;
    fl_wait_until(&center->word, thread->epoch << 1, barrier->policy);
    /* Relaxed: the wait above acquired it. */
    uint32_t parity = thread->epoch & 1;
    uint64_t agreed = atomic_load_explicit(&center->agreed[parity], memory_order_relaxed);
    merge(barrier, thread->epoch, &thread->agreed,
          (struct fl_barrier_agreed){(uint32_t)(agreed >> 32), (int32_t)(uint32_t)agreed,
                                     thread->agreed.kind});
}

static unsigned tellings_shift(uint32_t epoch) {
    return epoch & 1 ? 48 : 32;
}

/* What a thread adds to the epoch's agreement sum: the kind, and whether it gives a value. */
static uint64_t telling(uint32_t kind, bool has_value) {
    return (uint64_t)kind << 1 | has_value;
}

/* Both have arrived in `epoch`; one may have arrived in the next. */
static bool pair_complete(uint64_t word, uint32_t epoch) {
    return (int32_t)(((uint32_t)word & ~(uint32_t)FL_WAIT_SLEEPING) - (epoch << 2)) >= 0;
}

static void arrive_pair(const struct fl_barrier *barrier, struct fl_barrier_thread *thread) {
    _Atomic uint64_t *word = &barrier->center->pair;
    uint64_t tells = telling(thread->agreed.kind, thread->agreed.giver != 0);
    uint64_t mine = tells << tellings_shift(thread->epoch) | 1 << 1;
    /* [B2] pairs [B3], [B4]. */
    uint64_t old = atomic_fetch_add_explicit(word, mine, memory_order_acq_rel);
    fl_assert(pair_complete(old, thread->epoch - 1)); /* the thread has left the one before */
    thread->pair = old + mine;
    if (FL_UNLIKELY(old & FL_WAIT_SLEEPING)) {
        /* Relaxed, and before the waking: a thread that has set the bit again meanwhile, for the
         * next epoch, either finds the word changed or is woken and looks again
         * (tests/litmus/pair.pml). */
        atomic_fetch_and_explicit(word, ~(uint64_t)FL_WAIT_SLEEPING, memory_order_relaxed);
        fl_os_futex_wake((_Atomic uint32_t *)word, INT32_MAX);
    }
}

static FL_COLD uint64_t await_pair_slow(_Atomic uint64_t *word, uint32_t epoch, uint32_t yields) {
    uint64_t now;
    for (uint32_t i = 0; i < yields; i++) {
        fl_os_yield();
        now = atomic_load_explicit(word, memory_order_acquire); /* [B3] pairs [B2]. */
        if (pair_complete(now, epoch)) {
            return now;
        }
    }
    fl_wait_note_time();
    /* [B3] pairs [B2]. */
    while (!pair_complete(now = atomic_load_explicit(word, memory_order_acquire), epoch)) {
        uint64_t asleep = now | FL_WAIT_SLEEPING;
        /* [B4] pairs [B2]: succeeds only if the other has not arrived, which then sees the bit. */
        if (now == asleep || atomic_compare_exchange_strong_explicit(
                                 word, &now, asleep, memory_order_acq_rel, memory_order_relaxed)) {
            fl_wait_sleep_for_thread((_Atomic uint32_t *)word, (uint32_t)asleep);
        }
    }
    return now;
}

/* As many polls without a pause take as long as one with it, about 40 ns. */
enum { LOOKS_OF_PAUSE = 24 };

static uint64_t await_pair(const struct fl_barrier *barrier, uint32_t epoch) {
    _Atomic uint64_t *word = &barrier->center->pair;
    for (uint32_t i = 0; i <= barrier->policy.spins / LOOKS_OF_PAUSE; i++) {
        /* [B3] pairs [B2]. */
        uint64_t now = atomic_load_explicit(word, memory_order_acquire);
        if (pair_complete(now, epoch)) {
            return now;
        }
        /* Each poll takes the line away from the other thread, which needs it to arrive next. */
        fl_os_relax();
    }
    return await_pair_slow(word, epoch, barrier->policy.yields);
}

/* The other thread's record is another line to fetch: it is read only if the agreement sum is not
 * that of the same kind without a value. A sum that overflows adds one to the next: that costs a
 * needless read, or hides a difference, but only from one of the two threads. */
static void wait_pair(const struct fl_barrier *barrier, struct fl_barrier_thread *thread) {
    uint64_t word = thread->pair;
    if (!pair_complete(word, thread->epoch)) {
        word = await_pair(barrier, thread->epoch);
    }
    uint32_t kind = thread->agreed.kind;
    uint64_t usual = telling(kind, thread->agreed.giver != 0) + telling(kind, false);
    uint16_t tellings = (uint16_t)(word >> tellings_shift(thread->epoch));
    uint16_t told = (uint16_t)(tellings - thread->tellings[thread->epoch & 1]);
    thread->tellings[thread->epoch & 1] = tellings;
    if (FL_LIKELY(told == usual)) {
        return;
    }
    unsigned other = !thread->me;
    fl_assert(thread->me < 2);
    const struct fl_barrier_record *r = record_of(barrier, other, thread->epoch);
    if (FL_UNLIKELY(r->kind != kind)) {
        report_kinds(barrier, thread->epoch, thread->me, other);
    }
    merge(barrier, thread->epoch, &thread->agreed,
          (struct fl_barrier_agreed){r->has_value ? other + 1 : 0, r->value, r->kind});
}

void fl_barrier_notify(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                       const struct fl_barrier_mark *mark) {
    if (FL_UNLIKELY(thread->notified)) {
        fl_mismatch_notify(barrier->names, record_of(barrier, thread->me, thread->epoch), mark);
    }
    if (barrier->hosts > 1) {
        fl_comm_quiet();
    }
    thread->notified = true;
    thread->epoch = (thread->epoch + 1) & INT32_MAX;
    thread->agreed = (struct fl_barrier_agreed){
        .giver = mark->has_value ? thread->me + 1 : 0, .value = mark->value, .kind = mark->kind};
    record(barrier, thread, mark);
    if (barrier->way == FL_BARRIER_CENTRAL) {
        if (mark->has_value) {
            give_central(barrier, thread);
        }
        arrive_central(barrier, thread);
    } else if (barrier->way == FL_BARRIER_PAIR) {
        arrive_pair(barrier, thread);
    } else if (barrier->rounds > 0) {
        send(barrier, thread, 0);
    }
}

void fl_barrier_wait(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                     const struct fl_barrier_mark *mark) {
    if (FL_UNLIKELY(!thread->notified)) {
        fl_fatal(FL_CODE_WAIT_FIRST,
                 "thread %u waits at %s:%d without a upc_notify before; the two must alternate",
                 thread->me, mark->file ? mark->file : "?", mark->line);
    }
    if (barrier->way == FL_BARRIER_CENTRAL) {
        wait_central(barrier, thread);
    } else if (barrier->way == FL_BARRIER_PAIR) {
        wait_pair(barrier, thread);
    } else {
        wait_dissemination(barrier, thread);
    }
    thread->notified = false;
    if (FL_UNLIKELY(mark->has_value) && thread->agreed.giver != 0 &&
        thread->agreed.value != mark->value) {
        fl_mismatch_wait(thread->me, mark,
                         record_of_giver(barrier, thread->agreed, thread->epoch));
    }
}

const struct fl_barrier_record *fl_barrier_last(const struct fl_barrier *barrier,
                                                const struct fl_barrier_thread *thread) {
    return record_of(barrier, thread->me, thread->epoch);
}

const struct fl_barrier_record *fl_barrier_late(const struct fl_barrier *barrier, unsigned thread,
                                                uint32_t epoch) {
    /* Relaxed: a thread that notifies just now may be taken for late; one an epoch further is
     * not. */
    uint32_t last = atomic_load_explicit(&record_of(barrier, thread, epoch)->epoch,
                                         memory_order_relaxed);
    bool before = (int32_t)((last - epoch) << 1) < 0;
    return before ? record_of(barrier, thread, epoch - 1) : NULL;
}
