/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of pending operations, and implicit operations, which have no event of their own. An
 * operation on this host has ended when its start returns and needs no event, so only transfers
 * between hosts and collective operations take memory here.
 *
 * Any thread may test an event or wait for it, one thread at a time. Two threads may use an
 * operation's event and its local event at once, so every field that both touch is atomic.
 */
#include "gas/inside.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 5 };
_Static_assert(GAS_NBI_ALL == (1 << KINDS) - 1, "each kind has a bit");

/* A thread's implicit operations. Allocated, not thread-local: the thread's end frees thread-local
 * memory, and transports decrement these counts until the operations have ended. */
struct implicit {
    struct gas_event of[KINDS];
    struct gas_event *region; /* the open access region, or null */
};
static _Thread_local struct implicit *implicit;

static struct {
    pthread_once_t once;
    pthread_key_t key;
} leaving = {.once = PTHREAD_ONCE_INIT};

struct gas_event *gas_event_new(void) {
    struct gas_event *event = FL_ALLOCATED(calloc(1, sizeof *event), "an operation's event");
    /* Relaxed: no other thread has the event yet. */
    atomic_store_explicit(&event->users, 1, memory_order_relaxed);
    return event;
}

enum { KEPT = 1024 };

static struct {
    _Atomic bool keeps; /* relaxed: objects that another thread discards meanwhile are freed */
    struct fl_mutex mutex;
    void *kept[KEPT]; /* a ring: the oldest is freed for the next */
    size_t next;
} discarded;

void gas_keep_discarded(void) {
    atomic_store_explicit(&discarded.keeps, true, memory_order_relaxed);
}

static FL_COLD void keep(void *object) {
    fl_mutex_lock(&discarded.mutex);
    void *oldest = discarded.kept[discarded.next];
    discarded.kept[discarded.next] = object;
    discarded.next = (discarded.next + 1) % KEPT;
    fl_mutex_unlock(&discarded.mutex);
    free(oldest);
}

void gas_discard(void *object) {
    if (FL_UNLIKELY(atomic_load_explicit(&discarded.keeps, memory_order_relaxed))) {
        keep(object);
    } else {
        free(object);
    }
}

static void release(struct gas_event *event) {
    /* [E1] pairs itself: the last user frees the event after every other user's last access. */
    if (atomic_fetch_sub_explicit(&event->users, 1, memory_order_acq_rel) == 1) {
        gas_discard(event);
    }
}

static bool parts_ended(struct gas_event *event);

/* Whether the operation has ended; if so, stores its result. Does not poll. */
static bool has_ended(struct gas_event *event) {
    struct gas_event *operation = event->of ? event->of : event;
    if (!fl_comm_has_ended(&operation->op) || !parts_ended(operation)) {
        return false;
    }
    if (operation->result) {
        memcpy(operation->result, &operation->value, operation->bytes);
        operation->result = NULL;
    }
    return true;
}

static void end(struct gas_event *event) {
    if (event->of) {
        release(event->of);
    }
    release(event);
}

static bool parts_ended(struct gas_event *event) {
    while (event->parts && has_ended(event->parts)) {
        struct gas_event *next = event->parts->next;
        end(event->parts);
        event->parts = next;
    }
    return !event->parts;
}

bool gas_event_is_over(const struct gas_event *event) {
    /* Relaxed: an event that another thread uses now is the program's mistake. */
    return atomic_load_explicit(&event->users, memory_order_relaxed) == 0;
}

gas_event_t gas_event_started(struct gas_event *event) {
    if (has_ended(event)) {
        end(event);
        return GAS_EVENT_DONE;
    }
    return event;
}

gas_event_t gas_event_local(struct gas_event *event) {
    struct gas_event *local = gas_event_new();
    local->of = event;
    /* Relaxed: the caller's own use keeps the event alive. */
    atomic_fetch_add_explicit(&event->users, 1, memory_order_relaxed);
    return local;
}

int gas_event_look(gas_event_t event) {
    return !event || has_ended(event) ? GAS_OK : GAS_ERR_NOT_READY;
}

int gas_event_test_nopoll(gas_event_t event) {
    if (!event) {
        return GAS_OK;
    }
    if (!has_ended(event)) {
        return GAS_ERR_NOT_READY;
    }
    end(event);
    return GAS_OK;
}

int gas_event_test(gas_event_t event) {
    int result = gas_event_test_nopoll(event);
    if (result != GAS_OK) {
        gas_poll();
    }
    return result;
}

void gas_event_wait(gas_event_t event) {
    if (event) {
        bool begun = fl_wait_begin_inside("a wait for an event");
        GAS_BLOCK_UNTIL(has_ended(event));
        fl_wait_end_inside(begun);
        end(event);
    }
}

/* Sets each ended event to GAS_EVENT_DONE; returns how many events have ended. */
static size_t test_each(gas_event_t *events, size_t n) {
    size_t ended = 0;
    for (size_t i = 0; i < n; i++) {
        if (gas_event_test_nopoll(events[i]) == GAS_OK) {
            events[i] = GAS_EVENT_DONE;
            ended++;
        }
    }
    return ended;
}

static int polled(bool good) {
    if (good) {
        return GAS_OK;
    }
    gas_poll();
    return GAS_ERR_NOT_READY;
}

int gas_event_test_some(gas_event_t *events, size_t n) {
    return polled(n == 0 || test_each(events, n) > 0);
}

int gas_event_test_all(gas_event_t *events, size_t n) {
    return polled(test_each(events, n) == n);
}

void gas_event_wait_some(gas_event_t *events, size_t n) {
    GAS_BLOCK_UNTIL(n == 0 || test_each(events, n) > 0);
}

void gas_event_wait_all(gas_event_t *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gas_event_wait(events[i]);
        events[i] = GAS_EVENT_DONE;
    }
}

/* ---- implicit operations ---- */

static bool have_ended(struct implicit *mine, unsigned kinds) {
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if ((kinds >> kind & 1) && !has_ended(&mine->of[kind])) {
            return false;
        }
    }
    return true;
}

/* Runs when the thread ends. Waits, because its operations still write to the memory freed here. */
static void leave(void *context) {
    struct implicit *mine = context;
    if (!gas_process.over) {
        GAS_BLOCK_UNTIL(have_ended(mine, GAS_NBI_ALL));
        free(mine);
    }
}

static void make_key(void) {
    if (pthread_key_create(&leaving.key, leave) != 0) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no room for what a thread begins");
    }
}

static FL_COLD void make_implicit(void) {
    pthread_once(&leaving.once, make_key);
    implicit = calloc(1, sizeof *implicit);
    if (!implicit || pthread_setspecific(leaving.key, implicit) != 0) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for what a thread begins");
    }
}

static inline struct implicit *mine(void) {
    if (FL_UNLIKELY(!implicit)) {
        make_implicit();
    }
    return implicit;
}

static struct gas_event *whole_of(unsigned kind) {
    struct implicit *all = mine();
    return all->region ? all->region : &all->of[__builtin_ctz(kind)];
}

void gas_nbi_add_to(unsigned kind, gas_event_t event) {
    if (event) {
        struct gas_event *whole = whole_of(kind);
        event->next = whole->parts;
        whole->parts = event;
    }
}

void gas_nbi_add(gas_event_t event) {
    gas_nbi_add_to(GAS_NBI_OTHER, event);
}

struct fl_comm_op *gas_nbi_op(unsigned kind) {
    return &whole_of(kind)->op;
}

int gas_nbi_test_of(unsigned kinds) {
    return !implicit || have_ended(implicit, kinds) ? GAS_OK : GAS_ERR_NOT_READY;
}

void gas_nbi_wait_of(unsigned kinds) {
    if (implicit) {
        GAS_BLOCK_UNTIL(have_ended(implicit, kinds));
    }
}

int gas_nbi_test(void) {
    return polled(gas_nbi_test_of(GAS_NBI_ALL) == GAS_OK);
}

void gas_nbi_wait(void) {
    gas_nbi_wait_of(GAS_NBI_ALL);
}

bool gas_nbi_in_region(void) {
    return implicit && implicit->region;
}

void gas_nbi_begin(void) {
    if (mine()->region) {
        gas_misuse("an access region begins within another");
    }
    implicit->region = gas_event_new();
}

gas_event_t gas_nbi_end(void) {
    if (!implicit || !implicit->region) {
        gas_misuse("an access region ends that has not begun");
    }
    struct gas_event *region = implicit->region;
    implicit->region = NULL;
    return gas_event_started(region);
}
