/* SPDX-License-Identifier: BSD-3-Clause */
/* See pending.h. */
#include "coll/pending.h"

#include "core/assert.h"
#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

struct fl_coll_pending {
    struct fl_os_fiber *fiber; /* reused by one operation after the other */
    struct fl_coll_pending *next;
    struct fl_coll_member *member;
    fl_coll_run *run;
    _Atomic uint32_t *word; /* the word that the fiber waits for; null: it looks for itself */
    uint32_t value;
    bool ended;
    _Alignas(max_align_t) unsigned char context[FL_COLL_CONTEXT_BYTES];
};

/* The calling thread's operations, and the one whose fiber it runs; null: none. */
static _Thread_local struct fl_coll_queue mine;
static _Thread_local struct fl_coll_pending *running;

static void run_fiber(void *context) {
    for (struct fl_coll_pending *pending = context;;) {
        pending->run(pending->context);
        pending->ended = true;
        fl_os_fiber_leave(pending->fiber);
    }
}

bool fl_coll_paused(_Atomic uint32_t *word, uint32_t value) {
    struct fl_coll_pending *pending = running;
    if (!pending) {
        return false;
    }
    fl_assert(!pending->ended && !pending->word);
    pending->word = word;
    pending->value = value;
    fl_os_fiber_leave(pending->fiber);
    return true;
}

/* Until the thread that resumed the fiber has done something else. */
static void suspend(void) {
    struct fl_coll_pending *pending = running;
    fl_assert(!pending->ended && !pending->word);
    fl_os_fiber_leave(pending->fiber);
}

static struct fl_coll_pending *make(struct fl_coll_queue *queue) {
    struct fl_coll_pending *pending = queue->idle;
    if (pending) {
        queue->idle = pending->next;
        return pending;
    }
    pending = calloc(1, sizeof *pending);
    if (!pending || !(pending->fiber = fl_os_fiber_make(run_fiber, pending))) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY,
                 "no memory for a collective operation that is waited for later");
    }
    return pending;
}

static bool comes_after_another(const struct fl_coll_queue *queue,
                                const struct fl_coll_pending *pending) {
    const struct fl_coll_pending *other = queue->first;
    fl_assert(other);
    while (other != pending && other->member != pending->member) {
        other = other->next;
    }
    return other != pending;
}

/* Whether what it waited for had come, as far as that can be told. */
static bool resume(struct fl_coll_pending *pending) {
    bool waited = pending->word;
    if (waited && !fl_wait_reached(pending->word, pending->value)) {
        return false;
    }
    fl_assert(!running && !pending->ended);
    pending->word = NULL;
    running = pending;
    fl_wait_suspend = suspend;
    fl_os_fiber_enter(pending->fiber);
    fl_assert(running == pending);
    fl_wait_suspend = NULL;
    running = NULL;
    return waited || pending->word || pending->ended;
}

static void release(struct fl_coll_queue *queue, struct fl_coll_pending *pending) {
    fl_assert(pending->ended && pending != queue->idle);
    pending->next = queue->idle;
    queue->idle = pending;
}

/* Resumes each operation once; whether any went on. `forget`: frees ended ones, since no thread asks
 * for them. */
static bool go_on_with(struct fl_coll_queue *queue, bool forget) {
    bool went_on = false;
    for (struct fl_coll_pending **at = &queue->first; *at;) {
        struct fl_coll_pending *pending = *at;
        if (!comes_after_another(queue, pending)) {
            went_on |= resume(pending);
        }
        if (!pending->ended) {
            at = &pending->next;
            continue;
        }
        *at = pending->next;
        if (forget) {
            release(queue, pending);
        }
    }
    return went_on;
}

static void go_on(void) {
    /* A fiber that blocks the thread, for a mutex, must not enter here. */
    fl_wait_aside = NULL;
    (void)go_on_with(&mine, false);
    fl_wait_aside = mine.first ? go_on : NULL;
}

static struct fl_coll_pending *append(struct fl_coll_queue *queue, struct fl_coll_member *member,
                                      fl_coll_run *run, const void *context, size_t bytes) {
    fl_assert(bytes <= FL_COLL_CONTEXT_BYTES);
    struct fl_coll_pending *pending = make(queue);
    pending->next = NULL;
    pending->member = member;
    pending->run = run;
    pending->word = NULL;
    pending->ended = false;
    memcpy(pending->context, context, bytes);
    struct fl_coll_pending **at = &queue->first;
    while (*at) {
        at = &(*at)->next;
    }
    *at = pending;
    return pending;
}

void fl_coll_queue_begin(struct fl_coll_queue *queue, struct fl_coll_member *member,
                         fl_coll_run *run, const void *context, size_t bytes) {
    (void)append(queue, member, run, context, bytes);
    (void)go_on_with(queue, true);
}

bool fl_coll_queue_go_on(struct fl_coll_queue *queue) {
    return go_on_with(queue, true);
}

/* Frees the operation if it has ended; returns whether it has. */
static bool gone(struct fl_coll_pending *pending) {
    if (pending->ended) {
        release(&mine, pending);
        return true;
    }
    return false;
}

struct fl_coll_pending *fl_coll_begin(struct fl_coll_member *member, fl_coll_run *run,
                                      const void *context, size_t bytes) {
    struct fl_coll_pending *pending = append(&mine, member, run, context, bytes);
    go_on();
    return gone(pending) ? NULL : pending;
}

bool fl_coll_try(struct fl_coll_pending *pending) {
    if (!pending->ended) {
        fl_wait_poll();
        go_on();
    }
    return gone(pending);
}

/* Blocks until the operation has ended. */
static void finish(const struct fl_coll_pending *pending, struct fl_wait_policy policy) {
    for (uint32_t looks = 0; !pending->ended; looks++) {
        go_on();
        bool alone = mine.first == pending && !pending->next;
        if (alone && pending->word && !pending->ended) {
            fl_wait_aside = NULL;
            fl_wait_until(pending->word, pending->value, policy);
        } else if (fl_wait_poll() == 0 && looks >= policy.spins) {
            fl_os_yield();
        }
    }
}

void fl_coll_wait(struct fl_coll_pending *pending, struct fl_wait_policy policy) {
    finish(pending, policy);
    (void)gone(pending);
}

void fl_coll_settle(const struct fl_coll_member *member, struct fl_wait_policy policy) {
    for (;;) {
        struct fl_coll_pending *pending = mine.first;
        while (pending && pending->member != member) {
            pending = pending->next;
        }
        if (!pending) {
            return;
        }
        finish(pending, policy);
    }
}

void fl_coll_pending_end(void) {
    struct fl_coll_pending *pending = mine.idle;
    mine.idle = NULL;
    while (pending) {
        struct fl_coll_pending *next = pending->next;
        fl_os_fiber_release(pending->fiber);
        free(pending);
        pending = next;
    }
}
