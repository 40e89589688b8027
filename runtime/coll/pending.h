/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nonblocking collective operations. Each runs the blocking code on a fiber of its own: where that
 * code would wait for a word, the fiber returns to the thread that resumed it, and is resumed when
 * the word has the value; where it would poll comm, it is resumed whenever the thread has done that
 * (fl_wait_suspend). The operations of one member run one after the other, in the order in
 * which they were begun.
 *
 * A thread with pending operations advances them whenever it waits for anything, instead of
 * sleeping (core/wait.h). Else other members would wait for its part until it waits for the
 * operation.
 */
#ifndef FL_COLL_PENDING_H
#define FL_COLL_PENDING_H

#include "coll/team.h"

struct fl_coll_pending;

/* Performs a member's part of an operation. */
typedef void fl_coll_run(void *context);

enum { FL_COLL_CONTEXT_BYTES = 256 };

/* Begins an operation with a copy of the context, of at most FL_COLL_CONTEXT_BYTES; all calls
 * within `run` are of `member`. Returns null if the operation has ended already. */
struct fl_coll_pending *fl_coll_begin(struct fl_coll_member *member, fl_coll_run *run,
                                      const void *context, size_t bytes);

/* fl_coll_try advances the thread's operations and returns whether this one has ended; fl_coll_wait
 * blocks until it has. Both then free it. Only the thread that began it calls them. */
bool fl_coll_try(struct fl_coll_pending *pending);
void fl_coll_wait(struct fl_coll_pending *pending, struct fl_wait_policy policy);

/* Blocks until all operations that the calling thread has begun for the member have ended. Frees
 * none: the caller still passes each to fl_coll_try or fl_coll_wait. */
void fl_coll_settle(const struct fl_coll_member *member, struct fl_wait_policy policy);

/* Frees the calling thread's idle operations. Called at its end, when nothing is pending. */
void fl_coll_pending_end(void);

/* A queue of operations that any thread of the process may advance, for instance where it polls. It
 * starts as zeros. The caller lets one thread at a time use it. Ended operations are freed unseen:
 * `run` itself reports the end. */
struct fl_coll_queue {
    struct fl_coll_pending *first; /* pending operations, the oldest first */
    struct fl_coll_pending *idle;  /* for reuse */
};
void fl_coll_queue_begin(struct fl_coll_queue *queue, struct fl_coll_member *member,
                         fl_coll_run *run, const void *context, size_t bytes);
/* Resumes each operation that can continue, once. Returns whether there was any for which the value
 * that it waited for had come: its member may have done what others wait for. */
bool fl_coll_queue_go_on(struct fl_coll_queue *queue);

/* On a fiber: suspends it until the word has the value, and returns true. Elsewhere: returns false,
 * and the caller waits itself. */
bool fl_coll_paused(_Atomic uint32_t *word, uint32_t value);

#endif
