/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this room share.
 *
 * Locks, each taken after those before it:
 *   order    of threads of the program that end intervals or learn of others'; held while sending
 *            and waiting, so never taken by handlers of messages or of faults
 *   chunks   of page states, each of some neighbouring pages; held for a few system calls, never
 *            while sending or waiting
 *   others   of lists and tables; held for a few instructions
 * A caller "holds" `order` or a page's chunk while it holds that lock.
 */
#ifndef FL_DSM_INSIDE_H
#define FL_DSM_INSIDE_H

#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"
#include "core/message.h"
#include "core/mutex.h"
#include "dsm/diff.h"
#include "dsm/dsm.h"
#include "dsm/time.h"

/* Of each message: its number, its word, and its handler (messages.def). */
enum fl_dsm_kind {
#define FL_MESSAGE(name, ...) fl_dsm_kind_##name,
#include "dsm/messages.def"
#undef FL_MESSAGE
    FL_DSM_KINDS
};
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_PARTS(fl_dsm, struct fl_comm_call, name, kind : 8, __VA_ARGS__)                     \
    _Static_assert(FL_MESSAGE_N(fl_dsm, name) == 1, "fl_dsm_send sends one word");
#include "dsm/messages.def"
#undef FL_MESSAGE
/* As its row has it, for people. */
const char *fl_dsm_name_of(unsigned kind);

enum {
    FL_DSM_CHUNK_LOCKS = 256, /* mutexes of chunks; no fetch crosses a chunk */
    FL_DSM_RUN_MOST = 16, /* pages of one fetch */
    FL_DSM_LOCKS_END = FL_DSM_LOCK_ATOMICS + FL_DSM_ATOMIC_LOCKS,
};

enum fl_page_state {
    FL_PAGE_ABSENT,
    FL_PAGE_FETCHING,
    FL_PAGE_READABLE, /* a copy; or this host is the home, and others may have copies */
    FL_PAGE_WRITABLE, /* written to since, or tracked; has a twin, unless at its home and dense */
    FL_PAGE_OWN,      /* this host is the home, and no copy is valid: writes need no notice */
};

struct fl_page {
    uint8_t state;
    bool stale;  /* while FETCHING: a notice has come since the request */
    bool listed; /* as dirty */
    bool claimed; /* counts as written at the next barrier */
    bool ready;  /* while ABSENT: the content is valid, though not accessible yet */
    uint8_t unused; /* pushes in a row that were not used */
    bool fixed;  /* its home never moves, and may always write to it */
    bool dated;  /* of a copy: `holds` has its vector time at the fetch; else `met` covers it */
    bool vague;  /* of a copy: its vector time is unknown, so no diffs can be applied */
    bool merged; /* of a home's page: the twin has own writes of the open interval; no diff has */
    bool at_home; /* the home has written to it for this host, in the open interval */
    bool apart;  /* some writes of the open interval are not among the diffs that go with a lock */
    uint16_t home;
    uint16_t fetch; /* while FETCHING: the request, in the table of fetches */
    uint16_t updates; /* of this host that the home has not confirmed (update.c) */
    uint32_t twin;  /* 0: none */
    uint32_t stamp; /* of a copy's content, 0: none; of a home's page: where its log begins */
    uint32_t put_in; /* 1 + epoch in which piggybacked diffs were applied last; 0: never */
    /* Guarded by `order`: */
    uint16_t writer; /* since the last meeting: 1 + host, or MANY; 0: none */
    bool many;       /* had several writers when hosts last wrote to it in a region */
    bool noted;      /* is in that list */
    /* Of a home's page: */
    bool dense;     /* over half of it is written at once: no log */
    uint8_t unread; /* intervals that wrote to it since it was last fetched or pushed */
    uint8_t vain;   /* of a fixed page: ends of intervals in a row that found nothing written */
    uint32_t since; /* epoch in which this host became the home; it has all diffs of older ones */
};

struct fl_dsm_chunk {
    bool begun;       /* its entries in the table of pages are filled in */
    bool on;          /* the kernel notes first writes to it: see track.c */
    bool wished;      /* to be tracked soon, or tracked */
    uint16_t idle;    /* cost of scanning it beyond what was found, in units of track.c */
    uint16_t faults;  /* of first writes, since it was last decided whether it is tracked */
    uint8_t epochs;   /* that had such faults, at most EPOCHS */
    uint8_t ended;    /* times that tracking has not paid */
    uint32_t epoch;   /* 1 + that of the last fault */
    uint64_t tracked; /* bit p: page p of the chunk is */
};

struct fl_dsm_mutex {
    _Alignas(FL_CACHE_LINE) struct fl_mutex mutex;
};

struct fl_dsm_fetch; /* fetch.c */
struct fl_dsm_lock;  /* lock.c */
struct fl_dsm_reader; /* push.c */

/* A list of pages. */
struct fl_dsm_list {
    uint32_t *pages; /* room for all of them */
    uint32_t n;
};

/* What may be done beyond the protocol, each in a file of its own: settings (core/params.def). */
struct fl_dsm_policies {
    uint32_t push_bytes;      /* of a page, that are pushed (push.c); 0: none is */
    uint32_t piggyback_bytes; /* of an interval's diffs, that go with locks (carry.c); 0: none do */
    uint32_t track_faults;    /* of a chunk, before the kernel notes writes (track.c); 0: never */
    uint32_t fetch_pages;     /* of a request (prefetch.c), at least 1 */
    uint64_t turn_ns;         /* that locks which other hosts want are kept (turn.c); 0: none is */
};

struct fl_dsm {
    struct fl_dsm_setup setup;
    struct fl_dsm_policies policies;
    unsigned hosts, me;
    bool original; /* FL_FAULT_ORIGINAL */
    struct fl_map map;
    struct fl_mutex order;

    struct fl_page *pages;
    struct fl_bytes *logs; /* [page]: see log.c */
    struct fl_dsm_reader *readers; /* [page][host]: see push.c */
    _Atomic uint32_t stamp;
    struct fl_dsm_chunk *chunks; /* each guarded by its chunk's lock */
    uint32_t *needed; /* [page][host]: the interval that a copy must contain */
    uint32_t *holds;  /* [page][host]: the interval that a copy contained when fetched, if dated */
    struct fl_dsm_mutex chunk_locks[FL_DSM_CHUNK_LOCKS];
    struct {
        struct fl_mutex mutex;
        unsigned char *memory;
        uint32_t *free; /* a stack of twins that were given back */
        uint32_t n_free, used;
    } twins;
    struct {
        struct fl_mutex mutex;
        struct fl_dsm_list list;
    } dirty;

    struct {
        int handle; /* of the fault mechanism, that notes writes; -1: there is none */
        bool always; /* for tests */
        /* Guarded by `order`: */
        bool tired, all_tired; /* tracking some chunk no longer pays; or tracking at all */
        uint64_t found; /* first writes */
        int64_t saved;  /* by scans at meetings, less the cost of those at releases; see track.c */
        uint32_t rest, last_rest; /* meetings until tracking may resume; the last such number */
        struct fl_dsm_list chunks; /* that are tracked, ascending */
        uint64_t faults; /* that the kernel had resolved at the last scan */
        struct fl_mutex mutex;
        struct fl_dsm_list wished; /* chunks to be tracked */
    } track;

    struct {
        struct fl_mutex mutex;
        struct fl_time time;
        /* This host's interval that ended at the meeting, or null. Its notice goes through the
         * meeting, never with a lock, since some of its diffs are sent later. */
        const struct fl_interval *late;
        uint32_t *met; /* [hosts]: vector time of the last meeting, which all know */
    } known;
    /* Guarded by `order`: */
    struct fl_dsm_list work;   /* pages that are being worked on */
    struct fl_dsm_list noted;  /* pages of the open interval whose diffs are sent when it ends */
    struct fl_dsm_list noticed; /* pages of the interval that ends */
    struct fl_dsm_list late;   /* pages whose diffs wait until their writers are known */
    uint32_t *wanted;          /* [hosts]: intervals whose diffs must arrive here */
    bool *told;                /* [hosts]: homes of pages that the ending interval wrote to */
    struct fl_bytes *diffs;    /* [hosts]: to be sent there */
    struct fl_bytes *pushes;   /* [hosts]: to them, from this host, or to be relayed */
    struct {
        struct fl_bytes open; /* { page, diff }... of the open interval */
        uint32_t *after;      /* [home][host]: interval whose diffs must precede this host's */
        bool *waits;          /* [home]: whether there is any */
    } carry;

    _Atomic uint32_t updates; /* of this host that homes have not confirmed */
    _Atomic uint32_t *arrived; /* [host]: its interval whose diffs have all arrived here */
    bool *arriving; /* [host]: some diffs of its next interval have; for handlers */
    _Atomic uint32_t news;     /* a wait word, which changes with `arrived` */

    struct {
        struct fl_mutex mutex;
        struct fl_dsm_fetch *all;
        uint16_t free;
    } fetches;
    struct {
        _Atomic uint32_t n;
        struct fl_dsm_deferred *all; /* for handlers */
    } deferred;                      /* messages: see defer.c */

    _Atomic int beside; /* threads that need not wait for a meeting (fl_dsm_beside) */
    struct {
        _Atomic uint32_t epoch; /* meetings of hosts that are over */
        _Atomic uint32_t come;  /* a wait word: arrivals at host 0, departures elsewhere, << 1 */
        _Atomic bool here;      /* this host has arrived: all that it has written has its notice */
        _Atomic bool behind;    /* host 0 may have left a join that this host has not left */
        struct fl_bytes *heard, *news; /* [hosts]: received from them, to be sent to them */
        uint32_t last;    /* interval of this host that all know of */
        uint32_t *before; /* [hosts]: vector time of this host when it arrived */
        uint32_t alone;   /* host 0's interval when it went on alone */
        uint32_t since;   /* the epoch that begins for pages whose home moves */
    } meet;
    struct {
        _Atomic uint32_t passed; /* a wait word: barriers that are over << 1 */
        _Atomic uint32_t here;   /* threads that have arrived */
    } barrier;

    struct fl_dsm_lock *locks;

#define FL_DSM_COUNT(name, text) _Atomic uint64_t name;
    struct {
#include "dsm/counts.def"
    } counts;
#undef FL_DSM_COUNT
};
extern struct fl_dsm fl_dsm;

/* Relaxed: nothing is published by a count. */
#define FL_DSM_ADD(count, n) \
    atomic_fetch_add_explicit(&fl_dsm.counts.count, (n), memory_order_relaxed)

static inline void fl_dsm_list_add(struct fl_dsm_list *list, uint32_t page) {
    fl_assert(list->n < fl_dsm.map.pages);
    list->pages[list->n++] = page;
}
/* ---- messages, and what several files use (dsm.c) ---- */

void fl_dsm_list_sort(struct fl_dsm_list *list);

/* Send a message to a host, in as many parts as it takes, or ask, and wait for the answer. The word
 * is given by designators. */
#define FL_DSM_SEND(host, name, payload, bytes, ...)                                               \
    fl_dsm_send(host, FL_MESSAGE_AT(fl_dsm, name, __VA_ARGS__), payload, bytes)
#define FL_DSM_SEND_PARTS(host, name, bytes, ...)                                                  \
    fl_dsm_send_parts(host, FL_MESSAGE_AT(fl_dsm, name, __VA_ARGS__), bytes)
#define FL_DSM_ASK(host, name, payload, bytes, answer, ...)                                        \
    fl_dsm_ask(host, FL_MESSAGE_AT(fl_dsm, name, __VA_ARGS__), payload, bytes, answer)
void fl_dsm_send(unsigned host, const uint64_t *word, const void *payload, size_t bytes);
void fl_dsm_send_parts(unsigned host, const uint64_t *word, const struct fl_bytes *bytes);
void fl_dsm_ask(unsigned host, const uint64_t *word, const void *payload, size_t bytes,
                struct fl_comm_answer *answer);
FL_COLD _Noreturn void fl_dsm_bad(const struct fl_comm_call *call, const char *why);
void *fl_dsm_memory(size_t n, size_t size); /* zeros, which cost memory when they are touched */
/* For threads of the program, which serve messages while they wait. */
void fl_dsm_order_lock(void);

/* A page and its diff, off the front. */
static inline bool fl_dsm_next_diff(struct fl_text *text, uint32_t *page, struct fl_text *diff) {
    return fl_text_number(text, page) && fl_text_piece(text, diff);
}

/* ---- pages (page.c); the caller holds the page's chunk, but for the first two ---- */

bool fl_page_resolve_sigsafe(uintptr_t address, bool write, uintptr_t pc);
void fl_page_start(void);

/* Chunks that the thread holds: none when it sends, which may run handlers that take chunks. */
extern _Thread_local unsigned fl_page_chunks_held;

/* See fl_dsm_spent_ns. Measured spans must not nest: the inner one would count twice. */
extern _Thread_local uint64_t fl_dsm_thread_spent_ns;

/* Takes the page's chunk. A chunk is filled in at its first use: memory may be large. */
FL_COLD void fl_page_begin_chunk(uint32_t chunk);
static inline void fl_page_lock(uint32_t page) {
    uint32_t chunk = page / FL_MAP_CHUNK;
    fl_mutex_lock(&fl_dsm.chunk_locks[chunk % FL_DSM_CHUNK_LOCKS].mutex);
    fl_page_chunks_held++;
    if (FL_UNLIKELY(!fl_dsm.chunks[chunk].begun)) {
        fl_page_begin_chunk(chunk);
    }
}

static inline void fl_page_unlock(uint32_t page) {
    fl_assert(fl_page_chunks_held > 0);
    fl_page_chunks_held--;
    fl_mutex_unlock(&fl_dsm.chunk_locks[page / FL_MAP_CHUNK % FL_DSM_CHUNK_LOCKS].mutex);
}

static inline unsigned char *fl_page_twin(const struct fl_page *page) {
    return fl_dsm.twins.memory + (size_t)page->twin * FL_MAP_PAGE;
}

/* The page is valid, and becomes readable, or tracked: its first write will be noticed. */
void fl_page_become_readable(uint32_t page);
/* Changes the page's state, as the protocol allows (protocol.def). What must hold in the new state
 * holds already: both are asserted. */
void fl_page_become(uint32_t page, enum fl_page_state state);
void fl_page_note_dirty(uint32_t page);
void fl_page_make_twin(uint32_t page);
void fl_page_drop_twin(uint32_t page);

/* Change what the program may do with neighbouring pages. Fatal if the kernel refuses. */
void fl_page_allow(uint32_t first, uint32_t n, bool writable);
void fl_page_upgrade(uint32_t first, uint32_t n);
void fl_page_protect(uint32_t first, uint32_t n);
void fl_page_forbid(uint32_t first, uint32_t n);

static inline struct fl_dsm_chunk *fl_dsm_chunk(uint32_t page) {
    return &fl_dsm.chunks[page / FL_MAP_CHUNK];
}

/* ---- first writes that the kernel notes (track.c); the caller holds the page's chunk ---- */

void fl_track_start(void);
/* A first write to the page has been a fault. */
void fl_track_note_fault(uint32_t page);
static inline bool fl_track_has(uint32_t page) {
    return fl_dsm_chunk(page)->tracked >> page % FL_MAP_CHUNK & 1;
}
/* Its twin has just been made. */
void fl_track_add(uint32_t page);
static inline void fl_track_remove(uint32_t page) {
    fl_dsm_chunk(page)->tracked &= ~((uint64_t)1 << page % FL_MAP_CHUNK);
}
/* Marks as dirty those tracked pages that have been written to. The caller holds `order`, and no
 * chunk; `meeting`: no other thread of the program runs. */
void fl_track_collect(bool meeting);
/* After the end of an interval: stops tracking chunks for which it does not pay, and starts
 * tracking others if hosts have `met`. The caller holds `order`, and no chunk. */
void fl_track_settle(bool met);

/* ---- what has changed of pages at their home (log.c); the caller holds the page's chunk ---- */

/* Begins an empty log, with a new stamp. */
void fl_log_begin(uint32_t page);
void fl_log_end(uint32_t page);
void fl_log_add(uint32_t page, const void *diff, size_t bytes);
/* Appends what has changed since `stamp` to *changes, as a diff. False: the log does not know. */
bool fl_log_since(uint32_t page, uint32_t stamp, struct fl_bytes *changes);
/* Whether other hosts may have valid copies of this home's page, so that its log is kept. */
static inline bool fl_log_is_on(const struct fl_page *page) {
    return page->state == FL_PAGE_READABLE || (page->state == FL_PAGE_WRITABLE && page->twin);
}

/* ---- races between hosts (check.c); nothing of it is called unless that is wanted ---- */

void fl_check_start(void);
/* The page is readable, and is about to be written to. The caller holds its chunk. */
void fl_check_note_first(uint32_t page, uintptr_t address, uintptr_t pc);
/* The open interval has made `now` of the twin; the interval has ended. The caller holds `order`. */
void fl_check_note(uint32_t page, const unsigned char *now, const unsigned char *twin);
void fl_check_end_interval(void);
/* Host 0, before a fork: from now on its writes to the calling thread's frames are seen. */
void fl_check_watch(const void *frame);
/* Where hosts meet: host 0 gets what has been written; it compares; or nothing of it can race. */
void fl_check_send(void);
void fl_check_compare(void);
void fl_check_forget(void);

/* ---- messages that are too early (defer.c); for handlers ---- */

enum fl_defer_order {
    FL_DEFER_REQUEST,    /* later messages of its sender may be served before it */
    FL_DEFER_IN_ORDER,   /* none may, but earlier requests may wait */
    FL_DEFER_BEHIND_ALL, /* all of its sender's earlier messages are served before it */
};
/* Serves the message at `epoch`; false: it is too early. */
typedef bool fl_defer_action(const struct fl_comm_call *call, uint32_t epoch);
/* Calls `act` now, or when earlier messages, an epoch, or diffs have come. */
void fl_defer_serve(const struct fl_comm_call *call, enum fl_defer_order order,
                    fl_defer_action *act);
/* Whether the message can be served at `epoch`; takes its own epoch off its front. If that is larger,
 * the message is ahead: see fl_meet_is_ahead. */
bool fl_defer_is_due(const struct fl_comm_call *call, uint32_t epoch, struct fl_text *said,
                     uint32_t *theirs_p);
/* Whether the diffs have arrived that a message needs; takes their vector time off its front. */
bool fl_defer_have_come(const struct fl_comm_call *call, struct fl_text *said);
/* Has deferred messages served, now that an epoch has ended. For threads of the program. */
void fl_defer_retry(void);

/* ---- fetching (fetch.c) ---- */

/* Others may have copies of these pages, of one chunk: their writes are noticed from now on. For who
 * has the chunk. */
void fl_fetch_share(uint32_t first, unsigned n);

void fl_fetch_start(void);
void fl_dsm_locks_start(void);
void fl_dsm_tell_start(void);
/* Appends this host's vector time. */
void fl_dsm_say_known(struct fl_bytes *bytes);
/* Appends the intervals that this host knows, and a host of the vector time `theirs` does not. */
void fl_dsm_tell_news(const uint32_t *theirs, struct fl_bytes *news);
/* Fetches an absent page. The caller holds its chunk, which is released. Returns when the page is
 * no longer being fetched; it may be absent again. */
void fl_fetch(uint32_t page);
/* The same for a page that is being fetched: only waits. */
void fl_fetch_await(uint32_t page);
/* How many pages from `page` on can be fetched together; the caller holds the chunk. */
unsigned fl_fetch_run(uint32_t page, unsigned most);
/* A request that is not sent: pages that a thread of this host works on are marked as being fetched
 * with it, and other threads wait until fl_fetch_let_go. */
uint16_t fl_fetch_hold(void);
FL_MUST_USE bool fl_fetch_try_hold(uint16_t *held_p); /* for handlers */
void fl_fetch_let_go(uint16_t held);

/* ---- how many pages to fetch (prefetch.c) ---- */

/* A request: so many pages from `first` on, or fewer. */
struct fl_prefetch {
    uint32_t first, pages;
    unsigned most, ahead; /* pages of a request; requests that follow */
    struct stream *stream;
};
/* For an absent page, which is one of the request's; the caller holds its chunk. */
struct fl_prefetch fl_prefetch_plan(uint32_t page, unsigned most);
/* `n` pages have been requested. Whether more shall be, ahead: *plan says which. */
bool fl_prefetch_goes_on(struct fl_prefetch *plan, unsigned n);

/* ---- locks that handlers use (lock.c) ---- */

/* An update as a message has it, among others. */
struct fl_atomic_wish {
    uint64_t value;
    uint32_t page, lock;
    uint16_t offset;
    uint8_t kind, bytes;
    uint32_t zero; /* else what was on the stack would travel */
};
_Static_assert(sizeof(struct fl_atomic_wish) == 24, "all hosts have the same");

/* Performs a host's update if its lock is here and free; *lends_p: the host has the lock lent from
 * now on. Else returns false, and requests the lock if it is elsewhere. For handlers. */
FL_MUST_USE bool fl_lock_perform(const struct fl_atomic_wish *wish, unsigned host, bool *lends_p);
/* Takes a lock that is here and free. FOR_THREADS: it is here, or lent to this host, so a thread
 * waits for it and does not send the home an update. */
enum fl_lock_place { FL_LOCK_AWAY, FL_LOCK_FOR_THREADS, FL_LOCK_TAKEN };
enum fl_lock_place fl_lock_take_here(unsigned id);
/* The calling thread holds the lock, for an operation on the page: whether this host's copy may
 * lack what handlers have written under the lock. Says so once: the caller drops the copy. */
bool fl_lock_must_fetch(unsigned id, uint32_t page);
void fl_lock_lend(unsigned id); /* to this host: its place is FOR_THREADS until it leaves */
/* Calls `act`, unless the lock is here, lent to this host, or requested by a thread of it; no thread
 * requests it meanwhile. */
FL_MUST_USE bool fl_lock_if_away(unsigned id, void act(void *context), void *context);
/* As fl_dsm_release, but what has been updated need not be seen with it. */
void fl_lock_release(unsigned id);
/* The caller has written nothing that others would see by this release. */
void fl_lock_release_relaxed(unsigned id);

/* ---- which host keeps locks that others want (turn.c) ---- */

/* A thread takes a lock, and *last becomes when (0: no thread of this host has had it); begins to wait
 * for one, or no longer does. */
void fl_turn_take(uint32_t *last);
void fl_turn_begin_wait(uint64_t now);
void fl_turn_end_wait(uint64_t now);
/* A host's turn, as its wishes for locks have it; whether it pays to keep locks. */
struct fl_turn {
    uint16_t host;
    bool pays;
    uint32_t number;
};
struct fl_turn fl_turn_now(void); /* this host's */
/* Whether a host of that turn has to wait for a lock that is here. */
bool fl_turn_keeps(struct fl_turn theirs);
/* The threads of this host wait for others. */
void fl_turn_end(void);

/* ---- atomic operations (atomic.c) ---- */

void fl_atomic_start(void);

bool fl_atomic_is_good(const struct fl_atomic_wish *wish);

/* The object in a page or in its twin. */
uint64_t fl_atomic_load(const unsigned char *from, unsigned bytes);
void fl_atomic_store(unsigned char *to, uint64_t value, unsigned bytes);

/* As the home: operates on the page. Nobody else has the operation's lock. */
void fl_atomic_perform(const struct fl_atomic_wish *wish);
/* The page's home has performed an update of this host; the caller holds the chunk. */
void fl_atomic_note(uint32_t page);
/* The pages that homes have written for this host in the interval, ascending; the caller holds
 * `order` and ends the interval. Valid until the next call. */
struct fl_dsm_list *fl_atomic_take_noted(void);

/* ---- operations without a result (update.c) ---- */

void fl_update_start(void);
/* False: the caller has to get the lock. */
FL_MUST_USE bool fl_update_begin(const struct fl_atomic_wish *wish);
/* Whether this host has unconfirmed updates of memory that has this lock. */
bool fl_update_is_pending(unsigned lock);
/* Wait until the home has confirmed these; or all updates that were begun before. */
void fl_update_await_lock(unsigned lock);
void fl_update_await(void);
/* Sends all updates; *mark [hosts]: how many there are; whether homes have confirmed as many. */
void fl_update_mark(uint32_t *mark);
bool fl_update_is_over(const uint32_t *mark);
/* A page has come that has the first `performed` updates: applies the others to it. The caller holds the
 * chunk, and is a handler. */
void fl_update_copy(uint32_t page, uint32_t performed);
/* Before a diff: what `now` has written to words with unconfirmed updates becomes updates, and the
 * twin's. The caller holds the chunk. */
void fl_update_take_writes(uint32_t page, const unsigned char *now, unsigned char *twin);
/* As the home: how many updates of a host have been performed. */
uint32_t fl_update_performed(unsigned host);

/* ---- pages that are sent before they are asked for (push.c) ---- */

void fl_push_start(void);
/* `host` gets a page from this home, of that stamp; the caller holds the chunk. */
void fl_push_note_read(uint32_t page, unsigned host, uint32_t stamp);
/* Before a meeting: this home has written to its page, as host 0 `alone` or not; makes pushes. The
 * caller holds `order` and the chunk. */
void fl_push_written(uint32_t page, bool alone);
/* Append all pushes to a message to host 0; take a host's pushes there. With `order` held. */
void fl_push_say(struct fl_bytes *news);
bool fl_push_hear(struct fl_text *news);
/* Applies the pushes to this host that are of writes by host 0 alone, or by the others; after their
 * notices, and before fl_page.writer is reset. */
void fl_push_take(bool alone);

/* ---- small diffs that go with locks (carry.c); with `order` held, but for the last three ---- */

void fl_carry_start(void);
/* Adds a diff of what the open interval has written to a page, made without `join`. */
void fl_carry_add(uint32_t page, const void *diff, size_t bytes);
/* At the end of the interval: the diffs that go with its notice. Valid until the next call. */
struct fl_text fl_carry_end(void);
/* Applies the interval's diffs to a present copy, unless it has them. False: they are not all
 * there, and the copy must become absent. The caller holds the page's chunk. */
bool fl_carry_take(uint32_t page, const struct fl_interval *interval);
/* A diff of the copy will go to its home. The caller holds the chunk. */
void fl_carry_note(uint32_t page);
/* Appends the vector time that a home must have first, for this host's diffs; false: none. */
bool fl_carry_say_after(unsigned home, struct fl_bytes *said);
void fl_carry_forget_after(unsigned home);
/* For handlers: appends the vector time of the pages whose home is here; nothing if it is that of
 * the last meeting. Returns this host's last interval, which may end before the pages are read. */
uint32_t fl_carry_say_holds(struct fl_bytes *said);
/* The same interval, as of now. */
uint32_t fl_carry_own(void);
/* A copy has come, with that vector time, or null; the caller holds the chunk. */
void fl_carry_fetched(uint32_t page, const uint32_t *has, bool vague);

/* ---- intervals (interval.c); the caller holds `order` ---- */

/* Ends this host's interval, if it has written anything, and sends its diffs to homes. */
void fl_interval_end(void);
/* Puts off the end of the interval, until a meeting at the latest, when a lock is released that no
 * other host wants yet. Is over: the interval has ended since, and its notice can be sent. For any
 * thread, without `order`. */
uint64_t fl_interval_put_off(void);
bool fl_interval_is_over(uint64_t put_off);
/* Whether an end has begun and is not over: diffs may have been made, and not sent. */
bool fl_interval_ends(void);
/* Whether all writes in pages whose home is here are of intervals whose numbers are known: not
 * while this host's interval ends, or some diffs of another's have come. *begun_p: ends begun so
 * far. For handlers, before and after they read pages. */
bool fl_interval_all_numbered(uint64_t *begun_p);
/* As fl_interval_end, on arrival at a meeting, as host 0 `alone` or not. Sends diffs of pages that
 * are likely to have several writers; fl_interval_meet sends the others when the writers are known.
 * No other thread of the program runs. */
void fl_interval_arrive(bool alone);
/* At a meeting, when all know all: moves homes, sends diffs, takes notices and pushes. */
enum fl_meet {
    FL_MEET_BARRIER,
    FL_MEET_JOIN,     /* host 0, which goes on alone */
    FL_MEET_FORK,     /* host 0 again */
    FL_MEET_FORK_WAIT /* the others, for both */
};
void fl_interval_meet(enum fl_meet meet);
/* This host becomes the page's home: it has all writes to it. The caller holds the chunk. */
void fl_page_adopt(uint32_t page);
/* Takes the notices in `bytes`, and waits for the diffs of pages whose home is here. */
void fl_interval_learn(const struct fl_bytes *bytes);
/* Makes a copy absent, after sending its diff to the home. Takes `order`. */
void fl_interval_drop(uint32_t page);
/* As fl_interval_learn, for handlers, when those diffs have come; false: try again later. */
FL_MUST_USE bool fl_interval_try_learn(const struct fl_bytes *bytes);
/* What there is for a host goes there, in as many messages as it takes; `last`: all of the interval has
 * then been sent. The caller holds `order`. See home.c. */
void fl_interval_send_diffs(unsigned host, uint32_t interval, bool last);
/* Whether a message of epoch `theirs` is from host 0 after a join that this host has not left: then
 * this host is the home of the pages that it names, though it does not know yet. */
bool fl_meet_is_ahead(unsigned host, uint32_t theirs, uint32_t epoch);

#endif
