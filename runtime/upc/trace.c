/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace.h. The table of -trace is a hash table with open addressing; it grows when it is half
 * full. */
#include "upc/trace.h"

#include "comm/read_cache.h"
#include "core/fatal.h"
#include "core/record.h"
#include "job/control.h"
#include "upc/finish.h"
#include "upc/process.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts are compared by address: the same text at two addresses gives two lines here, which the
 * launcher adds up. */
struct line {
    const char *file, *what; /* null: free */
    int number;
    uint64_t operations, bytes, ns;
};

_Thread_local bool upc_trace_on;

static _Thread_local struct {
    struct line *lines;
    size_t used, capacity; /* a power of two */
    uint64_t begin_ns;
    struct fl_record *record; /* null: no report is wanted */
} trace;

static struct line *find(const char *what, const char *file, int number) {
    uint64_t hash = ((uint64_t)file * 31 + (uint64_t)what) * 31 + (uint64_t)number;
    size_t i = (hash * 0x9e3779b97f4a7c15) >> 32;
    for (;; i++) {
        struct line *line = &trace.lines[i & (trace.capacity - 1)];
        if (!line->file || (line->file == file && line->number == number && line->what == what)) {
            return line;
        }
    }
}

/* A signal handler may end the job, and send the lines, at any moment: `capacity` is never larger
 * than the memory of the table. */
static void grow(void) {
    struct line *old = trace.lines;
    size_t n = trace.capacity, capacity = n ? 2 * n : 64;
    struct line *lines = FL_ALLOCATED(calloc(capacity, sizeof *lines), "upcrun -trace");
    trace.lines = lines;
    atomic_signal_fence(memory_order_seq_cst);
    trace.capacity = capacity;
    for (size_t i = 0; i < n; i++) {
        if (old[i].file) {
            *find(old[i].what, old[i].file, old[i].number) = old[i];
        }
    }
    free(old);
}

static void add_to_table(uint64_t ns, const char *what, const char *file, int number,
                         unsigned operations, size_t bytes) {
    if (2 * trace.used >= trace.capacity) {
        grow();
    }
    struct line *line = find(what, file, number);
    if (!line->file) {
        trace.used++;
        line->what = what;
        line->file = file;
        line->number = number;
    }
    line->operations += operations;
    line->bytes += bytes;
    line->ns += ns;
}

/* Most words begin otherwise, so that nothing is called. */
static inline bool is_word(const char *what, const char *word) {
    return what[0] == word[0] && strcmp(what, word) == 0;
}

static inline bool is_lock(const char *what) {
    return is_word(what, "lock");
}

static inline bool is_read(const char *what) {
    return is_word(what, "read") || is_word(what, "strict-read");
}

/* Notes the thread whose memory is accessed. Locks are waits, and are identified by their
 * addresses. */
static void set_peer(struct fl_record_step *step, uint64_t at) {
    const struct fl_space *space = &upc_process.space;
    step->peer = FL_RECORD_NOBODY;
    if (!at || is_lock(step->what) || !fl_space_holds(space, at)) {
        step->value = at ? at : step->value;
        return;
    }
    step->side = is_read(step->what) ? FL_RECORD_READS : FL_RECORD_WRITES;
    step->peer = fl_space_thread(space, at);
    step->reach = step->peer == upc_self->me        ? FL_RECORD_OWN
                  : fl_space_is_here(space, at) ? FL_RECORD_NEAR
                                                : FL_RECORD_FAR;
    step->value = step->bytes;
}

/* Records a call of the library at its line, if upcr_called_from has said it; that holds for one
 * call. */
static void set_place(struct fl_record_step *step) {
    if (step->line == 0) {
        step->call = step->file;
        step->file = upc_self->file;
        step->line = upc_self->line;
        upc_self->file = NULL;
        upc_self->line = 0;
    }
}

static void record(struct fl_record_step *step, uint64_t at) {
    if (trace.record && upc_self) {
        set_peer(step, at);
        set_place(step);
        fl_record_add(trace.record, step);
    }
}

/* The table has calls, locks, and accesses to other hosts' memory, or to all others' if wanted. */
static bool is_of_table(const char *what, uint64_t at) {
    return upc_process.job.trace &&
           (!at || is_lock(what) || upc_process.params.all_remote ||
            !fl_space_is_here(&upc_process.space, at));
}

/* Cold where programs call it, and yet the cost of what is recorded: compiled for speed. */
static FL_HOT void add(uint64_t since, const char *what, const char *file, int number, uint64_t at,
                       unsigned operations, size_t bytes) {
    bool is_timed = since != UPC_TRACE_UNTIMED;
    uint64_t ns = is_timed ? fl_os_now_ns() - since : 0;
    if (is_of_table(what, at)) {
        add_to_table(ns, what, file, number, operations, bytes);
    }
    record(&(struct fl_record_step){.what = what, .file = file, .line = number,
                                    .operations = operations, .bytes = bytes,
                                    .begin_ns = is_timed ? since : 0, .ns = ns},
           at);
}

void upc_trace_add(uint64_t since, const char *what, const char *file, int number, uint64_t at,
                   unsigned operations, size_t bytes) {
    add(since, what, file, number, at, operations, bytes);
}

void upc_trace_add_allocation(uint64_t since, const char *what, const char *function,
                              size_t bytes) {
    upc_trace_memory();
    record(&(struct fl_record_step){.what = what, .file = function, .operations = 1,
                                    .bytes = bytes, .value = bytes,
                                    .begin_ns = since, .ns = fl_os_now_ns() - since},
           0);
}

void upc_trace_add_many(uint64_t since, const char *what, const char *file, int number,
                        const unsigned long *at, unsigned n, size_t bytes) {
    for (unsigned i = 0; i < n; i++) {
        /* The time of all is counted at the first one. */
        upc_trace_add(i == 0 ? since : UPC_TRACE_UNTIMED, what, file, number, at[i], 1, bytes);
    }
}

uint64_t upc_trace_now(uint64_t at, size_t bytes) {
    bool is_quick = bytes < UPC_TRACE_TIMED_BYTES && fl_space_is_here(&upc_process.space, at);
    return is_quick ? UPC_TRACE_UNTIMED : fl_os_now_ns();
}

/* Records the use of the segment: static objects, the thread's own heap, its part of the global
 * one. */
void upc_trace_memory(void) {
    if (trace.record && upc_self) {
        const struct fl_heap *heap = &upc_process.heap;
        unsigned mine = upc_self->me - fl_layout_my_first(&upc_process.layout);
        /* Relaxed: only sums. */
        uint64_t own = atomic_load_explicit(&heap->arenas[mine].used, memory_order_relaxed);
        const struct fl_heap_arena *common = &heap->arenas[fl_layout_my_threads(heap->layout)];
        uint64_t global = atomic_load_explicit(&common->used, memory_order_relaxed);
        fl_record_memory(trace.record, heap->static_bytes + own + global);
    }
}

unsigned long *upcr_counts_of(unsigned long **row, unsigned long bytes, int uses, const char *file,
                              int line) {
    _Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "counts are what the recording has");
    _Static_assert((int)UPCR_COUNTED == (int)UPC_TRACE_TIMED_BYTES, "timed accesses are told");
    _Static_assert((int)UPCR_ROW_SAMPLED == (int)FL_RECORD_ROW_SAMPLED &&
                       offsetof(struct fl_record_row, counts) ==
                           offsetof(struct fl_record_row, flags) + sizeof(uint32_t),
                   "upcr_count_sample sets the flag");
    if (!upc_trace_on || !trace.record) {
        return NULL;
    }
    *row = (unsigned long *)fl_record_row(
        trace.record, &(struct fl_record_place){.file = file,
                                                .line = line,
                                                .reads = uses & UPCR_READS_IT,
                                                .writes = uses & UPCR_WRITES_IT,
                                                .with_own = uses & UPCR_WITH_OWN,
                                                .bytes = (uint32_t)bytes});
    return *row;
}

static void tell(const struct line *line) {
    char text[2048];
    snprintf(text, sizeof text, "trace %d %llu %llu %llu %s %s", line->number,
             (unsigned long long)line->operations, (unsigned long long)line->bytes,
             (unsigned long long)line->ns, line->what, line->file);
    fl_control_send0_sigsafe(text);
}

/* Sends all lines to the launcher. Also when the thread ends the job by a failure, of which the
 * times may show the cause. */
static void tell_all(bool in_order) {
    (void)in_order;
    upc_trace_on = false;
    if (trace.record) {
        upc_trace_memory();
        fl_record_close_sigsafe(trace.record);
        trace.record = NULL;
    }
    if (!upc_process.job.trace) {
        return;
    }
    tell(&(struct line){.what = "all", .file = "-", .ns = fl_os_now_ns() - trace.begin_ns});
    for (size_t i = 0; i < trace.capacity; i++) {
        if (trace.lines[i].file) {
            tell(&trace.lines[i]);
        }
    }
}

static struct fl_record *open_record(void) {
    const struct fl_job *job = &upc_process.job;
    const struct fl_layout *layout = &upc_process.layout;
    return fl_record_open(&(struct fl_record_setup){.folder = upc_process.params.report,
                                                    .model = FL_RECORD_UPC,
                                                    .thread = upc_self->me,
                                                    .threads = job->threads,
                                                    .process = job->proc,
                                                    .host = job->host,
                                                    .hosts = job->hosts,
                                                    .peers = job->threads,
                                                    .first_near = fl_layout_my_first(layout),
                                                    .near = fl_layout_my_threads(layout),
                                                    .events = upc_process.params.report_events,
                                                    .host_name = fl_job_host_name(job, job->host)});
}

void upc_trace_prepare(void) {
    if (upc_process.params.report) {
        trace.record = open_record();
    }
}

void upc_trace_start(void) {
    if (trace.record) {
        fl_record_begin(trace.record, fl_os_now_ns());
        upc_trace_memory();
    }
    trace.begin_ns = fl_os_now_ns();
    upc_finish_also(tell_all);
    fl_read_cache_show_all();
    upc_trace_on = true;
}
