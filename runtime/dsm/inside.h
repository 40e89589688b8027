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
 */
#ifndef FL_DSM_INSIDE_H
#define FL_DSM_INSIDE_H

#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"
#include "core/mutex.h"
#include "dsm/diff.h"
#include "dsm/dsm.h"
#include "dsm/lease.h"
#include "dsm/time.h"

/* What a message says: in its word (fl_dsm_word) the kind, a small and a large number; then numbers
 * and pieces (bytes.h). A long one is sent in parts: the small number is whether there is another. */
enum fl_dsm_kind {
    FL_DSM_FETCH,  /* pages | request << 8, first page; epoch, stamp held, time needed if any */
    FL_DSM_PAGES,  /* request | DATED | VAGUE | MIXED, stamp; what they have if DATED, kinds if
                      MIXED, what there is of each */
    FL_DSM_DIFFS,  /* LAST | AFTER, interval; epoch, what must come before if AFTER,
                      { page, diff }... */
    FL_DSM_ARRIVE, /* parts; vector time, pushes for each host, notices */
    FL_DSM_DEPART, /* parts, host 0's interval at the meeting; message, pushes, notices */
    FL_DSM_UNUSED, /* 0, page that has been pushed */
    FL_DSM_WHO,    /* ask, of a lock's manager; 0, lock: the host that wanted it last */
    FL_DSM_FREE,   /* ask, of that host; 0, lock: whether the lock is there, and free */
    FL_DSM_FLUSH,  /* parts; pages */
    FL_DSM_WANT,   /* host, lock; vector time */
    FL_DSM_NEXT,   /* the same */
    FL_DSM_GRANT,  /* parts, lock; notices */
    FL_DSM_TELL,   /* parts; notices */
    FL_DSM_LOOK,   /* ask; vector time: whether it has told all, before the answer */
    FL_DSM_RETRY,  /* fetches that were put off */
    FL_DSM_COUNTS, /* ask: of the host asked */
    FL_DSM_ATOMIC, /* AFTER | request << 2, 0; epoch, what must come before if AFTER, vector time, what
                      shall be done */
    FL_DSM_PERFORMED, /* parts, flags and request; old and new value, notices */
    FL_DSM_KINDS
};

static inline uint64_t fl_dsm_word(enum fl_dsm_kind kind, uint32_t small, uint32_t large) {
    return (uint64_t)kind | (uint64_t)small << 8 | (uint64_t)large << 32;
}

static inline uint32_t fl_dsm_small(const struct fl_comm_call *call) {
    return (uint32_t)call->words[0] >> 8;
}

static inline uint32_t fl_dsm_large(const struct fl_comm_call *call) {
    return (uint32_t)(call->words[0] >> 32);
}

enum {
    FL_DSM_CHUNK_LOCKS = 256, /* mutexes, of chunks, which no fetch crosses */
    FL_DSM_RUN_MOST = 16, /* pages of one fetch */
    FL_DSM_LAST = 1,  /* of diffs: all of the interval have come */
    FL_DSM_AFTER = 2, /* there are some that must be there before these */
};

enum fl_page_state {
    FL_PAGE_ABSENT,
    FL_PAGE_FETCHING,
    FL_PAGE_READABLE, /* a copy; or here is its home, and others may have copies */
    FL_PAGE_WRITABLE, /* written to since, or tracked; has a twin, unless it is dense and here is its home */
    FL_PAGE_OWN,      /* here is its home, and no copy is valid: its writes are nobody's affair */
};

struct fl_page {
    uint8_t state;
    bool stale;  /* while FETCHING: a notice has come meanwhile */
    bool listed; /* as dirty */
    bool claimed; /* counts as written at the next barrier */
    bool ready;  /* while ABSENT: its content is what it should be */
    uint8_t unused; /* times that it was pushed, and not used */
    bool fixed;  /* its home never moves, and may always write to it */
    bool dated;  /* of a copy: `holds` says what it had when it was fetched; else not more than all knew */
    bool vague;  /* nobody knows */
    bool merged; /* here is its home: its twin has writes of the open interval, for other hosts */
    bool at_home; /* its home has changed it for this host, in the open interval */
    bool apart;  /* some of what the open interval has written does not go with a lock */
    uint16_t home;
    uint16_t fetch; /* while FETCHING */
    uint32_t twin;  /* 0: none */
    uint32_t stamp; /* of a copy's content, 0: none; here is its home: the log is of all since */
    uint32_t told;  /* 1 + epoch in which a notice of it came last */
    uint32_t put_in; /* and in which diffs were put into it that came with a lock; 0: never */
    /* For who has `order`: */
    uint16_t writer; /* since hosts have met: 1 + host, or MANY */
    bool many;       /* had many writers between the last two times */
    bool noted;      /* is in that list */
    /* Here is its home: */
    bool dense;     /* most of it is written at once: no log */
    uint8_t unread; /* intervals that wrote to it since it was fetched */
    uint8_t vain;   /* of a fixed page: ends of intervals in a row that found nothing written */
    struct fl_lease_row asked; /* atomic operations on it */
    uint32_t since; /* epoch: diffs of older ones were for a home that it was before */
};

struct fl_dsm_chunk {
    bool begun;       /* its pages have been filled in */
    bool on;          /* the kernel notes first writes to it: see track.c */
    bool wished;      /* it will, or does */
    uint16_t idle;    /* what looking for them has cost beyond what was found */
    uint16_t faults;  /* of first writes, since it was last decided whether they are noted */
    uint8_t epochs;   /* in which these were */
    uint8_t ended;    /* times that it has not been worth it */
    uint32_t epoch;   /* 1 + that of the last fault */
    uint64_t tracked; /* a bit for each of its pages that is */
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

struct fl_dsm {
    struct fl_dsm_setup setup;
    unsigned hosts, me;
    bool original; /* FL_FAULT_ORIGINAL */
    struct fl_map map;
    struct fl_mutex order;

    struct fl_page *pages;
    struct fl_bytes *logs; /* [page]: see log.c */
    struct fl_dsm_reader *readers; /* [page][host]: see push.c */
    _Atomic uint32_t stamp;
    struct fl_dsm_chunk *chunks; /* for who has the chunk */
    uint32_t *needed; /* [page][host]: the interval that a copy must contain */
    uint32_t *holds;  /* [page][host]: that a copy had when it was fetched, if dated */
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
        /* For who has `order`: */
        bool tired, all_tired; /* some chunk has not been worth it for long; or none is */
        uint64_t found; /* first writes */
        int64_t saved;  /* by finding them where hosts meet, less what locks have cost; see track.c */
        uint32_t rest, last_rest; /* meetings until chunks may begin */
        struct fl_dsm_list chunks; /* whose writes it notes, ascending; for who has `order` */
        uint64_t faults; /* that the kernel had resolved when they were looked at last */
        struct fl_mutex mutex;
        struct fl_dsm_list wished; /* chunks */
    } track;

    struct {
        struct fl_mutex mutex;
        struct fl_time time;
        /* This host's interval that others are told of where all meet, not by a lock: it has been
         * written since the lock was released, and its diffs go after the meeting. Or null. */
        const struct fl_interval *late;
        uint32_t *met; /* [hosts]: what all knew when they met last */
        struct fl_time passed; /* what others have released by atomic operations here, since then */
        _Atomic bool to_learn; /* there are some that this host has not learned of */
        uint32_t **confirmed;  /* [host]: of what it has heard so; no less than `met` */
    } known;
    /* For who has `order`: */
    struct fl_dsm_list work;   /* pages that are being looked at */
    struct fl_dsm_list noted;  /* pages of the open interval whose diffs are sent when it ends */
    struct fl_dsm_list noticed; /* of the interval that ends */
    struct fl_dsm_list late;   /* whose diffs wait for the barrier's end */
    uint32_t *wanted;          /* [hosts]: intervals whose diffs must arrive here */
    bool *told;                /* [hosts]: diffs of the open interval went there */
    struct fl_bytes *diffs;    /* [hosts]: to be sent there */
    struct fl_bytes *pushes;   /* [hosts]: for them, that this host makes, or has heard of */
    struct {
        struct fl_bytes open; /* { page, diff }... of the open interval */
        uint32_t *after;      /* [home][host]: interval whose diffs come before those of here */
        bool *waits;          /* [home]: whether there is any */
    } carry;

    _Atomic uint32_t taken; /* locks and notices that this host has got */
    _Atomic uint32_t *arrived; /* [host]: its interval whose diffs have all arrived here */
    bool *arriving; /* [host]: some diffs of its next interval have; for handlers */
    _Atomic uint32_t news;     /* a wait word, that changes when one of these does */

    struct {
        struct fl_mutex mutex;
        struct fl_dsm_fetch *all;
        uint16_t free;
        _Atomic uint32_t put_off; /* others' fetches */
        struct fl_dsm_asked *asked; /* for handlers */
    } fetches;

    struct {
        _Atomic uint32_t epoch; /* meetings of hosts that are over */
        _Atomic uint32_t come;  /* a wait word: hosts that have come << 1; or that one may go */
        _Atomic bool here;      /* this host has come, and said what it has written */
        _Atomic bool behind;    /* host 0 may have left a join, and this one has not */
        struct fl_bytes *heard, *news; /* [hosts] */
        uint32_t last;    /* interval of this host that all know of */
        uint32_t *before; /* [hosts]: what was known here when it came */
        uint32_t alone;   /* host 0's interval when it went on alone */
        uint32_t since;   /* the epoch that begins for pages whose home moves */
    } meet;
    struct {
        _Atomic uint32_t passed; /* a wait word << 1 */
        _Atomic uint32_t here;   /* threads that have come */
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
    list->pages[list->n++] = page;
}
/* ---- messages, and what several files use (dsm.c) ---- */

void fl_dsm_list_sort(struct fl_dsm_list *list);

void fl_dsm_send(unsigned host, uint64_t word, const void *payload, size_t bytes);
/* In as many messages as it takes. */
void fl_dsm_send_parts(unsigned host, enum fl_dsm_kind kind, uint32_t large,
                       const struct fl_bytes *bytes);
FL_COLD _Noreturn void fl_dsm_bad(const struct fl_comm_call *call, const char *why);
void *fl_dsm_memory(size_t n, size_t size); /* zeros, taken when they are touched */
/* Taken by threads of the program, which serve others meanwhile. */
void fl_dsm_order_lock(void);

fl_comm_handler fl_dsm_serve_fetch, fl_dsm_serve_pages, fl_dsm_serve_diffs, fl_dsm_serve_arrive,
    fl_dsm_serve_depart, fl_dsm_serve_want, fl_dsm_serve_next, fl_dsm_serve_grant,
    fl_dsm_serve_flush, fl_dsm_serve_who, fl_dsm_serve_free, fl_dsm_serve_retry,
    fl_dsm_serve_tell, fl_dsm_serve_look, fl_dsm_serve_unused, fl_dsm_serve_counts,
    fl_dsm_serve_atomic, fl_dsm_serve_performed;

/* A page and its diff, off the front. */
static inline bool fl_dsm_next_diff(struct fl_text *text, uint32_t *page, struct fl_text *diff) {
    return fl_text_number(text, page) && fl_text_piece(text, diff);
}

/* ---- pages (page.c); for who has the page's chunk, but for the first two ---- */

bool fl_page_resolve_sigsafe(uintptr_t address, bool write);
void fl_page_start(void);

/* Chunks that the thread has: who sends must have none, since it may have to serve others first. */
extern _Thread_local unsigned fl_page_chunks_held;

/* See fl_dsm_spent_ns. Nothing that is added to it is inside of anything else that is. */
extern _Thread_local uint64_t fl_dsm_thread_spent_ns;

/* Takes the page's chunk. The table is filled as far as it is used: memory may be large. */
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
    fl_page_chunks_held--;
    fl_mutex_unlock(&fl_dsm.chunk_locks[page / FL_MAP_CHUNK % FL_DSM_CHUNK_LOCKS].mutex);
}

static inline unsigned char *fl_page_twin(const struct fl_page *page) {
    return fl_dsm.twins.memory + (size_t)page->twin * FL_MAP_PAGE;
}

/* A page that is present, or will be, and whose first write will be noticed. */
void fl_page_become_readable(uint32_t page);
/* Its state changes as the protocol has it (protocol.def); all else that the state says of it holds by
 * now. */
void fl_page_become(uint32_t page, enum fl_page_state state);
void fl_page_note_dirty(uint32_t page);
void fl_page_make_twin(uint32_t page);
void fl_page_drop_twin(uint32_t page);

/* Neighbours become accessible, or less so. Fatal if the kernel refuses. */
void fl_page_allow(uint32_t first, uint32_t n, bool writable);
void fl_page_upgrade(uint32_t first, uint32_t n);
void fl_page_protect(uint32_t first, uint32_t n);
void fl_page_forbid(uint32_t first, uint32_t n);

static inline struct fl_dsm_chunk *fl_dsm_chunk(uint32_t page) {
    return &fl_dsm.chunks[page / FL_MAP_CHUNK];
}

/* ---- first writes that the kernel notes (track.c); for who has the page's chunk ---- */

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
/* Tracked pages that have been written to become dirty. For who has `order`, and no chunk; `meeting`:
 * no other thread of the program runs. */
void fl_track_collect(bool meeting);
/* An interval has ended: chunks cease to be tracked; others begin, if hosts have `met`. The same. */
void fl_track_settle(bool met);

/* ---- what has changed of pages at their home (log.c); for who has the page's chunk ---- */

/* A page that has no log begins one. */
void fl_log_begin(uint32_t page);
void fl_log_end(uint32_t page);
void fl_log_add(uint32_t page, const void *diff, size_t bytes);
/* Whether what has changed since `stamp` is known; then it goes to *changes, as a diff. */
bool fl_log_since(uint32_t page, uint32_t stamp, struct fl_bytes *changes);
/* Whether others' copies of a page whose home is here can be of use. */
static inline bool fl_log_is_on(const struct fl_page *page) {
    return page->state == FL_PAGE_READABLE || (page->state == FL_PAGE_WRITABLE && page->twin);
}

/* ---- fetching (fetch.c) ---- */

void fl_fetch_start(void);
/* The intervals of others that some pages must contain, but for those of who asks and of their home.
 * Returns where that ends: here, if there are none. */
unsigned char *fl_fetch_say_needed(unsigned char *at, uint32_t first, unsigned n);
/* A message that may have to wait; for handlers. */
void fl_fetch_serve(const struct fl_comm_call *call);
void fl_dsm_locks_start(void);
void fl_dsm_tell_start(void);
/* For an absent page, whose chunk the caller has, and which is given back. Returns when the page is
 * no longer being fetched; it may be absent again. */
void fl_fetch(uint32_t page);
/* The same for a page that is being fetched. */
void fl_fetch_await(uint32_t page);
/* The thread uses a page that was ready. */
void fl_fetch_used(uint32_t page);
/* What others had to wait for may have come. For threads of the program. */
void fl_fetch_retry(void);
/* What pages are marked with as being fetched, that a thread of this host is busy with. */
uint16_t fl_fetch_hold(void);
FL_MUST_USE bool fl_fetch_try_hold(uint16_t *held_p); /* for handlers */
void fl_fetch_let_go(uint16_t held);

/* ---- locks that handlers use (lock.c) ---- */

/* Calls `act` if the lock is here and nobody has it; else sees to it that it comes, and returns false.
 * Nobody gets the lock meanwhile. `act` returns whether it writes. For handlers. */
typedef bool fl_lock_action(void *context, struct fl_lease *lease);
FL_MUST_USE bool fl_lock_use(unsigned id, fl_lock_action *act, void *context);
/* A lock that is here and free is taken; for one that is here, or will be since it has been lent, a
 * thread waits, and does not ask the home. */
enum fl_lock_place { FL_LOCK_AWAY, FL_LOCK_FOR_THREADS, FL_LOCK_TAKEN };
enum fl_lock_place fl_lock_take_here(unsigned id);
/* Whether a thread that has got the lock for an operation on the page may have a copy that is older than
 * what handlers have written under the lock; not for its next one. */
bool fl_lock_must_fetch(unsigned id, uint32_t page);
void fl_lock_lend(unsigned id); /* from now on they do, while it stays */
/* The caller has written nothing that others would see by this release. */
void fl_lock_release_relaxed(unsigned id);

/* ---- releases that go by a home (pass.c) ---- */

void fl_pass_start(void);
/* Appends what this host knows, or has to pass on, and a host of the vector time `theirs` does not. */
void fl_pass_tell(const uint32_t *theirs, struct fl_bytes *news);
/* Of a release by an operation that `home` is asked for: says this host's vector time, and what the home
 * has not heard of it if it `releases`; and when the home has performed it, with that time. */
void fl_pass_say(unsigned home, bool releases, uint32_t *time, struct fl_bytes *news);
void fl_pass_confirm(unsigned home, const uint32_t *time);
/* For handlers: what another host has said. False: it makes no sense. */
FL_MUST_USE bool fl_pass_hear(struct fl_text news);
/* A thread of this host has operated on memory whose home is here: it learns of releases before. */
void fl_pass_learn(void);
/* All hosts know all; the caller has known.mutex. */
void fl_pass_forget(void);

/* ---- atomic operations (atomic.c) ---- */

void fl_atomic_start(void);
/* For handlers: a request, whose times have been read and come; and one that cannot be served. */
void fl_atomic_serve(const struct fl_comm_call *call, struct fl_text said);
void fl_atomic_refuse(const struct fl_comm_call *call);
/* The pages that homes have changed for this host in the interval, ascending; the caller has `order`
 * and ends it. Good until the next call. */
struct fl_dsm_list *fl_atomic_take_noted(void);

/* ---- pages that are sent before they are asked for (push.c) ---- */

void fl_push_start(void);
/* A host gets a page of this one; for who has the chunk. */
void fl_push_note_read(uint32_t page, unsigned host, uint32_t stamp);
/* A page of this host has been written to, which hosts will be told where they meet; by host 0
 * `alone`, or not. For who has `order` and the chunk. */
void fl_push_written(uint32_t page, bool alone);
/* All pushes go into the news for host 0, or come from there; for who has `order`. */
void fl_push_say(struct fl_bytes *news);
bool fl_push_hear(struct fl_text *news);
/* Those for this host, that are of writes of host 0 alone, or of the others. Notices of these have
 * been taken, and their writers are still known. */
void fl_push_take(bool alone);

/* ---- small diffs that go with locks (carry.c); for who has `order`, but for the last three ---- */

void fl_carry_start(void);
/* What the open interval has written to a page, or some of it; without bytes between. */
void fl_carry_add(uint32_t page, const void *diff, size_t bytes);
/* The interval ends: what goes with its notice. Good until the next end. */
struct fl_text fl_carry_end(void);
/* Whether a copy that is present has all that a host has written in the interval, perhaps from now
 * on. For who has the page's chunk. */
bool fl_carry_take(uint32_t page, const struct fl_interval *interval);
/* Diffs of a copy will go to its home. For who has the chunk. */
void fl_carry_note(uint32_t page);
/* Appends what must be there before the diffs for a home; false: nothing need be. */
bool fl_carry_say_after(unsigned home, struct fl_bytes *said);
void fl_carry_forget_after(unsigned home);
/* For handlers: appends what pages have whose home is here; nothing, if all know of it. Returns this
 * host's last interval: which may have changed when the pages have been looked at. */
uint32_t fl_carry_say_holds(struct fl_bytes *said);
/* The same interval, as it is by now. */
uint32_t fl_carry_own(void);
/* A copy has come, with that, or null; for who has the chunk. */
void fl_carry_fetched(uint32_t page, const uint32_t *has, bool vague);

/* ---- intervals (interval.c); for who has `order` ---- */

/* What this host has written becomes an interval, if there is anything; diffs go to homes. */
void fl_interval_end(void);
/* Its end is put off by who releases a lock that nobody else wants yet; not beyond a meeting. Whether it
 * has ended since, and others can be told of all that it had then: for any thread, without `order`. */
uint64_t fl_interval_put_off(void);
bool fl_interval_is_over(uint64_t put_off);
/* Whether some end has begun and is not over: diffs may have been taken, and not sent. */
bool fl_interval_ends(void);
/* Whether pages whose home is here have no writes of an interval that nobody can be told of yet: of this
 * host's that is being ended, of another's of which some diffs have come; and how many ends have begun.
 * For handlers, before and after they look at pages. */
bool fl_interval_all_numbered(uint64_t *begun_p);
/* The same before hosts meet, but diffs go where a page is likely to have several writers; the others
 * when that is known: fl_interval_meet. No thread of the program runs. */
void fl_interval_arrive(bool alone);
/* All hosts know all intervals. */
enum fl_meet {
    FL_MEET_BARRIER,
    FL_MEET_JOIN,     /* host 0, which goes on alone */
    FL_MEET_FORK,     /* host 0 again */
    FL_MEET_FORK_WAIT /* the others, for both */
};
void fl_interval_meet(enum fl_meet meet);
/* Here is the page's home from now on, and all that others have written to it. For who has the
 * chunk. */
void fl_page_adopt(uint32_t page);
/* Learns of intervals of others, told in `bytes`. */
void fl_interval_learn(const struct fl_bytes *bytes);
/* A copy of the page ends; its home gets what has been written to it. Takes `order`. */
void fl_interval_drop(uint32_t page);
/* As fl_interval_learn, for handlers; false: not yet. The diffs for pages of this host have come. */
FL_MUST_USE bool fl_interval_try_learn(const struct fl_bytes *bytes);
/* Another host's diffs, sent in its epoch. For handlers, without `order`. Ahead: fl_meet_is_ahead. */
void fl_interval_take_diffs(const struct fl_comm_call *call, struct fl_text diffs, uint32_t epoch,
                            bool ahead);
/* Whether a message of epoch `theirs` is from host 0 after a join that this host has not left: then
 * here is the home of the pages that it names, though this host does not know yet. */
bool fl_meet_is_ahead(unsigned host, uint32_t theirs, uint32_t epoch);
/* Host 0 lets this one go on; for handlers, when all that it has sent before has been served. */
void fl_meet_hear_departure(const struct fl_comm_call *call);

#endif
