/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks and semaphores for threads of other hosts. The keeper, the process whose thread has the
 * memory, serves their requests, and has a queue of threads that must wait. A thread that releases
 * or posts in shared memory sees in the word that threads are queued, and tells the keeper.
 *
 * Only handlers touch the queue, which run one at a time.
 */
#ifndef FL_SYNC_REMOTE_H
#define FL_SYNC_REMOTE_H

#include "comm/comm.h"
#include "core/fatal.h"

/* A thread of another host that waits for the lock or semaphore at an address. */
struct fl_waiting {
    struct fl_waiting *next;
    uint64_t address;
    struct fl_comm_asker asker;
    unsigned thread;
    uint64_t n; /* of a semaphore */
};

/* All threads that wait here, by address, in the order of arrival. */
enum { FL_QUEUE_BUCKETS = 256 };
struct fl_queue {
    struct {
        struct fl_waiting *first, **last;
    } buckets[FL_QUEUE_BUCKETS];
    uint32_t keep_after; /* times that a process takes a lock before it keeps it; 0: never */
};

/* The handlers of locks and semaphores; once, before fl_comm_connect. */
void fl_queue_start(struct fl_queue *queue, uint32_t keep_after);

/* Appends a copy. */
void fl_queue_add(struct fl_queue *queue, const struct fl_waiting *waiting);
/* The first thread that waits for what is at the address, and the next after one; null: none. */
struct fl_waiting *fl_queue_first(const struct fl_queue *queue, uint64_t address);
struct fl_waiting *fl_queue_next(const struct fl_waiting *waiting);
void fl_queue_remove(struct fl_queue *queue, struct fl_waiting *waiting);

/* Why a request is refused; ends the job in the process of the thread that asked. */
struct fl_refusal {
    bool refused;
    char text[240];
};
FL_COLD FL_PRINTF(2, 3) void fl_refuse(struct fl_refusal *refusal, const char *format, ...);

/* `words[0]` of a message is the request; FL_REMOTE_REFUSED in an answer or message that carries a
 * refusal. */
enum { FL_REMOTE_REFUSED = UINT8_MAX };

/* Asks the keeper, and returns its answer. Fatal if it refuses. */
uint64_t fl_remote_ask(enum fl_comm_handler_id id, enum fl_code code, const uint64_t *words,
                       unsigned n_words, const char *name);
/* Answers a request. If its sender awaits no answer, only a refusal is sent. */
void fl_remote_answer(enum fl_comm_handler_id id, struct fl_comm_asker asker, uint64_t answer,
                      const struct fl_refusal *refusal);
/* Ends the job if the call is a refusal. */
void fl_remote_heed(const struct fl_comm_call *call, enum fl_code code);

/* Handlers; the context is the queue. */
fl_comm_handler fl_lock_serve, fl_semaphore_serve;

/* Waits until all relaxed accesses of the thread have ended, as a full fence begins on several
 * hosts. */
static inline void fl_remote_fence(void) {
    fl_read_cache_drop();
    if (FL_UNLIKELY(!fl_comm_is_quiet())) {
        fl_comm_quiet();
    }
}

#endif
