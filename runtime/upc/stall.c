/* SPDX-License-Identifier: BSD-3-Clause */
/* See stall.h. Without the setting nothing here runs. */
#include "upc/stall.h"

#include "comm/comm.h"
#include "core/stall.h"
#include "upc/process.h"

#include <stdio.h>
#include <string.h>

/* Null if the thread has not started. */
static const struct fl_wait_reason *reason_of(const struct upc_thread *thread) {
    /* [T2] pairs [T1]. */
    return atomic_load_explicit(&thread->reason, memory_order_acquire);
}

/* "upc_all_alloc (a.upc:12)" */
static void print_place(const char *before, uint32_t kind, const char *file, int line) {
    fprintf(stderr, "%s%s", before, upc_barrier_names[kind]);
    if (line) {
        fprintf(stderr, " (%.*s:%d)", FL_BARRIER_FILE_BYTES, file, line);
    }
}

/* A barrier in which a thread waits. */
struct awaited {
    uint32_t waiter, epoch, kind;
    int line;
    const char *file;
};

/* Names the threads of this host that have not arrived at it. */
static void name_late(const struct awaited *awaited) {
    unsigned first = fl_layout_my_first(&upc_process.layout);
    unsigned threads = fl_layout_my_threads(&upc_process.layout);
    /* Relaxed: keeps processes from printing the same. */
    if (atomic_exchange_explicit(&upc_process.shared->late_epoch, awaited->epoch,
                                 memory_order_relaxed) == awaited->epoch) {
        return;
    }
    for (unsigned t = first; t < first + threads; t++) {
        const struct fl_barrier_record *last =
            fl_barrier_late(&upc_process.barrier, t, awaited->epoch);
        if (last) {
            flockfile(stderr);
            fprintf(stderr, "thread %u has not come to ", t);
            print_place("", awaited->kind, awaited->file, awaited->line);
            fprintf(stderr, ", where thread %u waits; ", awaited->waiter);
            print_place("it was last at ", last->kind, last->file, last->line);
            fprintf(stderr, "\n");
            funlockfile(stderr);
        }
    }
}

/* Has the processes of this host report all their threads. Relaxed: a process that misses it does
 * so a second later. */
static void ask_host(void) {
    atomic_fetch_add_explicit(&upc_process.shared->asked, 1, memory_order_relaxed);
}

static void hear(void *unused, const struct fl_comm_call *call) {
    (void)unused;
    if (call->n_words == 1) { /* a request to report all threads */
        ask_host();
        return;
    }
    const uint64_t *words = call->words;
    char file[FL_BARRIER_FILE_BYTES];
    snprintf(file, sizeof file, "%.*s", (int)call->bytes, (const char *)call->payload);
    name_late(&(struct awaited){(uint32_t)words[0], (uint32_t)words[1], (uint32_t)words[2],
                                (int)words[3], file});
}

static void tell_hosts(const uint64_t *words, unsigned n_words, const char *file) {
    const struct fl_layout *layout = &upc_process.layout;
    for (unsigned host = 0; host < layout->hosts; host++) {
        if (host != layout->my_host) {
            fl_comm_tell(layout->at[host].proc, FL_COMM_STALL, words, n_words, file,
                         file ? strlen(file) : 0);
        }
    }
}

/* Has all hosts report all threads: for waits outside of barriers, whose cause only the waits of
 * all threads show. At most once in FURLONG_STALL_SECONDS. */
static void tell_all(void) {
    uint64_t now = fl_os_now_ns(), limit_ns = upc_process.params.stall_seconds * 1000000000u;
    /* Relaxed: only keeps processes from requesting the same. */
    uint64_t last = atomic_load_explicit(&upc_process.shared->asked_ns, memory_order_relaxed);
    if (now - last >= limit_ns &&
        atomic_compare_exchange_strong_explicit(&upc_process.shared->asked_ns, &last, now,
                                                memory_order_relaxed, memory_order_relaxed)) {
        ask_host();
        tell_hosts(&(uint64_t){0}, 1, NULL);
    }
}

/* Has all hosts name the threads that have not arrived at the barrier in which `thread` waits; if
 * it waits elsewhere, has them report all threads. */
static void tell_late(const struct upc_thread *thread) {
    if (!thread->barrier.notified) {
        tell_all();
        return;
    }
    const struct fl_barrier_record *here =
        fl_barrier_last(&upc_process.barrier, &thread->barrier);
    const struct awaited awaited = {thread->me, thread->barrier.epoch, here->kind, here->line,
                                    here->file};
    const uint64_t words[4] = {awaited.waiter, awaited.epoch, awaited.kind,
                               (uint64_t)awaited.line};
    name_late(&awaited);
    tell_hosts(words, 4, awaited.line ? awaited.file : NULL);
}

/* Reports a wait that has become too long, once. */
static void tell_if_stalled(struct upc_thread *thread, const struct fl_stall_state *state) {
    if (state->since_ns != thread->told_since_ns &&
        fl_stall_is(state, upc_process.params.stall_seconds)) {
        thread->told_since_ns = state->since_ns;
        fl_stall_describe(thread->me, state);
        tell_late(thread);
    }
}

/* Of a collective call, and of a lock, the place stands with the thread. */
static struct fl_stall_state state_of(const struct upc_thread *thread,
                                      const struct fl_wait_reason *reason) {
    struct fl_stall_state state = fl_stall_look(reason);
    if (state.what && !state.file && thread->file && upc_stuck_is_told(state.what)) {
        state.file = thread->file;
        state.line = thread->line;
    }
    return state;
}

static void look_at_threads(bool all) {
    for (unsigned i = 0; i < upc_process.job.count; i++) {
        struct upc_thread *thread = &upc_process.threads[i];
        const struct fl_wait_reason *reason = reason_of(thread);
        if (!reason) {
            continue;
        }
        struct fl_stall_state state = state_of(thread, reason);
        if (all) {
            fl_stall_describe(thread->me, &state);
        } else {
            tell_if_stalled(thread, &state);
        }
    }
}

static void look(bool all) {
    static uint32_t seen;
    uint32_t asked = atomic_load_explicit(&upc_process.shared->asked, memory_order_relaxed);
    look_at_threads(all || asked != seen);
    seen = asked;
}

/* A thread that answers the launcher when the job's time is over (docs/launch.md). */
static void *answer(void *unused) {
    static const char question[] = "where";
    char packet[sizeof question];
    size_t length = 1;
    (void)unused;
    while (length > 0 &&
           fl_os_receive_packet(upc_process.job.ctl, packet, sizeof packet, &length) == 0) {
        if (length == sizeof question - 1 && memcmp(packet, question, length) == 0) {
            look_at_threads(true);
        }
    }
    return NULL;
}

void upc_stall_register(void) {
    fl_comm_register(FL_COMM_STALL, hear, NULL);
}

void upc_stall_start(void) {
    if (upc_process.params.stall_seconds > 0) {
        fl_stall_start(look);
    }
    if (upc_process.job.asked && upc_process.job.ctl >= 0 &&
        fl_os_thread_start_quiet(answer, NULL) != 0) {
        fl_warn("the launcher cannot be told where threads are: no thread can be started for it");
    }
}
