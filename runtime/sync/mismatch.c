/* SPDX-License-Identifier: BSD-3-Clause */
/* See mismatch.h. */
#include "sync/mismatch.h"

#include "core/fatal.h"

#include <stdio.h>

void fl_mismatch_values(const struct fl_barrier_record *one,
                        const struct fl_barrier_record *other) {
    fl_fatal(FL_CODE_BARRIER_MISMATCH,
             "barrier values differ: thread %u has %d (%s:%d), thread %u has %d (%s:%d); all "
             "values given for one barrier must be equal, so some thread is at another barrier",
             one->thread, one->value, one->file, one->line, other->thread, other->value,
             other->file, other->line);
}

void fl_mismatch_wait(unsigned thread, const struct fl_barrier_mark *mark,
                      const struct fl_barrier_record *notify) {
    fl_fatal(FL_CODE_BARRIER_MISMATCH,
             "barrier values differ: upc_wait in thread %u has %d (%s:%d), upc_notify in thread "
             "%u has %d (%s:%d); they must be equal",
             thread, mark->value, mark->file ? mark->file : "?", mark->line, notify->thread,
             notify->value, notify->file, notify->line);
}

/* "upc_barrier (a.upc:12)" */
static void describe(const char *const *names, const struct fl_barrier_record *r, char *text,
                     size_t size) {
    if (r->line) {
        snprintf(text, size, "%s (%s:%d)", names[r->kind], r->file, r->line);
    } else {
        snprintf(text, size, "%s", names[r->kind]);
    }
}

void fl_mismatch_notify(const char *const *names, const struct fl_barrier_record *last,
                        const struct fl_barrier_mark *mark) {
    char here[FL_BARRIER_FILE_BYTES + 64], there[FL_BARRIER_FILE_BYTES + 64] = "";
    if (mark->line) {
        snprintf(here, sizeof here, "notifies at %s:%d", mark->file, mark->line);
    } else {
        snprintf(here, sizeof here, "comes to %s", names[mark->kind]);
    }
    if (last->line) {
        snprintf(there, sizeof there, " at %s:%d", last->file, last->line);
    }
    fl_fatal(FL_CODE_NOTIFY_TWICE,
             "thread %u %s without a upc_wait after its upc_notify%s; the two must alternate",
             last->thread, here, there);
}

void fl_mismatch_kinds(const char *const *names, const struct fl_barrier_record *one,
                       const struct fl_barrier_record *other) {
    char here[FL_BARRIER_FILE_BYTES + 64], there[FL_BARRIER_FILE_BYTES + 64];
    describe(names, one, here, sizeof here);
    describe(names, other, there, sizeof there);
    fl_fatal(FL_CODE_OTHER_BARRIER,
             "thread %u is at %s, but thread %u at %s; all threads must come to the same barriers "
             "and collective calls in the same order",
             one->thread, here, other->thread, there);
}
