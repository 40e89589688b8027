/* SPDX-License-Identifier: BSD-3-Clause */
/* See pending.h. */
#include "coll/pending.h"

#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

struct fl_coll_pending {
    struct fl_os_fiber *fiber; /* runs one operation after the other */
    struct fl_coll_pending *next;
    struct fl_coll_member *member;
    fl_coll_run *run;
    _Atomic uint32_t *word; /* it waits for; null: nothing */
    uint32_t value;
    bool ended;
    _Alignas(max_align_t) unsigned char context[FL_COLL_CONTEXT_BYTES];
};

/* The calling thread's. */
static _Thread_local struct {
    struct fl_coll_pending *first;   /* that has not ended, in the order of their begins */
    struct fl_coll_pending *idle;    /* for operations to come */
    struct fl_coll_pending *running; /* whose fiber the thread is on */
} mine;

static void run_fiber(void *context) {
    for (struct fl_coll_pending *pending = context;;) {
        pending->run(pending->context);
        pending->ended = true;
        fl_os_fiber_leave(pending->fiber);
    }
}

bool fl_coll_paused(_Atomic uint32_t *word, uint32_t value) {
    struct fl_coll_pending *pending = mine.running;
    if (!pending) {
        return false;
    }
    pending->word = word;
    pending->value = value;
    fl_os_fiber_leave(pending->fiber);
    return true;
}

static struct fl_coll_pending *make(void) {
    struct fl_coll_pending *pending = mine.idle;
    if (pending) {
        mine.idle = pending->next;
        return pending;
    }
    pending = calloc(1, sizeof *pending);
    if (!pending || !(pending->fiber = fl_os_fiber_make(run_fiber, pending))) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY,
                 "no memory for a collective operation that is waited for later");
    }
    return pending;
}

static bool comes_after_another(const struct fl_coll_pending *pending) {
    const struct fl_coll_pending *other = mine.first;
    while (other != pending && other->member != pending->member) {
        other = other->next;
    }
    return other != pending;
}

static void resume(struct fl_coll_pending *pending) {
    if (pending->word && !fl_wait_reached(pending->word, pending->value)) {
        return;
    }
    pending->word = NULL;
    mine.running = pending;
    fl_os_fiber_enter(pending->fiber);
    mine.running = NULL;
}

/* One round of all. */
static void go_on(void) {
    /* What waits on a fiber for anything but words waits like others. */
    fl_wait_aside = NULL;
    for (struct fl_coll_pending **at = &mine.first; *at;) {
        struct fl_coll_pending *pending = *at;
        if (!comes_after_another(pending)) {
            resume(pending);
        }
        if (pending->ended) {
            *at = pending->next;
        } else {
            at = &pending->next;
        }
    }
    fl_wait_aside = mine.first ? go_on : NULL;
}

static bool release(struct fl_coll_pending *pending) {
    if (pending->ended) {
        pending->next = mine.idle;
        mine.idle = pending;
        return true;
    }
    return false;
}

struct fl_coll_pending *fl_coll_begin(struct fl_coll_member *member, fl_coll_run *run,
                                      const void *context, size_t bytes) {
    struct fl_coll_pending *pending = make();
    pending->next = NULL;
    pending->member = member;
    pending->run = run;
    pending->word = NULL;
    pending->ended = false;
    memcpy(pending->context, context, bytes);
    struct fl_coll_pending **at = &mine.first;
    while (*at) {
        at = &(*at)->next;
    }
    *at = pending;
    go_on();
    return release(pending) ? NULL : pending;
}

bool fl_coll_try(struct fl_coll_pending *pending) {
    if (!pending->ended) {
        fl_wait_poll();
        go_on();
    }
    return release(pending);
}

/* Until an operation has ended. */
static void finish(const struct fl_coll_pending *pending, struct fl_wait_policy policy) {
    for (uint32_t looks = 0; !pending->ended; looks++) {
        go_on();
        bool alone = mine.first == pending && !pending->next;
        if (alone && !pending->ended) {
            fl_wait_aside = NULL;
            fl_wait_until(pending->word, pending->value, policy);
        } else if (fl_wait_poll() == 0 && looks >= policy.spins) {
            fl_os_yield();
        }
    }
}

void fl_coll_wait(struct fl_coll_pending *pending, struct fl_wait_policy policy) {
    finish(pending, policy);
    release(pending);
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
