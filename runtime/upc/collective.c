/* SPDX-License-Identifier: BSD-3-Clause */
/* See collective.h. */
#include "upc/collective.h"

#include "core/fatal.h"
#include "upc/foreign.h"

#include <stdio.h>
#include <string.h>

void upc_collective_refuse(enum upc_barrier_use use) {
    const char *name = upc_barrier_names[use];
    if (!upc_self) {
        upc_foreign_refuse(name);
    }
    const struct fl_barrier_record *notify =
        fl_barrier_last(&upc_process.barrier, &upc_self->barrier);
    fl_fatal(FL_CODE_COLLECTIVE_PLACE,
             "thread %u calls %s between upc_notify (%s:%d) and its upc_wait, where no collective "
             "function may be called; move it before the one or after the other",
             upc_self->me, name, notify->file, notify->line);
}

/* What a thread puts into its cell for the comparison. */
struct statement {
    uint64_t values[UPC_MOST_ARGUMENTS];
    uint32_t kind;
    int32_t line; /* 0: not known */
    char file[FL_COLL_CELL_BYTES - 8 * UPC_MOST_ARGUMENTS - 8]; /* its end */
};
_Static_assert(sizeof(struct statement) <= FL_COLL_CELL_BYTES, "a statement fits a cell");

/* Stores the thread's place in the program; of a long name the last folders, which say more. */
static void leave_place(struct statement *statement, const struct upc_thread *thread) {
    const char *name = thread->file ? thread->file : "";
    size_t most = sizeof statement->file - 1;
    while (strlen(name) > most && strchr(name, '/')) {
        name = strchr(name, '/') + 1;
    }
    snprintf(statement->file, sizeof statement->file, "%s", name);
    statement->line = thread->line;
}

/* " (a.upc:12)", or nothing. */
static struct upc_value_text place_text(const struct statement *statement) {
    struct upc_value_text t = {""};
    if (statement->line) {
        snprintf(t.text, sizeof t.text, " (%s:%d)", statement->file, statement->line);
    }
    return t;
}

static FL_COLD void compare(const struct fl_coll_call *call, const struct statement *first,
                            const struct statement *other, unsigned rank,
                            const struct upc_argument *arguments, unsigned count) {
    unsigned one = fl_coll_thread(call->team, 0), thread = fl_coll_thread(call->team, rank);
    if (first->kind != other->kind) {
        fl_fatal(FL_CODE_OTHER_BARRIER,
                 "thread %u is at %s%s, but thread %u at %s%s; all members of a team must come to "
                 "the same collective calls in the same order",
                 one, upc_barrier_names[first->kind], place_text(first).text, thread,
                 upc_barrier_names[other->kind], place_text(other).text);
    }
    for (unsigned i = 0; i < count; i++) {
        if (first->values[i] != other->values[i]) {
            fl_fatal(FL_CODE_ARGUMENTS_DIFFER,
                     "%s: %s is %s in thread %u%s, but %s in thread %u%s; all threads must give "
                     "the same value",
                     upc_barrier_names[call->kind], arguments[i].name,
                     upc_value_text(arguments[i].kind, first->values[i]).text, one,
                     place_text(first).text,
                     upc_value_text(arguments[i].kind, other->values[i]).text, thread,
                     place_text(other).text);
        }
    }
}

void upc_collective_agree(enum upc_barrier_use use, const struct upc_argument *arguments,
                          unsigned count) {
    const struct fl_coll_call call = {
        .team = &upc_process.team, .member = &upc_self->coll, .kind = use};
    /* A thread at another barrier, or at the end of the program, never arrives at the comparison:
     * it is found here. */
    upc_barrier_called(use);
    upc_collective_agree_in(&call, arguments, count);
}

void upc_collective_agree_in(const struct fl_coll_call *caller,
                             const struct upc_argument *arguments, unsigned count) {
    struct fl_coll_call call = {
        .team = caller->team, .member = caller->member, .kind = caller->kind};
    struct statement mine = {.kind = call.kind};
    leave_place(&mine, upc_self);
    for (unsigned i = 0; i < count; i++) {
        mine.values[i] = arguments[i].value;
    }
    fl_coll_step(&call);
    memcpy(fl_coll_fill(&call, fl_coll_me(&call))->bytes, &mine, sizeof mine);
    if (fl_coll_arrive(&call)) {
        struct statement first, other;
        memcpy(&first, fl_coll_cell(&call, 0)->bytes, sizeof first);
        for (unsigned rank = 1; rank < call.team->members; rank++) {
            memcpy(&other, fl_coll_cell(&call, rank)->bytes, sizeof other);
            compare(&call, &first, &other, rank, arguments, count);
        }
        fl_coll_over(&call);
    }
    fl_coll_await_over(&call);
}

void upc_collective_choose(struct fl_coll_choices *choices, const struct fl_coll_team *team) {
    const struct fl_coll_situation situation = {
        .members = team->members,
        .hosts = team->hosts,
        .crowded = team->hosts == 1 &&
                   fl_layout_my_threads(&upc_process.layout) > upc_process.shared->cpus,
    };
    fl_coll_choose(choices, &situation, upc_process.params.coll, upc_process.coll_table);
}
