/* SPDX-License-Identifier: BSD-3-Clause */
/* See barrier.h. */
#include "sync/barrier.h"

#include "core/fatal.h"

#include <stdio.h>
#include <string.h>

uint64_t fl_barrier_bytes(unsigned threads) {
    uint64_t cells = (uint64_t)threads * (fl_log2_ceil(threads) + 1) * 2;
    return sizeof(struct fl_barrier_center) + cells * sizeof(struct fl_barrier_cell) +
           (uint64_t)threads * 2 * sizeof(struct fl_barrier_record);
}

void fl_barrier_attach(struct fl_barrier *barrier, void *memory, unsigned threads,
                       enum fl_barrier_kind kind, struct fl_wait_policy policy) {
    barrier->threads = threads;
    barrier->rounds = fl_log2_ceil(threads);
    barrier->kind = kind;
    barrier->policy = policy;
    barrier->center = memory;
    barrier->records = (struct fl_barrier_record *)(barrier->center + 1);
    barrier->cells = (struct fl_barrier_cell *)(barrier->records + (size_t)threads * 2);
}

static struct fl_barrier_cell *cell_of(const struct fl_barrier *barrier, unsigned thread,
                                       unsigned round, uint32_t epoch) {
    return &barrier->cells[((size_t)thread * barrier->rounds + round) * 2 + (epoch & 1)];
}

static struct fl_barrier_record *record_of(const struct fl_barrier *barrier, unsigned thread,
                                           uint32_t epoch) {
    return &barrier->records[(size_t)thread * 2 + (epoch & 1)];
}

static const char *file_or_unknown(const char *file) {
    return file ? file : "?";
}

static FL_COLD _Noreturn void report_mismatch(const struct fl_barrier *barrier, uint32_t epoch,
                                              struct fl_barrier_agreed one,
                                              struct fl_barrier_agreed other) {
    const struct fl_barrier_record *a = record_of(barrier, one.giver - 1, epoch);
    const struct fl_barrier_record *b = record_of(barrier, other.giver - 1, epoch);
    fl_fatal(FL_CODE_BARRIER_MISMATCH,
             "barrier values differ: thread %u has %d (%s:%d), thread %u has %d (%s:%d); all "
             "values given for one barrier must be equal, so some thread is at another barrier",
             one.giver - 1, one.value, a->file, a->line, other.giver - 1, other.value, b->file,
             b->line);
}

static FL_COLD _Noreturn void report_wait_value(const struct fl_barrier *barrier,
                                                const struct fl_barrier_thread *thread,
                                                const struct fl_barrier_mark *mark,
                                                struct fl_barrier_agreed agreed) {
    const struct fl_barrier_record *r = record_of(barrier, agreed.giver - 1, thread->epoch);
    fl_fatal(FL_CODE_BARRIER_MISMATCH,
             "barrier values differ: upc_wait in thread %u has %d (%s:%d), upc_notify in thread "
             "%u has %d (%s:%d); they must be equal",
             thread->me, mark->value, file_or_unknown(mark->file), mark->line, agreed.giver - 1,
             agreed.value, r->file, r->line);
}

static FL_COLD _Noreturn void report_ended(const struct fl_barrier_thread *thread,
                                           const struct fl_barrier_mark *mark) {
    fl_fatal(FL_CODE_BARRIER_MISMATCH,
             "thread %u waits for all threads in a barrier (%s:%d), but thread %u has left main or "
             "called exit",
             thread->me, file_or_unknown(mark->file), mark->line, thread->agreed.ended - 1);
}

static void merge(const struct fl_barrier *barrier, uint32_t epoch, struct fl_barrier_agreed *into,
                  struct fl_barrier_agreed other) {
    if (FL_UNLIKELY(other.ended)) {
        into->ended = other.ended;
    }
    if (FL_LIKELY(other.giver == 0)) {
        return;
    }
    if (into->giver == 0) {
        into->giver = other.giver;
        into->value = other.value;
    } else if (into->value != other.value) {
        report_mismatch(barrier, epoch, *into, other);
    }
}

/* Leaves value and place where other processes can read them; the file's text only when it is
 * another file than the last time. */
static void record(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                   const struct fl_barrier_mark *mark) {
    struct fl_barrier_record *r = record_of(barrier, thread->me, thread->epoch);
    r->value = mark->value;
    r->line = mark->line;
    if (thread->file[thread->epoch & 1] != mark->file || !r->file[0]) {
        thread->file[thread->epoch & 1] = mark->file;
        snprintf(r->file, sizeof r->file, "%s", file_or_unknown(mark->file));
    }
}

static void send(const struct fl_barrier *barrier, const struct fl_barrier_thread *thread,
                 unsigned round) {
    unsigned to = thread->me + (1u << round);
    if (to >= barrier->threads) {
        to -= barrier->threads;
    }
    struct fl_barrier_cell *cell = cell_of(barrier, to, round, thread->epoch);
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
        merge(barrier, thread->epoch, &thread->agreed, cell->agreed);
    }
}

/* The first to give a value sets what the others are compared with. Relaxed: the arrival that
 * follows publishes it. */
static void give_central(const struct fl_barrier *barrier, const struct fl_barrier_thread *thread) {
    if (thread->agreed.ended) {
        atomic_store_explicit(&barrier->center->ended[thread->epoch & 1], thread->agreed.ended,
                              memory_order_relaxed);
        return;
    }
    _Atomic uint64_t *agreed = &barrier->center->agreed[thread->epoch & 1];
    uint64_t mine = (uint64_t)thread->agreed.giver << 32 | (uint32_t)thread->agreed.value;
    uint64_t none = 0;
    atomic_compare_exchange_strong_explicit(agreed, &none, mine, memory_order_relaxed,
                                            memory_order_relaxed);
}

static void arrive_central(const struct fl_barrier *barrier,
                           const struct fl_barrier_thread *thread) {
    struct fl_barrier_center *center = barrier->center;
    /* [B1] pairs itself: the last to arrive has seen everything that all wrote before. */
    uint32_t before = atomic_fetch_add_explicit(&center->arrived, 1, memory_order_acq_rel);
    if (before + 1 < barrier->threads) {
        return;
    }
    /* Relaxed: nobody looks at either before the publication below, which releases them. */
    atomic_store_explicit(&center->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&center->agreed[(thread->epoch + 1) & 1], 0, memory_order_relaxed);
    atomic_store_explicit(&center->ended[(thread->epoch + 1) & 1], 0, memory_order_relaxed);
    fl_wait_publish(&center->word, thread->epoch << 1);
}

static void wait_central(const struct fl_barrier *barrier, struct fl_barrier_thread *thread) {
    struct fl_barrier_center *center = barrier->center;
    fl_wait_until(&center->word, thread->epoch << 1, barrier->policy);
    /* Relaxed: the wait above acquired it. */
    uint32_t parity = thread->epoch & 1;
    uint64_t agreed = atomic_load_explicit(&center->agreed[parity], memory_order_relaxed);
    uint32_t ended = atomic_load_explicit(&center->ended[parity], memory_order_relaxed);
    merge(barrier, thread->epoch, &thread->agreed,
          (struct fl_barrier_agreed){(uint32_t)(agreed >> 32), (int32_t)(uint32_t)agreed, ended});
}

void fl_barrier_notify(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                       const struct fl_barrier_mark *mark) {
    if (FL_UNLIKELY(thread->notified)) {
        fl_fatal(FL_CODE_NOTIFY_TWICE,
                 "thread %u notifies at %s:%d without a upc_wait after its upc_notify before; the "
                 "two must alternate",
                 thread->me, file_or_unknown(mark->file), mark->line);
    }
    thread->notified = true;
    thread->epoch = (thread->epoch + 1) & INT32_MAX;
    thread->agreed = (struct fl_barrier_agreed){0, 0, mark->ending ? thread->me + 1 : 0};
    if (mark->has_value) {
        thread->agreed.giver = thread->me + 1;
        thread->agreed.value = mark->value;
        record(barrier, thread, mark);
    }
    if (barrier->kind == FL_BARRIER_CENTRAL) {
        if (mark->has_value || mark->ending) {
            give_central(barrier, thread);
        }
        arrive_central(barrier, thread);
    } else if (barrier->rounds > 0) {
        send(barrier, thread, 0);
    }
}

void fl_barrier_wait(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                     const struct fl_barrier_mark *mark) {
    if (FL_UNLIKELY(!thread->notified)) {
        fl_fatal(FL_CODE_WAIT_FIRST,
                 "thread %u waits at %s:%d without a upc_notify before; the two must alternate",
                 thread->me, file_or_unknown(mark->file), mark->line);
    }
    if (barrier->kind == FL_BARRIER_CENTRAL) {
        wait_central(barrier, thread);
    } else {
        wait_dissemination(barrier, thread);
    }
    thread->notified = false;
    if (FL_UNLIKELY(thread->agreed.ended && !mark->ending)) {
        report_ended(thread, mark);
    }
    if (FL_UNLIKELY(mark->has_value) && thread->agreed.giver != 0 &&
        thread->agreed.value != mark->value) {
        report_wait_value(barrier, thread, mark, thread->agreed);
    }
}
