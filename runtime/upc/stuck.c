/* SPDX-License-Identifier: BSD-3-Clause */
/* See stuck.h. */
#include "upc/stuck.h"

#include "core/fatal.h"
#include "upc/process.h"

#include <stdio.h>
#include <string.h>

struct upc_stuck_entry {
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t since_ns; /* its wait, by the time of its begin */
    _Atomic uint32_t looks;                            /* in vain, of all waits */
    uint32_t seen_looks;                               /* what the first thread saw last */
    uint64_t seen_ns;
    bool collective; /* waits in a barrier or collective call */
    int line;        /* 0: no place known */
    char what[64];
    char file[136];
};
_Static_assert(sizeof(struct upc_stuck_entry) == 4 * FL_CACHE_LINE, "no line for two threads");

uint64_t upc_stuck_bytes(unsigned threads) {
    return threads * sizeof(struct upc_stuck_entry);
}

static bool is_collective(const char *what) {
    static const char *const others[] = {"upc_barrier", "upc_wait", "upcx_coll_wait"};
    bool found = false;
    for (unsigned use = 0; use < UPC_N_USES; use++) {
        found |= what == upc_barrier_names[use];
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        found |= strcmp(what, others[i]) == 0;
    }
    return found;
}

static void describe(struct upc_stuck_entry *entry, const char *what) {
    /* Relaxed, here and below: the thread's own. */
    const char *file = atomic_load_explicit(&fl_wait_reason.file, memory_order_relaxed);
    entry->collective = is_collective(what);
    entry->line = file ? atomic_load_explicit(&fl_wait_reason.line, memory_order_relaxed) : 0;
    if (!file && entry->collective && upc_self->file) {
        file = upc_self->file;
        entry->line = upc_self->line;
    }
    snprintf(entry->what, sizeof entry->what, "%s", what);
    snprintf(entry->file, sizeof entry->file, "%s", file ? file : "");
}

/* " (a.upc:12)", or nothing. */
struct place {
    char text[160];
};

static struct place place_of(const struct upc_stuck_entry *entry) {
    struct place place = {""};
    if (entry->line) {
        snprintf(place.text, sizeof place.text, " (%s:%d)", entry->file, entry->line);
    }
    return place;
}

static bool are_at_one_place(const struct upc_stuck_entry *one,
                             const struct upc_stuck_entry *other) {
    return one->line == other->line && strcmp(one->what, other->what) == 0 &&
           strcmp(one->file, other->file) == 0;
}

static FL_COLD _Noreturn void report(const struct upc_stuck_entry *entries, unsigned threads) {
    const struct upc_stuck_entry *one = &entries[0];
    unsigned other = 1;
    while (other < threads && are_at_one_place(one, &entries[other])) {
        other++;
    }
    if (other >= threads) {
        fl_fatal(FL_CODE_STUCK,
                 "no thread can go on: all wait in %s%s for each other; their calls do not fit "
                 "together (programs compiled with upcc -g compare them)",
                 one->what, place_of(one).text);
    }
    const struct upc_stuck_entry *two = &entries[other];
    if (one->collective && two->collective && strcmp(one->what, two->what) != 0) {
        fl_fatal(FL_CODE_OTHER_BARRIER,
                 "thread 0 is at %s%s, but thread %u at %s%s, and no thread can go on; all must "
                 "come to the same barriers and collective calls in the same order",
                 one->what, place_of(one).text, other, two->what, place_of(two).text);
    }
    fl_fatal(FL_CODE_STUCK, "no thread can go on: thread 0 waits in %s%s, thread %u in %s%s",
             one->what, place_of(one).text, other, two->what, place_of(two).text);
}

/* Whether each has looked twice in one wait since all were seen waiting. A look that was counted
 * after that may have come before, but not the next one. */
static bool all_are_stuck(struct upc_stuck_entry *entries, unsigned threads) {
    bool same = true, looked = true;
    for (unsigned i = 0; i < threads; i++) {
        /* [T3] pairs [T4]: else the text may be that of another wait. */
        uint64_t since = atomic_load_explicit(&entries[i].since_ns, memory_order_acquire);
        uint32_t looks = atomic_load_explicit(&entries[i].looks, memory_order_relaxed);
        same &= since != 0 && since == entries[i].seen_ns;
        looked &= looks - entries[i].seen_looks >= 2;
        entries[i].seen_ns = since;
    }
    for (unsigned i = 0; i < threads && !same; i++) {
        entries[i].seen_looks = atomic_load_explicit(&entries[i].looks, memory_order_relaxed);
    }
    return same && looked;
}

/* By a thread that has slept in vain. */
static void look(void) {
    const char *what = atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    if (!upc_self || !what || !(is_collective(what) || strcmp(what, "upc_lock") == 0)) {
        return;
    }
    struct upc_stuck_entry *entry = &upc_process.stuck[upc_self->me];
    uint64_t since = atomic_load_explicit(&fl_wait_reason.since_ns, memory_order_relaxed);
    if (atomic_load_explicit(&entry->since_ns, memory_order_relaxed) != since) {
        describe(entry, what);
        /* [T4] pairs [T3]. */
        atomic_store_explicit(&entry->since_ns, since, memory_order_release);
    }
    /* Relaxed: only counts. What the thread has found unchanged can be changed only by one that
     * does not wait. */
    atomic_fetch_add_explicit(&entry->looks, 1, memory_order_relaxed);
    if (upc_self->me == 0 && all_are_stuck(upc_process.stuck, upc_process.layout.threads)) {
        report(upc_process.stuck, upc_process.layout.threads);
    }
}

void upc_stuck_start(void *memory) {
    upc_process.stuck = memory;
    if (upc_process.job.hosts == 1) {
        fl_wait_vain = look;
    }
}
