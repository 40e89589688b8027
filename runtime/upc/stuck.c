/* SPDX-License-Identifier: BSD-3-Clause */
/* See stuck.h. */
#include "upc/stuck.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/foreign.h"
#include "sync/lock.h"
#include "upc/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a thread waits. */
struct place {
    const struct fl_lock *lock; /* that it waits for; null: none */
    uint32_t thread;
    int line;        /* 0: not known */
    bool collective; /* in a barrier or collective call */
    char what[64];
    char file[128];
};

/* Where a lock was taken. */
struct taken {
    const struct fl_lock *lock;
    int line; /* 0: not known */
    char file[116];
};
_Static_assert(sizeof(struct taken) == 2 * FL_CACHE_LINE, "no line for two threads");

struct upc_stuck_entry {
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t since_ns; /* begin of its wait, which identifies it */
    _Atomic uint32_t looks;                            /* failed checks, in all waits */
    uint32_t seen_looks;                               /* when a wait was last seen to be new */
    uint64_t seen_ns;                                  /* since_ns, when it was read last */
    _Atomic uint64_t sent, received; /* messages of its process, if it is the first there; else 0 */
    struct place place;
    struct taken taken[UPC_HELD_MAX]; /* of the locks that it holds */
};
_Static_assert(sizeof(struct upc_stuck_entry) == (4 + 2 * UPC_HELD_MAX) * FL_CACHE_LINE,
               "no line for two threads");

/* What the first thread of a host reports about all threads of the host. */
struct statement {
    uint64_t waits; /* sum of the times at which they began: the same only if all waits are */
    uint64_t sent, received;
};

struct upc_stuck_answer {
    struct statement statement;
    struct place one, other; /* of the first thread, and of one that waits elsewhere if any */
};

uint64_t upc_stuck_bytes(unsigned threads) {
    return threads * sizeof(struct upc_stuck_entry);
}

bool upc_stuck_is_collective(const char *what) {
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

static bool is_lock(const char *what) {
    return strcmp(what, "upc_lock") == 0;
}

bool upc_stuck_is_told(const char *what) {
    return is_lock(what) || upc_stuck_is_collective(what);
}

/* Whether only another thread, that does not wait, or a message can end a wait in it. */
static bool is_for_others(const char *what) {
    static const char *const others[] = {"upcx_wait", "bupc_sem_wait"};
    bool found = upc_stuck_is_told(what);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        found |= strcmp(what, others[i]) == 0;
    }
    return found;
}

static void describe_held(struct taken *taken) {
    const struct upc_held *held = &upc_self->held;
    memset(taken, 0, UPC_HELD_MAX * sizeof *taken);
    for (unsigned i = 0; i < held->n; i++) {
        taken[i].lock = held->locks[i].lock;
        taken[i].line = held->locks[i].line;
        snprintf(taken[i].file, sizeof taken[i].file, "%s", held->locks[i].file);
    }
}

static void describe(struct place *place, const char *what) {
    /* Relaxed, here and below: the thread's own. */
    const char *file = atomic_load_explicit(&fl_wait_reason.file, memory_order_relaxed);
    place->thread = upc_self->me;
    place->collective = upc_stuck_is_collective(what);
    place->line = file ? atomic_load_explicit(&fl_wait_reason.line, memory_order_relaxed) : 0;
    place->lock = NULL;
    if (is_lock(what)) {
        place->lock = atomic_load_explicit(&fl_wait_reason.lock, memory_order_relaxed);
    }
    if (!file && upc_stuck_is_told(what) && upc_self->file) {
        file = upc_self->file;
        place->line = upc_self->line;
    }
    snprintf(place->what, sizeof place->what, "%s", what);
    snprintf(place->file, sizeof place->file, "%s", file ? file : "");
}

/* "upc_barrier (a.upc:12)" */
struct text {
    char text[256];
};

static struct text text_of(const struct place *place) {
    struct text t;
    if (place->line) {
        snprintf(t.text, sizeof t.text, "%s (%s:%d)", place->what, place->file, place->line);
    } else {
        snprintf(t.text, sizeof t.text, "%s", place->what);
    }
    return t;
}

static bool are_the_same(const struct place *one, const struct place *other) {
    return one->line == other->line && strcmp(one->what, other->what) == 0 &&
           strcmp(one->file, other->file) == 0;
}

/* The place of a thread of this host that is not at `one`; `one` if there is none. */
static const struct place *another(const struct place *one) {
    const struct upc_stuck_entry *entries = upc_process.stuck.entries;
    unsigned threads = fl_layout_my_threads(&upc_process.layout), i = 0;
    while (i < threads && are_the_same(one, &entries[i].place)) {
        i++;
    }
    return i < threads ? &entries[i].place : one;
}

/* ---- who waits for locks, and who holds them, once nothing changes any more ---- */

/* What a thread of any host has said. */
static struct upc_stuck_entry entry_of(unsigned thread) {
    const struct fl_layout *layout = &upc_process.layout;
    unsigned host = fl_layout_host_of_thread(layout, thread);
    if (host == layout->my_host) {
        return upc_process.stuck.entries[thread - fl_layout_my_first(layout)];
    }
    struct upc_stuck_entry entry = {0};
    struct fl_comm_answer answer = {.payload = &entry, .room = sizeof entry};
    const uint64_t word = thread;
    fl_comm_ask(layout->at[host].proc, FL_COMM_STUCK, &word, 1, NULL, 0, &answer);
    return entry;
}

enum { CLAUSES = 6 };

/* What is said of the locks. */
struct clauses {
    char text[1600];
    size_t length;
    unsigned n;
    const struct fl_lock *said[CLAUSES];
};

static FL_PRINTF(2, 3) void append(struct clauses *clauses, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof clauses->text - clauses->length;
    int more = vsnprintf(clauses->text + clauses->length, room, format, arguments);
    va_end(arguments);
    clauses->length += more < 0 ? 0 : (size_t)more < room ? (size_t)more : room - 1;
}

static bool is_said(const struct clauses *clauses, const struct fl_lock *lock) {
    unsigned i = 0;
    while (i < clauses->n && clauses->said[i] != lock) {
        i++;
    }
    return i < clauses->n;
}

static void append_taken(struct clauses *clauses, const struct upc_stuck_entry *holder,
                         const struct fl_lock *lock) {
    for (unsigned i = 0; i < UPC_HELD_MAX; i++) {
        const struct taken *taken = &holder->taken[i];
        if (taken->lock == lock && taken->line) {
            append(clauses, ", which took it at %s:%d", taken->file, taken->line);
        }
    }
}

/* "thread 1 waits in upc_lock (a.upc:5) for a lock of thread 0, which took it at a.upc:3; ...": goes on
 * with the holder, until one waits for something else, or for a lock that is said already. */
static void follow(struct clauses *clauses, struct upc_stuck_entry entry) {
    uint32_t owner = 1;
    while (owner && entry.place.lock && clauses->n < CLAUSES &&
           !is_said(clauses, entry.place.lock)) {
        const struct place *place = &entry.place;
        const struct fl_lock *lock = place->lock;
        owner = fl_lock_holder_now(lock);
        append(clauses, "%sthread %u waits in %s", clauses->n ? "; " : "", place->thread,
               text_of(place).text);
        clauses->said[clauses->n++] = lock;
        unsigned thread = (owner - 1) & ((1u << FL_LOCK_THREAD_BITS) - 1);
        if (owner && thread < upc_process.layout.threads) {
            append(clauses, " for a lock of %s", fl_lock_name_of(owner - 1).text);
            entry = entry_of(thread);
            append_taken(clauses, &entry, lock);
        }
    }
    if (owner && !entry.place.lock) {
        append(clauses, "; thread %u waits in %s", entry.place.thread,
               text_of(&entry.place).text);
    }
}

static FL_COLD void report_locks(void) {
    struct clauses clauses = {0};
    for (unsigned t = 0; t < upc_process.layout.threads && clauses.n < CLAUSES; t++) {
        struct upc_stuck_entry entry = entry_of(t);
        if (entry.place.lock && !is_said(&clauses, entry.place.lock)) {
            follow(&clauses, entry);
        }
    }
    if (clauses.n > 0) {
        fl_fatal(FL_CODE_STUCK, "no thread can go on: %s", clauses.text);
    }
}

static FL_COLD _Noreturn void report(const struct place *one, const struct place *two) {
    bool are_collective =
        one->collective && two->collective && strcmp(one->what, two->what) != 0;
    if (!are_collective) {
        report_locks();
    }
    if (are_the_same(one, two) && !one->collective) {
        fl_fatal(FL_CODE_STUCK, "no thread can go on: all wait in %s for others of them",
                 text_of(one).text);
    }
    if (are_the_same(one, two)) {
        fl_fatal(FL_CODE_STUCK,
                 "no thread can go on: all wait in %s for each other; their calls do not fit "
                 "together (programs compiled with upcc -g compare them)",
                 text_of(one).text);
    }
    if (are_collective) {
        fl_fatal(FL_CODE_OTHER_BARRIER,
                 "thread %u is at %s, but thread %u at %s, and no thread can go on; all must come "
                 "to the same barriers and collective calls in the same order",
                 one->thread, text_of(one).text, two->thread, text_of(two).text);
    }
    fl_fatal(FL_CODE_STUCK, "no thread can go on: thread %u waits in %s, thread %u in %s",
             one->thread, text_of(one).text, two->thread, text_of(two).text);
}

/* Whether each thread of the host has looked twice, in one wait, since all were seen waiting. The
 * first look counted after that may have been made before it, but not the second one. */
static bool all_are_stuck(void) {
    struct upc_stuck_entry *entries = upc_process.stuck.entries;
    unsigned threads = fl_layout_my_threads(&upc_process.layout);
    bool same = true, looked = true;
    for (unsigned i = 0; i < threads; i++) {
        /* [T3] pairs [T4]: else the text may be that of another wait. */
        uint64_t since = atomic_load_explicit(&entries[i].since_ns, memory_order_acquire);
        /* [T5] pairs [T6]: else the messages may be those of an earlier look. */
        uint32_t looks = atomic_load_explicit(&entries[i].looks, memory_order_acquire);
        same &= since != 0 && since == entries[i].seen_ns;
        looked &= looks - entries[i].seen_looks >= 2;
        entries[i].seen_ns = since;
    }
    for (unsigned i = 0; i < threads && !same; i++) {
        entries[i].seen_looks = atomic_load_explicit(&entries[i].looks, memory_order_relaxed);
    }
    return same && looked;
}

/* ---- several hosts ---- */

/* Sends the host's answer. Words: question, host, statement; payload: two places. */
static void tell_answer(void) {
    struct upc_stuck *stuck = &upc_process.stuck;
    const struct fl_layout *layout = &upc_process.layout;
    uint64_t words[5] = {stuck->begun, layout->my_host, 0, 0, 0};
    for (unsigned i = 0; i < fl_layout_my_threads(layout); i++) {
        const struct upc_stuck_entry *entry = &stuck->entries[i];
        words[2] += entry->seen_ns;
        /* Relaxed: not older than the look that all_are_stuck has acquired. */
        words[3] += atomic_load_explicit(&entry->sent, memory_order_relaxed);
        words[4] += atomic_load_explicit(&entry->received, memory_order_relaxed);
    }
    struct place places[2] = {stuck->entries[0].place, *another(&stuck->entries[0].place)};
    fl_comm_tell(0, FL_COMM_STUCK, words, 5, places, sizeof places);
}

/* On host 0, once all hosts have answered: reports, and ends the job, if the answers are the same
 * as those before and no message is on its way. */
static void judge(void) {
    struct upc_stuck *stuck = &upc_process.stuck;
    unsigned hosts = upc_process.layout.hosts;
    uint64_t sent = 0, received = 0;
    bool same = true;
    const struct place *one = &stuck->answers[0].one, *two = one;
    for (unsigned h = 0; h < hosts; h++) {
        const struct upc_stuck_answer *answer = &stuck->answers[h];
        same &= memcmp(&answer->statement, &stuck->before[h].statement,
                       sizeof answer->statement) == 0;
        sent += answer->statement.sent;
        received += answer->statement.received;
        two = are_the_same(one, two) ? &answer->one : two;
        two = are_the_same(one, two) ? &answer->other : two;
    }
    if (same && sent == received) {
        report(one, two);
    }
    memcpy(stuck->before, stuck->answers, hosts * sizeof *stuck->answers);
}

static void ask(uint32_t number) {
    const struct fl_layout *layout = &upc_process.layout;
    const uint64_t word = number;
    /* Relaxed: no host answers before the question. */
    atomic_store_explicit(&upc_process.stuck.come, 0, memory_order_relaxed);
    for (unsigned host = 0; host < layout->hosts; host++) {
        fl_comm_tell(layout->at[host].proc, FL_COMM_STUCK, &word, 1, NULL, 0);
    }
}

static FL_COLD _Noreturn void make_no_sense(const struct fl_comm_call *call) {
    fl_fatal(FL_CODE_BAD_MESSAGE, "process %u says of waiting threads what makes no sense",
             call->asker.proc);
}

/* Of a thread of this host, whose number is asked. */
static void answer_entry(const struct fl_comm_call *call) {
    uint64_t index = call->words[0] - fl_layout_my_first(&upc_process.layout);
    if (index >= fl_layout_my_threads(&upc_process.layout)) {
        make_no_sense(call);
    }
    const struct upc_stuck_entry *entry = &upc_process.stuck.entries[index];
    fl_comm_answer(call->asker, &(uint64_t){0}, 1, entry, sizeof *entry);
}

static void hear(void *unused, const struct fl_comm_call *call) {
    struct upc_stuck *stuck = &upc_process.stuck;
    (void)unused;
    if (call->asker.cookie) {
        answer_entry(call);
        return;
    }
    if (call->n_words == 1) {
        /* Relaxed: a number. */
        atomic_store_explicit(&stuck->asked, (uint32_t)call->words[0], memory_order_relaxed);
        return;
    }
    struct place places[2];
    if (call->n_words != 5 || call->words[1] >= upc_process.layout.hosts ||
        call->bytes != sizeof places || !stuck->answers) {
        make_no_sense(call);
    }
    memcpy(places, call->payload, sizeof places);
    stuck->answers[call->words[1]] = (struct upc_stuck_answer){
        {call->words[2], call->words[3], call->words[4]}, places[0], places[1]};
    /* [T7] pairs [T8]: else the thread that judges could read half of an answer. */
    atomic_fetch_add_explicit(&stuck->come, 1, memory_order_release);
}

/* The next step of questions and answers, by the first thread of a host. */
static void go_on_with_questions(void) {
    struct upc_stuck *stuck = &upc_process.stuck;
    uint32_t asked = atomic_load_explicit(&stuck->asked, memory_order_relaxed);
    bool judges = upc_self->me == 0;
    /* [T8] pairs [T7]. */
    if (judges && asked == 0) {
        ask(1);
    } else if (judges && atomic_load_explicit(&stuck->come, memory_order_acquire) ==
                             upc_process.layout.hosts) {
        judge();
        ask(asked + 1);
    } else if (asked != stuck->begun) {
        stuck->begun = asked;
        stuck->entries[0].seen_ns = 0; /* so that looks count from here */
        (void)all_are_stuck();
    } else if (asked != stuck->answered && all_are_stuck()) {
        stuck->answered = asked;
        tell_answer();
    }
}

/* ---- each thread ---- */

/* Notes how many messages the process has sent and received; false: it has others yet to send. */
static bool note_traffic(struct upc_stuck_entry *entry) {
    struct fl_comm_traffic traffic = {0};
    bool settled = fl_comm_settled(&traffic);
    /* Relaxed, both: published by the release that counts the look. */
    atomic_store_explicit(&entry->sent, traffic.sent, memory_order_relaxed);
    atomic_store_explicit(&entry->received, traffic.received, memory_order_relaxed);
    return settled;
}

/* Called by a thread that has slept for FL_WAIT_VAIN_NS without a change of its word. */
static void look(void) {
    const char *what = atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    if (!upc_self || !what || !is_for_others(what) || upc_foreign_locks()) {
        return;
    }
    const struct fl_layout *layout = &upc_process.layout;
    unsigned index = upc_self->me - fl_layout_my_first(layout);
    struct upc_stuck_entry *entry = &upc_process.stuck.entries[index];
    uint64_t since = atomic_load_explicit(&fl_wait_reason.since_ns, memory_order_relaxed);
    if (atomic_load_explicit(&entry->since_ns, memory_order_relaxed) != since) {
        describe(&entry->place, what);
        describe_held(entry->taken);
        /* [T4] pairs [T3]. */
        atomic_store_explicit(&entry->since_ns, since, memory_order_release);
    }
    if (layout->hosts > 1 && upc_self->me == upc_process.job.first && !note_traffic(entry)) {
        return;
    }
    /* [T6] pairs [T5]. The word that the thread has found unchanged can be changed only by a thread
     * that does not wait, or by a message. */
    atomic_fetch_add_explicit(&entry->looks, 1, memory_order_release);
    if (index > 0) {
        return;
    }
    if (layout->hosts > 1) {
        go_on_with_questions();
    } else if (all_are_stuck()) {
        report(&entry->place, another(&entry->place));
    }
}

static void start_asking(void) {
    struct upc_stuck *stuck = &upc_process.stuck;
    stuck->answers = FL_ALLOCATED(calloc(2 * upc_process.layout.hosts, sizeof *stuck->answers),
                                  "%u hosts", upc_process.layout.hosts);
    stuck->before = stuck->answers + upc_process.layout.hosts;
}

void upc_stuck_start(void *memory) {
    upc_process.stuck.entries = memory;
    fl_wait_vain = look;
    if (upc_process.layout.hosts > 1) {
        fl_comm_register(FL_COMM_STUCK, hear, NULL);
        if (upc_process.layout.me == 0) {
            start_asking();
        }
    }
}
