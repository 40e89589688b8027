/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that the macros of <bupc_collectivev.h> call: they check, and call the operations
 * on values of coll/value.h and coll/reduce.h. */
#include "coll/reduce.h"
#include "coll/value.h"
#include "core/fatal.h"
#include "library/collective.h"

#include <stdlib.h>

void upcr_allv_reduce(void *value, upc_type_t type, int root, upc_op_t op);
void upcr_allv_prefix_reduce(void *value, upc_type_t type, upc_op_t op);
void upcr_allv_broadcast(void *value, size_t bytes, int root);
void upcr_allv_scatter(void *value, const void *src, size_t bytes, int root);
void *upcr_allv_gather(void *dst, const void *value, size_t bytes, int root);
void upcr_allv_permute(void *value, size_t bytes, int to);

static struct fl_coll_call enter(enum upc_barrier_use use) {
    return (struct fl_coll_call){.team = &upc_process.team,
                                 .member = &upc_collective_enter(use)->coll,
                                 .kind = use,
                                 .in = FL_COLL_MINE,
                                 .out = FL_COLL_MINE};
}

/* Begins a movement of values. */
static struct fl_coll_call enter_move(enum upc_barrier_use use, size_t bytes, int root) {
    struct fl_coll_call call = enter(use);
    if (FL_UNLIKELY(upc_process.check)) {
        const struct upc_argument arguments[] = {{"the size of TYPE", bytes, UPC_NUMBER},
                                                 {"rootthread", (uint64_t)root, UPC_NUMBER}};
        upc_collective_agree(use, arguments, 2);
    }
    return call;
}

static struct fl_coll_call enter_reduction(enum upc_barrier_use use, upc_type_t type, int root,
                                           upc_op_t op) {
    struct fl_coll_call call = enter(use);
    if (FL_UNLIKELY(upc_process.check)) {
        const struct upc_argument arguments[] = {{"TYPE", (uint64_t)type, UPC_TYPE},
                                                 {"rootthread", (uint64_t)root, UPC_NUMBER},
                                                 {"reductionop", (uint64_t)op, UPC_OPERATION}};
        upc_collective_agree(use, arguments, 3);
    }
    return call;
}

static unsigned thread_number(enum upc_barrier_use use, const char *name, int thread) {
    if (FL_UNLIKELY(thread < 0 || (unsigned)thread >= upc_process.job.threads)) {
        fl_fatal(FL_CODE_THREAD_NUMBER, "%s: %s is %d, but the program has the threads 0 to %u",
                 upc_barrier_names[use], name, thread, upc_process.job.threads - 1);
    }
    return (unsigned)thread;
}

void upcr_allv_reduce(void *value, upc_type_t type, int root, upc_op_t op) {
    struct fl_coll_call call = enter_reduction(UPC_AT_ALLV_REDUCE, type, root, op);
    struct fl_coll_operator o = upc_coll_operator_of(UPC_AT_ALLV_REDUCE, type, op, NULL);
    unsigned to = root == -1 ? 0 : thread_number(UPC_AT_ALLV_REDUCE, "rootthread", root);
    fl_coll_value_reduce(&call, value, &o, root == -1, to);
}

void upcr_allv_prefix_reduce(void *value, upc_type_t type, upc_op_t op) {
    struct fl_coll_call call = enter_reduction(UPC_AT_ALLV_PREFIX_REDUCE, type, -1, op);
    struct fl_coll_operator o = upc_coll_operator_of(UPC_AT_ALLV_PREFIX_REDUCE, type, op, NULL);
    fl_coll_value_prefix_reduce(&call, value, &o);
}

void upcr_allv_broadcast(void *value, size_t bytes, int root) {
    struct fl_coll_call call = enter_move(UPC_AT_ALLV_BROADCAST, bytes, root);
    fl_coll_value_broadcast(&call, value, bytes,
                            thread_number(UPC_AT_ALLV_BROADCAST, "rootthread", root));
}

void upcr_allv_scatter(void *value, const void *src, size_t bytes, int root) {
    struct fl_coll_call call = enter_move(UPC_AT_ALLV_SCATTER, bytes, root);
    fl_coll_value_scatter(&call, value, src, bytes,
                          thread_number(UPC_AT_ALLV_SCATTER, "rootthread", root));
}

void *upcr_allv_gather(void *dst, const void *value, size_t bytes, int root) {
    struct fl_coll_call call = enter_move(UPC_AT_ALLV_GATHER, bytes, root);
    unsigned to =
        root == -1 ? FL_COLL_EVERYBODY : thread_number(UPC_AT_ALLV_GATHER, "rootthread", root);
    fl_coll_value_gather(&call, dst, value, bytes, to);
    return dst;
}

/* Each thread compares its target with those of the threads before it. */
static FL_COLD void check_targets(struct fl_coll_call *call, unsigned to) {
    unsigned me = fl_coll_me(call), members = call->team->members;
    unsigned *targets = calloc(members, sizeof *targets);
    if (!targets) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "%s: no memory for %u numbers",
                 upc_barrier_names[call->kind], members);
    }
    fl_coll_value_gather(call, targets, &to, sizeof to, FL_COLL_EVERYBODY);
    for (unsigned t = 0; t < me; t++) {
        if (targets[t] == to) {
            fl_fatal(FL_CODE_BAD_ARGUMENT,
                     "%s: threads %u and %u both give their value to thread %u; each thread must "
                     "get one",
                     upc_barrier_names[call->kind], t, me, to);
        }
    }
    free(targets);
}

void upcr_allv_permute(void *value, size_t bytes, int to) {
    struct fl_coll_call call = enter_move(UPC_AT_ALLV_PERMUTE, bytes, 0);
    unsigned target = thread_number(UPC_AT_ALLV_PERMUTE, "tothreadid", to);
    if (FL_UNLIKELY(upc_process.check)) {
        check_targets(&call, target);
    }
    fl_coll_value_permute(&call, value, bytes, target);
}
