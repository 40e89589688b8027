/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that are begun now and waited for later. Each runs on a fiber of its own, by the same
 * code as others: where it would wait, it goes back to the thread that resumed it, and it is resumed
 * when what it waits for has come. Those of one team run in the order in which they were begun, one
 * after the other.
 *
 * A thread that has begun some goes on with them whenever it waits for anything, instead of sleeping
 * (core/wait.h), so that others who need its part need not wait until it waits for them.
 */
#ifndef FL_COLL_PENDING_H
#define FL_COLL_PENDING_H

#include "coll/team.h"

struct fl_coll_pending;

/* A member's part of an operation. */
typedef void fl_coll_run(void *context);

enum { FL_COLL_CONTEXT_BYTES = 256 };

/* Begins it, with a copy of the context, for the member of a team that all its calls are of. Null if
 * it has ended. */
struct fl_coll_pending *fl_coll_begin(struct fl_coll_member *member, fl_coll_run *run,
                                      const void *context, size_t bytes);

/* Goes on, and says whether it has ended: it is gone then. The calls of the thread that began it. */
bool fl_coll_try(struct fl_coll_pending *pending);
void fl_coll_wait(struct fl_coll_pending *pending, struct fl_wait_policy policy);

/* Waits for all that the member has begun; who began them still has to ask. */
void fl_coll_settle(const struct fl_coll_member *member, struct fl_wait_policy policy);

/* The calling thread ends, and has nothing pending: what it keeps for operations to come goes. */
void fl_coll_pending_end(void);

/* The same for operations that any thread of a process goes on with, for instance wherever it polls:
 * the queue, of zeros at first, is the caller's, who lets one thread at a time in. That an operation
 * has ended is said by its `run` alone. */
struct fl_coll_queue {
    struct fl_coll_pending *first; /* that has not ended, in the order of their begins */
    struct fl_coll_pending *idle;  /* for operations to come */
};
void fl_coll_queue_begin(struct fl_coll_queue *queue, struct fl_coll_member *member,
                         fl_coll_run *run, const void *context, size_t bytes);
/* A round of all; whether some have not ended. */
bool fl_coll_queue_go_on(struct fl_coll_queue *queue);

/* For what runs on a fiber, where it would wait for the word: whether it was on one, and has. */
bool fl_coll_paused(_Atomic uint32_t *word, uint32_t value);

#endif
