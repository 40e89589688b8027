/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier statements (UPC 1.3 6.6.1) as emitted code calls them. */
#include "upc/foreign.h"
#include "upc/output.h"
#include "upc/process.h"
#include "upc/trace.h"

const char *const upc_barrier_names[] = {
#define UPC_USE(name, text) [UPC_AT_##name] = text,
#include "upc/uses.def"
#undef UPC_USE
};

static void notify(struct upc_thread *self, const struct fl_barrier_mark *mark) {
    fl_barrier_notify(&upc_process.barrier, &self->barrier, mark);
}

static void wait(struct upc_thread *self, const struct fl_barrier_mark *mark, const char *what) {
    fl_wait_begin(what, mark->file, mark->line);
    fl_barrier_wait(&upc_process.barrier, &self->barrier, mark);
    fl_wait_end();
}

/* A notify is a strict write and a wait a strict read (6.6.1p7): relaxed accesses between the two
 * may pass neither. */
void upcr_notify(int has_value, int value, const char *file, int line) {
    const struct fl_barrier_mark mark = {
        .has_value = has_value, .value = value, .file = file, .line = line};
    struct upc_thread *self = upc_itself("upc_notify");
    upc_output_settle();
    uint64_t since = upc_trace_begin();
    notify(self, &mark);
    upc_trace_end(since, "notify", file, line);
    upcr_fence();
}

void upcr_wait(int has_value, int value, const char *file, int line) {
    const struct fl_barrier_mark mark = {
        .has_value = has_value, .value = value, .file = file, .line = line};
    struct upc_thread *self = upc_itself("upc_wait");
    uint64_t since = upc_trace_begin();
    wait(self, &mark, "upc_wait");
    upc_trace_end(since, "wait", file, line);
    upcr_fence();
}

/* Needs no fence: by the barrier's own release and acquire, accesses after the wait of one thread
 * come after those before the notify of every other. */
void upcr_barrier(int has_value, int value, const char *file, int line) {
    const struct fl_barrier_mark mark = {
        .has_value = has_value, .value = value, .file = file, .line = line};
    struct upc_thread *self = upc_itself("upc_barrier");
    upc_output_settle();
    uint64_t since = upc_trace_begin();
    notify(self, &mark);
    wait(self, &mark, "upc_barrier");
    upc_trace_end(since, "barrier", file, line);
}

static void meet(struct upc_thread *self, const struct fl_barrier_mark *mark) {
    notify(self, mark);
    wait(self, mark, upc_barrier_names[mark->kind]);
}

void upc_barrier_plain(enum upc_barrier_use use) {
    meet(upc_itself(upc_barrier_names[use]), &(struct fl_barrier_mark){.kind = use});
}

void upcr_called_from(const char *file, int line) {
    if (upc_self) {
        upc_self->file = file;
        upc_self->line = line;
    }
}

void upc_barrier_called(enum upc_barrier_use use) {
    struct upc_thread *self = upc_itself(upc_barrier_names[use]);
    meet(self,
         &(struct fl_barrier_mark){.kind = use, .file = self->file, .line = self->line});
}
