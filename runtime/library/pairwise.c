/* SPDX-License-Identifier: BSD-3-Clause */
/* <upcx_pairwise.h>. The signals themselves are sync/pairs.h. */
#include "upcx_pairwise.h"

#include "core/fatal.h"
#include "sync/pairs.h"
#include "upc/foreign.h"
#include "upc/trace.h"

/* None of the thread's earlier accesses to this host comes later. */
static void order_here(void) {
    /* No label: it orders accesses of the compiled program. Costs nothing on x86. */
    atomic_thread_fence(memory_order_acq_rel);
}

/* Before a strict access: on return the thread's relaxed writes to other hosts, and its signals to
 * them, have ended, and none of its earlier accesses to this host can come later. */
static void begin_strict(void) {
    fl_remote_fence();
    order_here();
}

static unsigned checked(int thread, const char *what) {
    if (FL_UNLIKELY((unsigned)thread >= upc_process.job.threads)) {
        fl_fatal(FL_CODE_THREAD_NUMBER,
                 "%s: there is no thread %d; threads are numbered from 0 to %u", what, thread,
                 upc_process.job.threads - 1);
    }
    return (unsigned)thread;
}

/* The same, but what the thread has written to the memory of the process that is signalled may come
 * there just before the signal. */
static void begin_signal(unsigned to) {
    fl_read_cache_drop();
    if (FL_UNLIKELY(!fl_comm_is_quiet())) {
        fl_comm_quiet_elsewhere(fl_layout_proc_of_thread(&upc_process.layout, to));
    }
    order_here();
}

static void signal_all(const int *threads, size_t n, const char *what) {
    struct upc_thread *self = upc_itself(what);
    if (n == 1) {
        begin_signal(checked(*threads, what));
    } else {
        begin_strict();
    }
    for (size_t i = 0; i < n; i++) {
        fl_pairs_signal_strict(&upc_process.pairs, self->me, checked(threads[i], what));
    }
}

static void wait_all(const int *threads, size_t n, const char *what) {
    struct upc_thread *self = upc_itself(what);
    begin_strict();
    uint64_t since = upc_trace_begin();
    for (size_t i = 0; i < n; i++) {
        fl_pairs_wait(&upc_process.pairs, self->me, checked(threads[i], what));
    }
    upc_trace_end_call(since, "wait", what);
}

void upcx_signal(int thread) {
    signal_all(&thread, 1, "upcx_signal");
}

void upcx_signal_set(const int *threads, size_t n) {
    signal_all(threads, n, "upcx_signal_set");
}

void upcx_wait(int thread) {
    wait_all(&thread, 1, "upcx_wait");
}

void upcx_wait_set(const int *threads, size_t n) {
    wait_all(threads, n, "upcx_wait_set");
}

void upcx_sync(const int *threads, size_t n) {
    signal_all(threads, n, "upcx_sync");
    wait_all(threads, n, "upcx_sync");
}

int upcx_try_wait(int thread) {
    unsigned me = upc_itself("upcx_try_wait")->me, from = checked(thread, "upcx_try_wait");
    begin_strict();
    if (fl_wait_service.poll && !fl_pairs_has(&upc_process.pairs, me, from)) {
        fl_wait_poll();
    }
    /* No label, a full fence of the compiled program: that there is no signal must not have been read
     * before the thread's writes. */
    atomic_thread_fence(memory_order_seq_cst);
    return fl_pairs_try(&upc_process.pairs, me, from);
}

int upcx_wait_any(const int *threads, size_t n) {
    struct upc_thread *self = upc_itself("upcx_wait_any");
    if (n == 0) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "upcx_wait_any: the set has no threads to wait for");
    }
    for (size_t i = 0; i < n; i++) {
        checked(threads[i], "upcx_wait_any");
    }
    begin_strict();
    uint64_t since = upc_trace_begin();
    size_t i = fl_pairs_wait_any(&upc_process.pairs, self->me, (const unsigned *)threads, n,
                                 self->any_first);
    self->any_first = i + 1;
    upc_trace_end_call(since, "wait", "upcx_wait_any");
    return threads[i];
}
