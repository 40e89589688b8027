/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How threads wait: spin on a word for a while, then yield the CPU, then sleep until woken. All
 * waiting of the runtime for other threads goes through here, so that reports can name each wait.
 *
 * A wait word holds a value in its high 31 bits; bit 0 says that a thread may be asleep on it. The
 * changer exchanges the whole word, and wakes if the bit was set. A sleeper sets the bit by
 * compare-and-swap and sleeps only while the word is still exactly that. So either the exchange
 * sees the bit, or the compare-and-swap or the kernel sees the new value: no wake-up is lost.
 * tests/litmus/wait.pml is this protocol's model.
 */
#ifndef FL_CORE_WAIT_H
#define FL_CORE_WAIT_H

#include "core/status.h"
#include "platform/os.h"

enum { FL_WAIT_SLEEPING = 1 };

/* How long a thread spins and yields before it sleeps. The same in all threads of the job. */
struct fl_wait_policy {
    uint32_t spins;  /* polls before the first yield */
    uint32_t yields; /* yields before sleeping */
};

/* Chosen by whether every thread can have a CPU of its own; 0 means chosen. */
struct fl_wait_policy fl_wait_choose(unsigned threads, unsigned cpus, uint64_t spins,
                                     uint64_t yields);

/* What waiting threads do besides, set once before there are any: on several hosts they move
 * messages on, or what they wait for would never happen. Nulls on one host. */
struct fl_wait_service {
    unsigned (*poll)(void); /* how much it did; never blocks */
    void (*rest)(void);     /* the caller will sleep: another thread must poll */
    bool (*avoids_long_yields)(void);
};

extern struct fl_wait_service fl_wait_service;

/* Yields the CPU. Where the service says so, false, without doing so, if a yield took long lately: the
 * caller should sleep instead. Beside a thread that computes, Linux makes a thread that yields wait
 * for that one's whole time slice, milliseconds long, and for many of them after many yields; a
 * sleeping thread runs soon after it is woken. Programs over hosts do not: to sleep and to be
 * woken are several switches between a thread and the one that polls for it. */
bool fl_wait_yield(void);

static inline unsigned fl_wait_poll(void) {
    return FL_UNLIKELY(fl_wait_service.poll) ? fl_wait_service.poll() : 0;
}

/* Failed polls before yielding. A wait longer than a message's round trip is probably for a thread
 * that needs this CPU. */
enum { FL_WAIT_POLLS_ALONE = 96 };
static inline uint32_t fl_wait_spins(struct fl_wait_policy policy) {
    bool few = FL_UNLIKELY(fl_wait_service.poll) && policy.spins > FL_WAIT_POLLS_ALONE;
    return few ? FL_WAIT_POLLS_ALONE : policy.spins;
}

static inline void fl_wait_rest(void) {
    if (FL_UNLIKELY(fl_wait_service.rest)) {
        fl_wait_service.rest();
    }
}

/* What the calling thread has begun and goes on with while it waits; null: nothing. */
extern _Thread_local void (*fl_wait_aside)(void);

/* Set while the calling thread is on a fiber: suspends it, so that the thread goes on elsewhere, and
 * returns when a thread, perhaps another one, resumes it. A wait that would poll on the fiber calls
 * this instead: handlers that polling runs may need more stack than a fiber has. */
extern _Thread_local void (*fl_wait_suspend)(void);

/* Sleeps while the word is `expected`, or returns early, as if woken: a thread that has something to
 * go on with does that instead. */
FL_COLD void fl_wait_sleep(_Atomic uint32_t *word, uint32_t expected);

/* The same for a word that only threads of the job change, by what they do themselves, or a message
 * of another host. */
FL_COLD void fl_wait_sleep_for_thread(_Atomic uint32_t *word, uint32_t expected);

/* Called by a thread that sleeps so, each time that the word has been `expected` for
 * FL_WAIT_VAIN_NS. Set once, before there are threads; null: nothing. */
extern void (*fl_wait_vain)(void);
enum { FL_WAIT_VAIN_NS = 500000000 };

/* What a thread waits for, for reports. Only its thread writes it; others may read a place and a
 * name that do not belong together, when a wait ends as they read. */
struct fl_wait_reason {
    _Atomic(const char *) what; /* null: does not wait */
    _Atomic(const char *) file; /* null: no place known */
    _Atomic int line;          /* without a file: the thread that is waited for, plus 1; 0: none */
    _Atomic uint64_t since_ns; /* 0: has not waited for long */
    _Atomic(const void *) lock; /* in upc_lock: the lock */
};

extern _Thread_local struct fl_wait_reason fl_wait_reason;

/* The calling thread is about to wait, or no longer waits. Relaxed: nothing is published by it. */
static inline void fl_wait_begin(const char *what, const char *file, int line) {
    atomic_store_explicit(&fl_wait_reason.file, file, memory_order_relaxed);
    atomic_store_explicit(&fl_wait_reason.line, line, memory_order_relaxed);
    atomic_store_explicit(&fl_wait_reason.since_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&fl_wait_reason.what, what, memory_order_relaxed);
}

/* The same for a lock. */
static inline void fl_wait_begin_lock(const void *lock) {
    fl_wait_begin("upc_lock", NULL, 0);
    atomic_store_explicit(&fl_wait_reason.lock, lock, memory_order_relaxed);
}

static inline void fl_wait_end(void) {
    atomic_store_explicit(&fl_wait_reason.what, NULL, memory_order_relaxed);
}

/* The same for what may be part of a wait that has a name, which then stays. False: it has; else the
 * caller ends the wait. */
static inline bool fl_wait_begin_inside(const char *what) {
    bool begins = !atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    if (begins) {
        fl_wait_begin(what, NULL, 0);
    }
    return begins;
}

static inline void fl_wait_end_inside(bool begun) {
    if (begun) {
        fl_wait_end();
    }
}

/* The clock starts; called where waiting has become slow. */
FL_COLD void fl_wait_note_time(void);

FL_COLD void fl_wait_until_slow(_Atomic uint32_t *word, uint32_t value,
                                struct fl_wait_policy policy);
FL_COLD void fl_wait_change_slow(_Atomic uint32_t *word, uint32_t value,
                                 struct fl_wait_policy policy);

/* Whether the word has reached `value`; bit 0 does not count. Acquires what the changer
 * released. */
static inline bool fl_wait_reached(_Atomic uint32_t *word, uint32_t value) {
    /* [W2] pairs [W1]. */
    return (atomic_load_explicit(word, memory_order_acquire) & ~(uint32_t)FL_WAIT_SLEEPING) ==
           value;
}

/* Waits until it has. The word must stay there until the caller has returned. */
static inline void fl_wait_until(_Atomic uint32_t *word, uint32_t value,
                                 struct fl_wait_policy policy) {
    /* A thread that has to poll comm does so between polls of the word, which is slow. */
    uint32_t spins = FL_LIKELY(!fl_wait_service.poll) ? policy.spins : 1;
    for (uint32_t i = 0; i < spins; i++) {
        if (fl_wait_reached(word, value)) {
            return;
        }
    }
    fl_wait_until_slow(word, value, policy);
}

/* Waits while the word is `value`, which the caller has read. What it becomes may be transient. */
static inline void fl_wait_change(_Atomic uint32_t *word, uint32_t value,
                                  struct fl_wait_policy policy) {
    if (fl_wait_reached(word, value)) {
        fl_wait_change_slow(word, value, policy);
    }
}

/* Changes a wait word and wakes its sleepers. Releases. */
static inline void fl_wait_publish(_Atomic uint32_t *word, uint32_t value) {
    /* [W1] pairs [W2], [W3]. An exchange rather than a store and a load of the bit: those two
     * would need a full fence between them, which costs as much. */
    uint32_t old = atomic_exchange_explicit(word, value, memory_order_acq_rel);
    if (FL_UNLIKELY(old & FL_WAIT_SLEEPING)) {
        fl_os_futex_wake(word, INT32_MAX);
    }
}

/* A thread that waits for any of several changes sleeps on a bell. A thread that makes such a
 * change does so by a seq_cst exchange and rings afterwards, which costs a read of a line that only
 * sleepers write. The word counts the rings for sleepers, so that one of several that is late to
 * fall asleep, while others do anew, does not miss the ring that was for it. tests/litmus/bell.pml
 * has this protocol, and tests/litmus/pairs.pml that of one sleeper. */
struct fl_wait_bell {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t rings; /* << 1 | a thread is asleep, or about to be */
};

FL_COLD void fl_wait_ring_slow(struct fl_wait_bell *bell);

static inline void fl_wait_ring(struct fl_wait_bell *bell) {
    /* [W4] pairs [W5]: either this sees the sleeper's mark, or the sleeper sees the change. */
    if (FL_UNLIKELY(atomic_load_explicit(&bell->rings, memory_order_seq_cst) & FL_WAIT_SLEEPING)) {
        fl_wait_ring_slow(bell);
    }
}

/* Whether the awaited change has happened, which then stays so; reads by seq_cst loads. */
typedef bool fl_wait_condition(void *context);

/* Waits until it has, by yielding and sleeping. One thread at a time for each bell. */
void fl_wait_at_bell(struct fl_wait_bell *bell, fl_wait_condition *reached, void *context,
                     struct fl_wait_policy policy);

/* The same for any number of threads, each with a condition of its own. A ring wakes all. */
void fl_wait_among_others(struct fl_wait_bell *bell, fl_wait_condition *reached, void *context,
                          struct fl_wait_policy policy);

#endif
