/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace.h. A table with open addresses, which grows before it is half full. */
#include "upc/trace.h"

#include "comm/read_cache.h"
#include "core/fatal.h"
#include "job/control.h"
#include "upc/finish.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Texts are compared by address: one text at two addresses is two lines here, and one for the
 * launcher. */
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

/* A signal handler may end the job, and tell the lines, at any moment: the table is never larger than
 * its memory. */
static void grow(void) {
    struct line *old = trace.lines;
    size_t n = trace.capacity, capacity = n ? 2 * n : 64;
    struct line *lines = calloc(capacity, sizeof *lines);
    if (!lines) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for upcrun -trace");
    }
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

void upc_trace_add(uint64_t since, const char *what, const char *file, int number,
                   unsigned operations, size_t bytes) {
    uint64_t ns = fl_os_now_ns() - since;
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

static void tell(const struct line *line) {
    char text[2048];
    snprintf(text, sizeof text, "trace %d %llu %llu %llu %s %s", line->number,
             (unsigned long long)line->operations, (unsigned long long)line->bytes,
             (unsigned long long)line->ns, line->what, line->file);
    fl_control_send0_sigsafe(text);
}

/* Whoever ends the job by a failure tells too: what it was slow at may be why. */
static void tell_all(bool in_order) {
    (void)in_order;
    upc_trace_on = false;
    tell(&(struct line){.what = "all", .file = "-", .ns = fl_os_now_ns() - trace.begin_ns});
    for (size_t i = 0; i < trace.capacity; i++) {
        if (trace.lines[i].file) {
            tell(&trace.lines[i]);
        }
    }
}

void upc_trace_start(void) {
    trace.begin_ns = fl_os_now_ns();
    upc_finish_also(tell_all);
    fl_read_cache_show_all();
    upc_trace_on = true;
}
