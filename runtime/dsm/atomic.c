/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations. Each piece of memory has a lock, and its holder operates on the piece: a
 * thread on its host's copy of the page, as on any other memory; or the home, for threads of all
 * hosts, which send it their operations, when the lock is there. Which of the two, lease.c says.
 * What an operation releases goes to the home with it, and on from there: pass.c.
 *
 * The home operates on its page, and on the twin, as if a diff of the page had come. The asker's
 * notice of the page says that no diff follows, and that its writer has not got the page: so the
 * page's home stays. A copy that the asker has gets the new value in the order in which the home
 * operated, since answers are taken by handlers; unless it may have got a newer one by another way
 * meanwhile: then the copy ends. Five rules:
 *
 * The asker sends its own diffs first, and the home waits for the diffs of all intervals that the
 * asker, or a former holder of the lock, knows.
 * If the home has written the object itself since its interval began, the page's twin has that
 * write from now on, and no diff will: its notice of the page goes without diffs.
 * A host that gets the lock later, and has a copy of the page, may not have been told of what the
 * home has done for others: its copy ends (lock.c says when).
 * The notice goes with the asker's next interval, once the home has answered.
 * A thread that reads a word later than another's release of it, and then synchronises, must see
 * what was written before that release: so the answer has the notices that the asker does not know,
 * and the home ends its own interval before it operates on a word that one of its threads has
 * released.
 *
 * Operations without a result are in update.c.
 */
#include "dsm/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    REQUESTS = 1024,
    NO_REQUEST = UINT16_MAX,
    LOG2_LOCKED = 8, /* bytes that share a lock */
};

struct request {
    _Atomic uint32_t word; /* a wait word: requests in this entry that have ended << 1 */
    uint16_t next_free;
    const struct fl_atomic_op *op;
    uint32_t taken; /* fl_dsm.taken when it was sent */
    struct fl_dsm_performed_message answer;
    bool drops; /* the copy here may have an older value, or a newer one, and must end */
    uint64_t old;
    struct fl_bytes said; /* the parts of the answer so far; then its notices */
};

/* As the home: requests that wait for a lock; for handlers. */
struct waiting {
    struct waiting *next;
    struct fl_atomic_wish wish;
    unsigned host;
    uint16_t request;
    uint32_t known[]; /* the host's vector time */
};

static struct {
    unsigned first_lock, rows_mask; /* of locks: a multiple of hosts; rows of `hosts` locks */
    struct fl_mutex mutex;
    struct request *all;
    uint16_t free;
    struct fl_mutex noting;
    struct fl_dsm_list noted, taken; /* pages of the open interval, and of one that ends */
    struct waiting *waiting;
    struct fl_comm_deferred deferred;
    bool is_deferred;
} requests;

void fl_atomic_start(void) {
    requests.all = fl_dsm_memory(REQUESTS, sizeof *requests.all);
    for (unsigned i = 0; i < REQUESTS; i++) {
        requests.all[i].next_free = (uint16_t)(i + 1 < REQUESTS ? i + 1 : NO_REQUEST);
    }
    unsigned hosts = fl_dsm.hosts;
    requests.first_lock = (FL_DSM_LOCK_ATOMICS + hosts - 1) / hosts * hosts;
    requests.rows_mask = 1;
    while ((requests.rows_mask + 1) * 2 * hosts + hosts <= FL_DSM_ATOMIC_LOCKS) {
        requests.rows_mask = 2 * requests.rows_mask + 1;
    }
    requests.noted.pages = fl_dsm_memory(fl_dsm.map.pages, sizeof(uint32_t));
    requests.taken.pages = fl_dsm_memory(fl_dsm.map.pages, sizeof(uint32_t));
}

/* The lock of a piece of memory. Its manager, where it is at first, is the page's first home. */
static unsigned lock_of(const void *address, uint32_t page) {
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, page);
    unsigned home = fl_map_home(range, (uint64_t)(page - range->first) * FL_MAP_PAGE);
    unsigned row = (unsigned)((uintptr_t)address >> LOG2_LOCKED) & requests.rows_mask;
    return requests.first_lock + row * fl_dsm.hosts + home;
}

uint64_t fl_atomic_load(const unsigned char *from, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

/* Stores in one access, since threads may read the object meanwhile. Relaxed: messages order it. */
void fl_atomic_store(unsigned char *to, uint64_t value, unsigned bytes) {
    switch (bytes) {
    case 1: __atomic_store_n(to, (uint8_t)value, __ATOMIC_RELAXED); break;
    case 2: __atomic_store_n((uint16_t *)(void *)to, (uint16_t)value, __ATOMIC_RELAXED); break;
    case 4: __atomic_store_n((uint32_t *)(void *)to, (uint32_t)value, __ATOMIC_RELAXED); break;
    default: __atomic_store_n((uint64_t *)(void *)to, value, __ATOMIC_RELAXED); break;
    }
}

/* ---- asking the home ---- */

static struct request *take_request(void) {
    fl_mutex_lock(&requests.mutex);
    uint16_t i = requests.free;
    if (i != NO_REQUEST) {
        fl_assert(i < REQUESTS && !requests.all[i].op);
        requests.free = requests.all[i].next_free;
    }
    fl_mutex_unlock(&requests.mutex);
    return i == NO_REQUEST ? NULL : &requests.all[i];
}

static void give_request(struct request *request) {
    fl_assert(!request->op);
    fl_mutex_lock(&requests.mutex);
    request->next_free = requests.free;
    requests.free = (uint16_t)(request - requests.all);
    fl_mutex_unlock(&requests.mutex);
}

enum fl_atomic_may fl_atomic_may_ask(const struct fl_atomic_wish *wish) {
    const struct fl_page *p = &fl_dsm.pages[wish->page];
    fl_assert(fl_page_chunks_held > 0);
    if (p->home == fl_dsm.me) {
        return FL_ATOMIC_NO;
    }
    if (p->state == FL_PAGE_FETCHING) {
        return FL_ATOMIC_LATER; /* perhaps for a diff to be sent */
    }
    const unsigned char *at = fl_map_alias(&fl_dsm.map, wish->page) + wish->offset;
    bool own = p->state == FL_PAGE_WRITABLE &&
               memcmp(at, fl_page_twin(p) + wish->offset, wish->bytes) != 0;
    return own ? FL_ATOMIC_NO : fl_interval_ends() ? FL_ATOMIC_LATER : FL_ATOMIC_YES;
}

void fl_atomic_await_diff(uint32_t page) {
    if (fl_dsm.pages[page].state == FL_PAGE_FETCHING) {
        fl_fetch_await(page);
        return;
    }
    fl_page_unlock(page);
    if (!fl_comm_poll()) {
        fl_os_yield();
    }
}

/* What a request begins with. */
struct front {
    unsigned home;
    bool needs; /* diffs that come first */
    unsigned n;
    unsigned char *said; /* room for it */
};

static bool may_ask(const struct fl_atomic_wish *wish, struct front *front) {
    enum fl_atomic_may may;
    fl_page_lock(wish->page);
    while ((may = fl_atomic_may_ask(wish)) == FL_ATOMIC_LATER) {
        fl_atomic_await_diff(wish->page);
        fl_page_lock(wish->page);
    }
    front->home = fl_dsm.pages[wish->page].home;
    /* Relaxed: threads of this host have seen the end of their last barrier. */
    uint32_t epoch = atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed);
    unsigned char *needed = fl_number_put(front->said, epoch);
    unsigned char *end = fl_fetch_say_needed(needed, wish->page, 1);
    front->needs = end > needed;
    front->n = (unsigned)(end - front->said);
    fl_page_unlock(wish->page);
    return may == FL_ATOMIC_YES;
}

/* Appends the rest of a message; *time: this host's vector time. Returns whether there is room. */
static bool add_wish(struct fl_bytes *message, unsigned home, bool releases,
                     const struct fl_atomic_wish *wish, uint32_t *time) {
    struct fl_bytes news = {0};
    fl_pass_say(home, releases, time, &news);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        fl_bytes_add_number(message, time[h]);
    }
    fl_bytes_add(message, wish, sizeof *wish);
    fl_bytes_add(message, news.at, news.n);
    fl_bytes_release(&news);
    return message->n <= fl_comm_payload_most();
}

/* Returns the value of its word, which changes with the answer. */
static uint32_t send_request(struct request *request, unsigned home, bool needs,
                             const struct fl_bytes *message) {
    request->said.n = 0;
    request->drops = false;
    request->taken = atomic_load_explicit(&fl_dsm.taken, memory_order_relaxed);
    /* Relaxed, both: it cannot end before it is sent. */
    uint32_t before = atomic_load_explicit(&request->word, memory_order_relaxed) &
                      ~(uint32_t)FL_WAIT_SLEEPING;
    FL_DSM_SEND(home, atomic, message->at, message->n, .after = needs,
                .request = (uint16_t)(request - requests.all));
    return before;
}

/* Evaluates the answer. Returns whether the home has performed the operation. */
static bool take_answer(struct request *request, struct fl_atomic_op *op) {
    struct fl_dsm_performed_message answer = request->answer;
    bool drops = request->drops;
    op->old = request->old;
    struct fl_bytes notices = {0};
    if (request->said.n > 0) {
        notices = request->said;
        request->said = (struct fl_bytes){0};
    }
    give_request(request);
    /* `order` even without notices: another thread may be taking those that the home left out,
     * since this host's vector time had them. */
    fl_dsm_order_lock();
    fl_interval_learn(&notices);
    fl_mutex_unlock(&fl_dsm.order);
    fl_bytes_release(&notices);
    if (drops) {
        fl_interval_drop(fl_map_page(&fl_dsm.map, (uintptr_t)op->at));
    }
    if (answer.lent) {
        fl_lock_lend(op->lock);
    }
    return !answer.refused;
}

static bool wait_for_answer(struct request *request, uint32_t before, struct fl_atomic_op *op) {
    bool begun = fl_wait_begin_inside("an atomic operation that another host performs");
    fl_wait_change(&request->word, before, fl_dsm.setup.wait);
    fl_wait_end_inside(begun);
    return take_answer(request, op);
}

static void end_interval(void) {
    fl_dsm_order_lock();
    fl_interval_end();
    fl_mutex_unlock(&fl_dsm.order);
}

static bool ask(struct fl_atomic_op *op, const struct fl_atomic_wish *wish) {
    struct request *request = NULL;
    unsigned char said[(2 + fl_dsm.hosts) * FL_NUMBER_MOST];
    struct front front = {.said = said};
    uint32_t time[fl_dsm.hosts];
    bool performed = false;
    if (!may_ask(wish, &front)) {
        return false;
    }
    uint64_t since = fl_os_now_ns();
    fl_update_await_lock(op->lock);
    if (op->releases) {
        end_interval();
    }
    struct fl_bytes message = {0};
    fl_bytes_add(&message, said, front.n);
    if (add_wish(&message, front.home, op->releases, wish, time) && (request = take_request())) {
        FL_DSM_ADD(atomics, 1);
        request->op = op;
        performed = wait_for_answer(
            request, send_request(request, front.home, front.needs, &message), op);
    }
    if (performed && op->releases) {
        fl_pass_confirm(front.home, time);
    }
    fl_bytes_release(&message);
    fl_dsm_thread_spent_ns += fl_os_now_ns() - since;
    return performed;
}

static bool may_be_elsewhere(const struct fl_atomic_op *op) {
    return op->bytes > 0 && !fl_dsm.original && (uintptr_t)op->at % op->bytes == 0;
}

/* Has the home perform it; false: it does not. */
static bool send_to_home(struct fl_atomic_op *op, uint32_t page) {
    const struct fl_atomic_wish wish = {.value = op->value,
                                        .expected = op->expected,
                                        .page = page,
                                        .lock = op->lock,
                                        .offset = (uint16_t)((uintptr_t)op->at % FL_MAP_PAGE),
                                        .kind = (uint8_t)op->kind,
                                        .bytes = (uint8_t)op->bytes};
    /* Races are found among what hosts themselves have written. */
    bool may_update = op->no_result && op->relaxed && !fl_dsm.setup.check;
    if (may_update && fl_update_begin(&wish)) {
        return true;
    }
    return fl_dsm.setup.leases != FL_LEASE_ALWAYS && ask(op, &wish);
}

/* Homes move at meetings only; the chunk is taken since that fills in its pages. */
static bool is_home_of(uint32_t page) {
    fl_page_lock(page);
    bool is_home = fl_dsm.pages[page].home == fl_dsm.me;
    fl_page_unlock(page);
    return is_home;
}

/* With the lock held. A handler may have got it for other memory, of which this host is the home. */
static bool has_updates(uint32_t page, unsigned lock) {
    /* Relaxed: those of this lock were begun before it came here. */
    if (FL_LIKELY(atomic_load_explicit(&fl_dsm.updates, memory_order_relaxed) == 0)) {
        return false;
    }
    fl_page_lock(page);
    bool any = fl_dsm.pages[page].updates > 0;
    fl_page_unlock(page);
    return any && fl_update_is_pending(lock);
}

bool fl_dsm_atomic(struct fl_atomic_op *op, bool may) {
    uint32_t page = fl_map_page(&fl_dsm.map, (uintptr_t)op->at);
    op->lock = lock_of(op->at, page);
    if (!op->relaxed) {
        fl_update_await(); /* not with the lock held, for which a home may wait */
    }
    enum fl_lock_place place = fl_lock_take_here(op->lock);
    if (place == FL_LOCK_AWAY && may && may_be_elsewhere(op) && send_to_home(op, page)) {
        return true;
    }
    if (place != FL_LOCK_TAKEN) {
        fl_dsm_acquire(op->lock);
    }
    while (has_updates(page, op->lock)) {
        fl_lock_release_relaxed(op->lock);
        fl_update_await_lock(op->lock);
        fl_dsm_acquire(op->lock);
    }
    if (fl_dsm.setup.leases != FL_LEASE_ALWAYS && is_home_of(page)) {
        fl_lease_end_row(&fl_dsm.pages[page].asked);
    } else if (fl_lock_must_fetch(op->lock, page) && !is_home_of(page)) {
        fl_interval_drop(page);
    }
    return false;
}

void fl_dsm_atomic_end(const struct fl_atomic_op *op) {
    if (op->relaxed) {
        fl_lock_release_relaxed(op->lock);
    } else {
        fl_lock_release(op->lock);
    }
    fl_pass_learn();
}

void fl_atomic_note(uint32_t page) {
    fl_assert(fl_page_chunks_held > 0 && fl_dsm.pages[page].home != fl_dsm.me);
    if (!fl_dsm.pages[page].at_home) {
        fl_dsm.pages[page].at_home = true;
        fl_mutex_lock(&requests.noting);
        fl_dsm_list_add(&requests.noted, page);
        fl_mutex_unlock(&requests.noting);
    }
}

/* Puts the home's value into this host's copy. A notice that comes from now on may bring an older
 * value with its diffs, so it must end the copy. A notice or a lock that has come since the request
 * may have brought a newer value, and an unconfirmed update of another thread may have made one: then
 * the copy ends now. */
static void take_value(struct request *request, uint64_t value) {
    const struct fl_atomic_op *op = request->op;
    uint32_t page = fl_map_page(&fl_dsm.map, (uintptr_t)op->at);
    size_t offset = (uintptr_t)op->at % FL_MAP_PAGE;
    fl_page_lock(page);
    struct fl_page *p = &fl_dsm.pages[page];
    bool present = p->state == FL_PAGE_READABLE || p->state == FL_PAGE_WRITABLE;
    bool there = present || (p->state == FL_PAGE_ABSENT && p->ready);
    bool newer = p->updates > 0 || atomic_load_explicit(&fl_dsm.taken, memory_order_relaxed) !=
                                       request->taken;
    if (there && newer) {
        request->drops = true;
    } else if (there) {
        fl_atomic_store(fl_map_alias(&fl_dsm.map, page) + offset, value, op->bytes);
        p->vague = true;
    }
    if (present && p->twin && !request->drops) {
        fl_atomic_store(fl_page_twin(p) + offset, value, op->bytes);
    }
    if (request->answer.stored) {
        fl_atomic_note(page);
    }
    fl_page_unlock(page);
}

void fl_dsm_serve_performed(const struct fl_comm_call *call,
                            const struct fl_dsm_performed_message *word) {
    struct request *request = &requests.all[word->request % REQUESTS];
    fl_bytes_add(&request->said, call->payload, call->bytes);
    if (word->more) {
        return;
    }
    uint64_t values[2]; /* old, new */
    if (request->said.n < sizeof values || !request->op) {
        fl_dsm_bad(call, "it is about an atomic operation that nobody waits for");
    }
    memcpy(values, request->said.at, sizeof values);
    request->said.n -= sizeof values;
    memmove(request->said.at, request->said.at + sizeof values, request->said.n);
    request->answer = *word;
    request->old = values[0];
    if (!word->refused) {
        take_value(request, values[1]);
    }
    request->op = NULL;
    /* Relaxed: only the asker has changed it, before it asked. */
    uint32_t before = atomic_load_explicit(&request->word, memory_order_relaxed);
    fl_wait_publish(&request->word, (before & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
}

struct fl_dsm_list *fl_atomic_take_noted(void) {
    requests.taken.n = 0;
    fl_mutex_lock(&requests.noting);
    struct fl_dsm_list taken = requests.noted;
    requests.noted = requests.taken;
    fl_mutex_unlock(&requests.noting);
    requests.taken = taken;
    fl_dsm_list_sort(&requests.taken);
    /* Before the interval gets its number: what is performed until then belongs to it, or is noted
     * for the next one. */
    for (uint32_t i = 0; i < requests.taken.n; i++) {
        fl_page_lock(requests.taken.pages[i]);
        fl_assert(fl_dsm.pages[requests.taken.pages[i]].at_home);
        fl_dsm.pages[requests.taken.pages[i]].at_home = false;
        fl_page_unlock(requests.taken.pages[i]);
    }
    return &requests.taken;
}

/* ---- the home ---- */

static void answer(unsigned host, const struct fl_dsm_performed_message *word,
                   const uint64_t values[2], const uint32_t *known) {
    static struct fl_bytes said; /* handlers run one at a time */
    said.n = 0;
    fl_bytes_add(&said, values, 2 * sizeof *values);
    if (known) {
        fl_pass_tell(known, &said);
    }
    fl_dsm_send_parts(host, (const uint64_t *)(const void *)word, &said);
}

static void refuse(unsigned host, uint16_t request) {
    const uint64_t values[2] = {0};
    answer(host,
           &(struct fl_dsm_performed_message){
               .kind = fl_dsm_kind_performed, .refused = true, .request = request},
           values, NULL);
}

struct performing {
    const struct waiting *waiting;
    uint64_t values[2];
    bool stored, lent;
};

/* The caller holds the chunk, as of the next. */
static void change_twin(uint32_t page, const struct fl_atomic_wish *wish, const uint64_t values[2]) {
    struct fl_page *p = &fl_dsm.pages[page];
    fl_assert(fl_page_chunks_held > 0 && p->twin);
    unsigned char *in_twin = fl_page_twin(p) + wish->offset;
    if (fl_atomic_load(in_twin, wish->bytes) != values[0]) {
        p->merged = true;
        fl_page_note_dirty(page);
    }
    fl_atomic_store(in_twin, values[1], wish->bytes);
}

static void log_value(uint32_t page, const struct fl_atomic_wish *wish, uint64_t value) {
    unsigned char diff[2 * FL_NUMBER_MOST + sizeof value];
    unsigned char *end = fl_number_put(fl_number_put(diff, wish->offset), wish->bytes);
    memcpy(end, &value, wish->bytes);
    fl_log_add(page, diff, (size_t)(end + wish->bytes - diff));
}

bool fl_atomic_perform(const struct fl_atomic_wish *wish, uint64_t values[2]) {
    uint32_t page = wish->page;
    struct fl_page *p = &fl_dsm.pages[page];
    fl_assert(fl_page_chunks_held > 0 && p->home == fl_dsm.me);
    unsigned char *at = fl_map_alias(&fl_dsm.map, page) + wish->offset;
    uint64_t old = fl_atomic_load(at, wish->bytes);
    struct fl_atomic_op op = {
        .kind = wish->kind, .value = wish->value, .expected = wish->expected};
    uint64_t value = old;
    bool stores = fl_atomic_stores(&op, old, &value);
    values[0] = old;
    values[1] = stores ? value : old;
    if (stores) {
        fl_atomic_store(at, value, wish->bytes);
        if (p->twin) {
            change_twin(page, wish, values);
        }
        if (fl_log_is_on(p)) {
            log_value(page, wish, value);
        }
    }
    return stores;
}

/* The lock is here and free. */
static bool perform(void *context, struct fl_lease *lease) {
    struct performing *performing = context;
    const struct fl_atomic_wish *wish = &performing->waiting->wish;
    fl_page_lock(wish->page);
    performing->stored = fl_atomic_perform(wish, performing->values);
    performing->lent = fl_lease_ask(fl_dsm.setup.leases, lease, &fl_dsm.pages[wish->page].asked,
                                    performing->waiting->host);
    fl_page_unlock(wish->page);
    return performing->stored;
}

static bool try(const struct waiting *waiting) {
    struct performing performing = {.waiting = waiting};
    bool done = fl_lock_use(waiting->wish.lock, perform, &performing);
    if (done) {
        answer(waiting->host,
               &(struct fl_dsm_performed_message){.kind = fl_dsm_kind_performed,
                                                  .stored = performing.stored,
                                                  .lent = performing.lent,
                                                  .request = waiting->request},
               performing.values, waiting->known);
    }
    return done;
}

static bool try_waiting(struct fl_comm_deferred *deferred) {
    (void)deferred;
    struct waiting **at = &requests.waiting;
    while (*at) {
        struct waiting *waiting = *at;
        if (try(waiting)) {
            *at = waiting->next;
            free(waiting);
        } else {
            at = &waiting->next;
        }
    }
    fl_assert(requests.is_deferred);
    requests.is_deferred = requests.waiting;
    return !requests.is_deferred;
}

bool fl_atomic_is_good(const struct fl_atomic_wish *wish) {
    return wish->page < fl_dsm.map.pages && wish->kind < FL_ATOMIC_KINDS && wish->bytes <= 8 &&
           wish->bytes > 0 && wish->offset + wish->bytes <= FL_MAP_PAGE &&
           wish->lock < FL_DSM_LOCKS_END;
}

/* Performs a request whose epoch and diffs have come, once the lock is here. `said`: the request
 * from its vector time on. */
static void serve_request(const struct fl_comm_call *call, uint16_t request, struct fl_text said) {
    struct waiting *waiting =
        FL_ALLOCATED(malloc(sizeof *waiting + fl_dsm.hosts * sizeof *waiting->known),
                     "atomic operations of other hosts");
    if (!fl_time_hear(fl_dsm.hosts, &said, waiting->known) ||
        fl_text_left(&said) < sizeof waiting->wish) {
        fl_dsm_bad(call, "it is no atomic operation");
    }
    memcpy(&waiting->wish, said.at, sizeof waiting->wish);
    said.at += sizeof waiting->wish;
    if (!fl_pass_hear(said)) {
        fl_dsm_bad(call, "it releases what makes no sense");
    }
    if (!fl_atomic_is_good(&waiting->wish)) {
        fl_dsm_bad(call, "it is an atomic operation on memory that is not there");
    }
    waiting->host = call->asker.proc;
    waiting->request = request;
    waiting->next = NULL;
    if (try(waiting)) {
        free(waiting);
        return;
    }
    fl_assert(requests.is_deferred == (requests.waiting != NULL));
    struct waiting **last = &requests.waiting;
    while (*last) {
        last = &(*last)->next;
    }
    *last = waiting;
    if (!requests.is_deferred) {
        requests.is_deferred = true;
        requests.deferred.try = try_waiting;
        fl_comm_defer(&requests.deferred);
    }
}

static bool serve_atomic(const struct fl_comm_call *call, uint32_t epoch) {
    const struct fl_dsm_atomic_message *word = (const void *)call->words;
    struct fl_text said = fl_text(call->payload, call->bytes);
    uint32_t theirs;
    if (!fl_defer_is_due(call, epoch, &said, &theirs)) {
        return false;
    }
    if (theirs > epoch) {
        refuse(call->asker.proc, word->request);
    } else if (word->after && !fl_defer_have_come(call, &said)) {
        return false;
    } else {
        serve_request(call, word->request, said);
    }
    return true;
}

void fl_dsm_serve_atomic(const struct fl_comm_call *call, const struct fl_dsm_atomic_message *word) {
    (void)word;
    fl_defer_serve(call, FL_DEFER_REQUEST, serve_atomic);
}
