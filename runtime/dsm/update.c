/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates: relaxed atomic operations whose results the program does not use. The memory's home
 * performs them (atomic.c), for a message with many of them and one that confirms it; no thread
 * waits, until it releases something, or its host gets the lock of the memory. The page's notice
 * goes with the interval in which the confirmation comes.
 *
 * A thread sees what its host has updated: each update is applied to the host's copy of the page,
 * if there is one, as well. Until something orders the thread behind what other hosts have done to the
 * word, the copy may have a value that the word never has: an access that needs the word's own value
 * is an atomic operation. Four rules keep copies right:
 *
 * The home performs the updates of a host in the order in which they were begun. So an answer to a
 * fetch says how many of them the page contains, and the others are applied to the new copy.
 * A copy with unconfirmed updates has no stamp: the next fetch brings the whole page. What others
 * have changed since would leave those updates in the page, and they would be applied twice.
 * A plain write to a word with unconfirmed updates becomes an update that stores: a diff might be at
 * the home before them, and has their effect.
 * While a lock of atomic operations is at a host, the host has no unconfirmed updates of its memory:
 * the copy has their effect, and the home would perform them after what the thread makes of it.
 */
#include "dsm/inside.h"

#include <stdlib.h>
#include <string.h>

#define OPERATIONS "atomic operations"
enum {
    BATCH_MOST = 256,       /* updates of a message */
    UNCONFIRMED_MOST = 4096, /* updates of a home, beyond which threads wait */
    AGE_MOST_NS = 100000,   /* of the oldest update that is not sent, when a thread looks */
    LOOKS_EVERY = 16        /* updates */
};

/* Sent, and not confirmed. */
struct batch {
    struct batch *next;
    uint32_t n;
    struct fl_atomic_wish all[];
};

/* Updates for a home. They are numbered from 0 on. */
struct outbox {
    struct fl_mutex mutex;
    struct fl_comm_deferred deferred; /* looks whether the oldest update gets old */
    unsigned home;
    bool watched; /* `deferred` is */
    bool sending; /* by a thread, one at a time */
    uint64_t since_ns;
    struct fl_atomic_wish *open; /* begun, and not sent */
    uint32_t n_open, room;
    struct batch *first, *last;
    uint32_t begun, confirmed;
    uint32_t *needed;      /* [hosts]: the time of the diffs that come first */
    _Atomic uint32_t word; /* a wait word, which changes with `confirmed` */
};

/* A message of updates, as the home. */
struct come {
    struct come *next;
    uint32_t n, at; /* at: how many have been performed */
    struct fl_atomic_wish all[];
};

/* Those of another host, as the home; for handlers. */
struct inbox {
    struct come *first, *last;
    uint32_t performed;
    struct fl_bytes lent; /* locks, since the last confirmation */
};

static struct {
    struct outbox *out; /* [hosts] */
    uint32_t batch_most;
    struct inbox *in; /* [hosts]; for handlers */
    struct fl_comm_deferred deferred;
    bool is_deferred;
} updates;

void fl_update_start(void) {
    updates.out = fl_dsm_memory(fl_dsm.hosts, sizeof *updates.out);
    updates.in = fl_dsm_memory(fl_dsm.hosts, sizeof *updates.in);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        updates.out[h].home = h;
        updates.out[h].needed = fl_dsm_memory(fl_dsm.hosts, sizeof *updates.out[h].needed);
    }
    size_t room = fl_comm_payload_most() - (1 + fl_dsm.hosts) * FL_NUMBER_MOST;
    size_t most = room / sizeof(struct fl_atomic_wish);
    updates.batch_most = most < BATCH_MOST ? (uint32_t)most : BATCH_MOST;
}

/* ---- sending ---- */

/* Takes updates that are open into a batch; the caller holds the outbox's mutex. */
static struct batch *take_batch(struct outbox *out) {
    uint32_t n = out->n_open < updates.batch_most ? out->n_open : updates.batch_most;
    struct batch *batch = FL_ALLOCATED(malloc(sizeof *batch + n * sizeof *batch->all), OPERATIONS);
    batch->next = NULL;
    batch->n = n;
    memcpy(batch->all, out->open, n * sizeof *batch->all);
    out->n_open -= n;
    memmove(out->open, out->open + n, out->n_open * sizeof *out->open);
    *(out->last ? &out->last->next : &out->first) = batch;
    out->last = batch;
    return batch;
}

/* Makes the message; the caller holds the outbox's mutex. Returns whether diffs must come first. */
static bool put_batch(const struct outbox *out, const struct batch *batch, struct fl_bytes *bytes) {
    bool after = false;
    /* Relaxed: the begun updates keep hosts from meeting. */
    fl_bytes_add_number(bytes, atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed));
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        after = after || out->needed[h];
    }
    for (unsigned h = 0; after && h < fl_dsm.hosts; h++) {
        fl_bytes_add_number(bytes, out->needed[h]);
    }
    fl_bytes_add(bytes, batch->all, batch->n * sizeof *batch->all);
    return after;
}

/* Sends all that is open; or another thread does, which has begun to. */
static void send_open(struct outbox *out) {
    struct fl_bytes bytes = {0};
    fl_mutex_lock(&out->mutex);
    if (!out->sending) {
        out->sending = true;
        while (out->n_open > 0) {
            bytes.n = 0;
            const struct batch *batch = take_batch(out);
            bool after = put_batch(out, batch, &bytes);
            uint32_t n = batch->n;
            fl_mutex_unlock(&out->mutex);
            FL_DSM_SEND(out->home, update, bytes.at, bytes.n, .after = after, .n = n);
            fl_mutex_lock(&out->mutex);
        }
        out->sending = false;
    }
    fl_mutex_unlock(&out->mutex);
    fl_bytes_release(&bytes);
}

/* At each poll while there are updates. */
static bool look(struct fl_comm_deferred *deferred) {
    struct outbox *out =
        (struct outbox *)(void *)((char *)deferred - offsetof(struct outbox, deferred));
    fl_mutex_lock(&out->mutex);
    bool sends = out->n_open > 0 && fl_os_now_ns() - out->since_ns > AGE_MOST_NS;
    out->watched = out->n_open > 0;
    bool over = !out->watched;
    fl_mutex_unlock(&out->mutex);
    if (sends) {
        send_open(out);
    }
    return over;
}

/* ---- threads ---- */

static void apply(const struct fl_atomic_wish *wish, unsigned char *at) {
    uint64_t old = fl_atomic_load(at, wish->bytes);
    uint64_t value = fl_atomic_updated(wish->kind, wish->bytes, old, wish->value);
    fl_atomic_store(at, value, wish->bytes);
}

/* Applies it to the host's copy, if there is one; the caller holds the chunk. */
static void apply_here(const struct fl_atomic_wish *wish) {
    struct fl_page *p = &fl_dsm.pages[wish->page];
    bool present = p->state == FL_PAGE_READABLE || p->state == FL_PAGE_WRITABLE;
    if (!present && !(p->state == FL_PAGE_ABSENT && p->ready)) {
        return;
    }
    unsigned char *at = fl_map_alias(&fl_dsm.map, wish->page) + wish->offset;
    apply(wish, at);
    if (present && p->twin) {
        memcpy(fl_page_twin(p) + wish->offset, at, wish->bytes);
    }
    p->vague = true;
    p->stamp = 0;
}

/* The caller holds the chunk, and the outbox's mutex. */
static void add_open(struct outbox *out, const struct fl_atomic_wish *wish) {
    fl_assert(out->home != fl_dsm.me && fl_dsm.pages[wish->page].updates < UINT16_MAX);
    if (out->n_open == out->room) {
        out->room = out->room ? 2 * out->room : BATCH_MOST;
        out->open = FL_ALLOCATED(realloc(out->open, out->room * sizeof *out->open), OPERATIONS);
    }
    if (out->n_open == 0) {
        out->since_ns = fl_os_now_ns();
    }
    out->open[out->n_open++] = *wish;
    out->begun++;
    fl_dsm.pages[wish->page].updates++;
    /* Relaxed: threads that must see it are ordered after this one. */
    atomic_fetch_add_explicit(&fl_dsm.updates, 1, memory_order_relaxed);
}

/* The caller holds the chunk. */
static void add(const struct fl_atomic_wish *wish) {
    struct fl_page *p = &fl_dsm.pages[wish->page];
    struct outbox *out = &updates.out[p->home];
    fl_mutex_lock(&out->mutex);
    add_open(out, wish);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        uint32_t needed = fl_dsm.needed[(size_t)wish->page * fl_dsm.hosts + h];
        bool counts = h != p->home && h != fl_dsm.me && needed > out->needed[h];
        out->needed[h] = counts ? needed : out->needed[h];
    }
    fl_mutex_unlock(&out->mutex);
}

/* Whether the page's home can be sent an update; YES: it is elsewhere, and has this host's writes
 * to the object when it gets the next message. LATER: a diff is yet to be sent. */
enum may { NO, YES, LATER };

/* The caller holds the chunk. */
static enum may may_send(const struct fl_atomic_wish *wish) {
    const struct fl_page *p = &fl_dsm.pages[wish->page];
    fl_assert(fl_page_chunks_held > 0);
    if (p->home == fl_dsm.me) {
        return NO;
    }
    if (p->state == FL_PAGE_FETCHING) {
        return LATER; /* perhaps for a diff to be sent */
    }
    const unsigned char *at = fl_map_alias(&fl_dsm.map, wish->page) + wish->offset;
    bool own = p->state == FL_PAGE_WRITABLE &&
               memcmp(at, fl_page_twin(p) + wish->offset, wish->bytes) != 0;
    return own ? NO : fl_interval_ends() ? LATER : YES;
}

/* Waits for what LATER is about. */
static void await_diff(uint32_t page) {
    fl_page_lock(page);
    if (fl_dsm.pages[page].state == FL_PAGE_FETCHING) {
        fl_fetch_await(page); /* releases the chunk */
        return;
    }
    fl_page_unlock(page);
    if (!fl_comm_poll()) {
        fl_os_yield();
    }
}

struct beginning {
    const struct fl_atomic_wish *wish;
    enum may may;
    unsigned home;
};

/* The lock is elsewhere, and stays so. */
static void begin(void *context) {
    struct beginning *beginning = context;
    const struct fl_atomic_wish *wish = beginning->wish;
    fl_page_lock(wish->page);
    beginning->home = fl_dsm.pages[wish->page].home;
    beginning->may = may_send(wish);
    if (beginning->may == YES) {
        apply_here(wish);
        add(wish);
    }
    fl_page_unlock(wish->page);
}

static void await_count(struct outbox *out, uint32_t confirmed) {
    bool begun = fl_wait_begin_inside("atomic operations that another host performs");
    for (;;) {
        /* Acquire, by the mutex. */
        uint32_t before = atomic_load_explicit(&out->word, memory_order_relaxed) &
                          ~(uint32_t)FL_WAIT_SLEEPING;
        fl_mutex_lock(&out->mutex);
        bool over = (int32_t)(out->confirmed - confirmed) >= 0;
        fl_mutex_unlock(&out->mutex);
        if (over) {
            break;
        }
        fl_wait_change(&out->word, before, fl_dsm.setup.wait);
    }
    fl_wait_end_inside(begun);
}

/* After one has been begun: sends them when they are many, or old. */
static void go_on(struct outbox *out) {
    fl_mutex_lock(&out->mutex);
    uint32_t n = out->n_open, begun = out->begun;
    bool sends = n >= updates.batch_most ||
                 (n % LOOKS_EVERY == 0 && n && fl_os_now_ns() - out->since_ns > AGE_MOST_NS);
    bool waits = begun - out->confirmed > UNCONFIRMED_MOST;
    bool watches = n > 0 && !sends && !out->watched;
    out->watched = out->watched || watches;
    fl_mutex_unlock(&out->mutex);
    if (watches) {
        out->deferred.try = look;
        fl_comm_defer(&out->deferred);
    }
    if (sends || waits) {
        send_open(out);
    }
    if (waits) {
        await_count(out, begun - UNCONFIRMED_MOST / 2);
    }
}

bool fl_update_begin(const struct fl_atomic_wish *wish) {
    struct beginning beginning = {.wish = wish};
    while (fl_lock_if_away(wish->lock, begin, &beginning)) {
        if (beginning.may == YES) {
            FL_DSM_ADD(updates, 1);
            go_on(&updates.out[beginning.home]);
            return true;
        }
        if (beginning.may == NO) {
            return false;
        }
        await_diff(wish->page);
    }
    return false;
}

/* ---- waiting ---- */

/* Whether all are confirmed that the calling thread, or a thread that it has synchronised with, has
 * begun. */
static bool are_none(void) {
    /* [U2] pairs [U1]. */
    return atomic_load_explicit(&fl_dsm.updates, memory_order_acquire) == 0;
}

void fl_update_mark(uint32_t *mark) {
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        struct outbox *out = &updates.out[h];
        fl_mutex_lock(&out->mutex);
        mark[h] = out->begun;
        bool open = out->n_open > 0;
        fl_mutex_unlock(&out->mutex);
        if (open) {
            send_open(out);
        }
    }
}

bool fl_update_is_over(const uint32_t *mark) {
    bool over = true;
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        struct outbox *out = &updates.out[h];
        fl_mutex_lock(&out->mutex);
        over = over && (int32_t)(out->confirmed - mark[h]) >= 0;
        fl_mutex_unlock(&out->mutex);
    }
    return over;
}

void fl_update_await(void) {
    if (FL_LIKELY(are_none())) {
        return;
    }
    uint32_t mark[fl_dsm.hosts];
    uint64_t since = fl_os_now_ns();
    fl_update_mark(mark);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        await_count(&updates.out[h], mark[h]);
    }
    fl_dsm_thread_spent_ns += fl_os_now_ns() - since;
}

/* Calls `visit` for updates that are not confirmed, until it returns true. The caller holds the
 * outbox's mutex. */
typedef bool update_visit(const struct fl_atomic_wish *wish, uint32_t number, void *context);
static bool any(struct outbox *out, update_visit *visit, void *context) {
    uint32_t number = out->confirmed;
    bool found = false;
    for (const struct batch *batch = out->first; batch && !found; batch = batch->next) {
        for (uint32_t i = 0; i < batch->n && !found; i++) {
            found = visit(&batch->all[i], number++, context);
        }
    }
    for (uint32_t i = 0, n = out->n_open; i < n && !found; i++) {
        struct fl_atomic_wish wish = out->open[i]; /* which may move */
        found = visit(&wish, number++, context);
    }
    return found;
}

static bool has_lock(const struct fl_atomic_wish *wish, uint32_t number, void *lock) {
    (void)number;
    return wish->lock == *(unsigned *)lock;
}

static bool is_pending_at(struct outbox *out, unsigned lock) {
    fl_mutex_lock(&out->mutex);
    bool found = any(out, has_lock, &lock);
    fl_mutex_unlock(&out->mutex);
    return found;
}

bool fl_update_is_pending(unsigned lock) {
    bool found = false;
    for (unsigned h = 0; h < fl_dsm.hosts && !found; h++) {
        found = is_pending_at(&updates.out[h], lock);
    }
    return found;
}

void fl_update_await_lock(unsigned lock) {
    if (FL_LIKELY(are_none())) {
        return;
    }
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        struct outbox *out = &updates.out[h];
        if (is_pending_at(out, lock)) {
            fl_mutex_lock(&out->mutex);
            uint32_t begun = out->begun;
            fl_mutex_unlock(&out->mutex);
            send_open(out);
            await_count(out, begun);
        }
    }
}

/* ---- copies ---- */

struct copy {
    uint32_t page, performed;
};

static bool apply_again(const struct fl_atomic_wish *wish, uint32_t number, void *context) {
    const struct copy *copy = context;
    if (wish->page == copy->page && (int32_t)(number - copy->performed) >= 0) {
        unsigned char *at = fl_map_alias(&fl_dsm.map, wish->page) + wish->offset;
        apply(wish, at);
    }
    return false;
}

void fl_update_copy(uint32_t page, uint32_t performed) {
    struct outbox *out = &updates.out[fl_dsm.pages[page].home];
    fl_assert(fl_page_chunks_held > 0);
    fl_mutex_lock(&out->mutex);
    (void)any(out, apply_again, &(struct copy){page, performed});
    fl_mutex_unlock(&out->mutex);
    fl_dsm.pages[page].vague = true;
}

struct writes {
    uint32_t page;
    struct outbox *out;
    const unsigned char *now;
    unsigned char *twin;
};

static bool take_write(const struct fl_atomic_wish *wish, uint32_t number, void *context) {
    struct writes *writes = context;
    (void)number;
    const unsigned char *now = writes->now + wish->offset;
    unsigned char *twin = writes->twin + wish->offset;
    if (wish->page == writes->page && memcmp(now, twin, wish->bytes) != 0) {
        struct fl_atomic_wish store = *wish;
        store.kind = FL_ATOMIC_STORE;
        store.value = fl_atomic_load(now, wish->bytes);
        memcpy(twin, now, wish->bytes);
        add_open(writes->out, &store);
    }
    return false;
}

void fl_update_take_writes(uint32_t page, const unsigned char *now, unsigned char *twin) {
    struct outbox *out = &updates.out[fl_dsm.pages[page].home];
    fl_assert(fl_page_chunks_held > 0);
    fl_mutex_lock(&out->mutex);
    (void)any(out, take_write, &(struct writes){page, out, now, twin});
    fl_mutex_unlock(&out->mutex);
}

/* ---- confirmations ---- */

/* The home has performed it. */
static void confirm(const struct fl_atomic_wish *wish) {
    fl_page_lock(wish->page);
    fl_assert(fl_dsm.pages[wish->page].updates > 0);
    fl_atomic_note(wish->page);
    fl_dsm.pages[wish->page].updates--;
    fl_page_unlock(wish->page);
}

void fl_dsm_serve_updated(const struct fl_comm_call *call, const struct fl_dsm_updated_message *word) {
    struct outbox *out = &updates.out[call->asker.proc];
    /* Only handlers change `confirmed` and take batches off. */
    uint32_t performed = (uint32_t)word->performed;
    while (out->confirmed != performed) {
        fl_mutex_lock(&out->mutex);
        struct batch *batch = out->first;
        fl_mutex_unlock(&out->mutex);
        if (!batch || (int32_t)(performed - out->confirmed) < (int32_t)batch->n) {
            fl_dsm_bad(call, "it is about atomic operations that nobody waits for");
        }
        for (uint32_t i = 0; i < batch->n; i++) {
            confirm(&batch->all[i]);
        }
        fl_mutex_lock(&out->mutex);
        out->first = batch->next;
        out->last = out->first ? out->last : NULL;
        out->confirmed += batch->n;
        fl_mutex_unlock(&out->mutex);
        /* [U1] pairs [U2]: else the interval of a release might not have these pages. */
        atomic_fetch_sub_explicit(&fl_dsm.updates, batch->n, memory_order_release);
        free(batch);
    }
    struct fl_text said = fl_text(call->payload, call->bytes);
    uint32_t lent;
    while (fl_text_number(&said, &lent)) {
        if (lent >= FL_DSM_LOCKS_END) {
            fl_dsm_bad(call, "it lends a lock that is not there");
        }
        fl_lock_lend(lent);
    }
    /* Relaxed: only handlers change it. */
    uint32_t before = atomic_load_explicit(&out->word, memory_order_relaxed);
    fl_wait_publish(&out->word, (before & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
}

/* ---- the home ---- */

uint32_t fl_update_performed(unsigned host) {
    return updates.in[host].performed;
}

/* Performs what has come from a host, in order, until a lock is not here. Whether that was all. */
static bool perform_all(unsigned host) {
    struct inbox *in = &updates.in[host];
    while (in->first) {
        struct come *come = in->first;
        while (come->at < come->n) {
            const struct fl_atomic_wish *wish = &come->all[come->at];
            bool lends;
            if (!fl_lock_perform(wish, host, &lends)) {
                return false;
            }
            if (lends) {
                fl_bytes_add_number(&in->lent, wish->lock);
            }
            come->at++;
            in->performed++;
        }
        FL_DSM_SEND(host, updated, in->lent.at, in->lent.n, .performed = in->performed);
        in->lent.n = 0;
        in->first = come->next;
        in->last = in->first ? in->last : NULL;
        free(come);
    }
    return true;
}

static bool try_again(struct fl_comm_deferred *deferred) {
    (void)deferred;
    bool all = true;
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        all = perform_all(h) && all;
    }
    updates.is_deferred = !all;
    return all;
}

static void serve_come(const struct fl_comm_call *call, size_t n, struct fl_text said) {
    if (n != fl_text_left(&said) / sizeof(struct fl_atomic_wish)) {
        fl_dsm_bad(call, "it has more operations, or fewer");
    }
    struct inbox *in = &updates.in[call->asker.proc];
    struct come *come = FL_ALLOCATED(malloc(sizeof *come + n * sizeof *come->all), OPERATIONS);
    *come = (struct come){.n = (uint32_t)n};
    memcpy(come->all, said.at, n * sizeof *come->all);
    bool good = n * sizeof *come->all == fl_text_left(&said);
    for (size_t i = 0; i < n; i++) {
        good = good && fl_atomic_is_good(&come->all[i]);
    }
    if (!good) {
        fl_dsm_bad(call, "it is an atomic operation on memory that is not there");
    }
    bool waits = in->first;
    *(in->last ? &in->last->next : &in->first) = come;
    in->last = come;
    if (!waits && !perform_all(call->asker.proc) && !updates.is_deferred) {
        updates.is_deferred = true;
        updates.deferred.try = try_again;
        fl_comm_defer(&updates.deferred);
    }
}

static bool serve_update(const struct fl_comm_call *call, uint32_t epoch) {
    const struct fl_dsm_update_message *word = (const void *)call->words;
    struct fl_text said = fl_text(call->payload, call->bytes);
    uint32_t theirs;
    /* Ahead: this host may not know yet that it is the home. Host 0 waits for nothing that this host
     * does before it has left the meeting. */
    if (!fl_defer_is_due(call, epoch, &said, &theirs) || theirs > epoch ||
        (word->after && !fl_defer_have_come(call, &said))) {
        return false;
    }
    serve_come(call, word->n, said);
    return true;
}

/* What their sender sends later stays behind them: diffs of the same words, or more updates. */
void fl_dsm_serve_update(const struct fl_comm_call *call, const struct fl_dsm_update_message *word) {
    (void)word;
    fl_defer_serve(call, FL_DEFER_IN_ORDER, serve_update);
}
