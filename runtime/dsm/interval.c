/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends of intervals, and what write notices of other hosts do here.
 *
 * A thread that runs while its host's interval ends goes on writing: a diff is made of a copy,
 * which becomes the new twin, so that each write is in this diff or in a later one. The diff of a
 * page that a notice makes absent is made only when no thread can write to the page any more.
 */
#include "dsm/inside.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = UINT16_MAX, UNREAD_MOST = 3, UNREAD_LOCKED_MOST = 32, VAIN_MOST = 16,
       MEETING = UINT16_MAX };

/* ---- diffs ---- */

/* Makes the diff of a page: for its home, or for the log if that is this host; and if `carry`, to
 * go with locks. The copy that was compared becomes the twin. Returns whether there was a
 * difference. The caller holds the chunk. */
static bool take_writes(uint32_t page, bool carry) {
    static unsigned char copy[FL_MAP_PAGE], diff[FL_DIFF_MOST]; /* guarded by `order` */
    unsigned char *twin = fl_page_twin(&fl_dsm.pages[page]);
    memcpy(copy, fl_map_alias(&fl_dsm.map, page), FL_MAP_PAGE);
    bool mine = fl_dsm.pages[page].home == fl_dsm.me;
    fl_assert(fl_dsm.pages[page].twin && fl_dsm.pages[page].state == FL_PAGE_WRITABLE);
    if (FL_UNLIKELY(fl_dsm.pages[page].updates)) {
        fl_update_take_writes(page, copy, twin);
    }
    /* Joined: a log's readers have all older bytes, so that unchanged ones do no harm. */
    size_t n = fl_diff_make(diff, copy, twin, mine && !carry);
    fl_assert(n <= FL_DIFF_MOST);
    if (n == 0) {
        return false;
    }
    FL_DSM_ADD(diffs, 1);
    if (FL_UNLIKELY(fl_dsm.setup.check) && carry) {
        fl_check_note(page, copy, twin);
    }
    memcpy(twin, copy, FL_MAP_PAGE);
    if (carry) {
        fl_carry_add(page, diff, n);
    }
    if (mine) {
        fl_dsm.pages[page].dense = n > FL_MAP_PAGE / 2 && !fl_dsm.setup.check;
        fl_dsm.pages[page].unread++;
        fl_log_add(page, diff, n);
        return true;
    }
    fl_carry_note(page);
    struct fl_bytes *bytes = &fl_dsm.diffs[fl_dsm.pages[page].home];
    fl_bytes_add_number(bytes, page);
    fl_bytes_add_piece(bytes, diff, n);
    return true;
}

/* Waits for the diffs of notices that have been taken, for pages whose home is here. */
static void await_diffs(void) {
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        for (;;) {
            /* [D3] pairs [D2]: `arrived`, which is loaded next, is not older. */
            uint32_t news = atomic_load_explicit(&fl_dsm.news, memory_order_acquire) &
                            ~(uint32_t)FL_WAIT_SLEEPING;
            /* [D2] pairs [D1]. */
            if (atomic_load_explicit(&fl_dsm.arrived[h], memory_order_acquire) >=
                fl_dsm.wanted[h]) {
                break;
            }
            bool begun = fl_wait_begin_inside("a barrier, for what other hosts have written");
            fl_wait_change(&fl_dsm.news, news, fl_dsm.setup.wait);
            fl_wait_end_inside(begun);
        }
        fl_dsm.wanted[h] = 0;
    }
}

/* ---- the end of an interval ---- */

/* Takes the list of dirty pages, ascending, and begins an empty one. */
static struct fl_dsm_list *take_dirty(bool meeting) {
    fl_track_collect(meeting);
    fl_dsm.work.n = 0;
    fl_mutex_lock(&fl_dsm.dirty.mutex);
    struct fl_dsm_list taken = fl_dsm.dirty.list;
    fl_dsm.dirty.list = fl_dsm.work;
    fl_mutex_unlock(&fl_dsm.dirty.mutex);
    fl_dsm.work = taken;
    fl_dsm_list_sort(&fl_dsm.work);
    return &fl_dsm.work;
}

static void keep_dirty(uint32_t page) {
    fl_dsm.pages[page].listed = true;
    fl_mutex_lock(&fl_dsm.dirty.mutex);
    fl_dsm_list_add(&fl_dsm.dirty.list, page);
    fl_mutex_unlock(&fl_dsm.dirty.mutex);
}

/* The page is protected, and all of its writes have been taken. */
static void become_protected(uint32_t page) {
    fl_page_drop_twin(page);
    fl_page_become(page, FL_PAGE_READABLE);
}

/* All writes to the page have been taken. */
static void become_clean(uint32_t page) {
    if (!fl_track_has(page)) {
        fl_page_protect(page, 1);
        become_protected(page);
    }
}

static void become_own(uint32_t page) {
    if (fl_dsm.pages[page].twin) {
        fl_page_drop_twin(page);
    }
    fl_track_remove(page);
    if (FL_UNLIKELY(fl_dsm.setup.check) && !fl_dsm.pages[page].fixed) {
        fl_page_protect(page, 1);
        fl_log_begin(page);
        fl_page_become_readable(page);
    } else {
        fl_page_become(page, FL_PAGE_OWN);
    }
}

/* At the home of a page that has been written to: ends its log, which would save nothing, and all
 * copies, if the page is dense, or no host has read it for more than `unread_most` intervals. */
static bool end_log(uint32_t page, unsigned unread_most) {
    struct fl_page *p = &fl_dsm.pages[page];
    if (!p->dense && p->unread <= unread_most) {
        return false;
    }
    fl_log_end(page);
    become_own(page);
    return true;
}

/* A fixed page cannot be protected, so its home compares it at each end of an interval. After
 * VAIN_MOST vain comparisons its copies end, with a notice; hosts that still read it fetch it. */
static bool end_looks(uint32_t page, bool written) {
    struct fl_page *p = &fl_dsm.pages[page];
    p->vain = written ? 0 : (uint8_t)(p->vain + 1);
    if (!p->fixed || p->home != fl_dsm.me || p->vain < VAIN_MOST) {
        return false;
    }
    p->vain = 0;
    fl_log_end(page);
    become_own(page);
    return true;
}

/* Whether this host's writes are in the twin already, for other hosts; with the chunk held. */
static bool take_merged(struct fl_page *page) {
    bool merged = page->merged;
    page->merged = false;
    page->apart = page->apart || merged;
    return merged;
}

/* Whether the interval has written to a dirty page, which stays writable if it has: programs that
 * take a lock again write to the same pages again. */
static bool end_page(uint32_t page) {
    struct fl_page *p = &fl_dsm.pages[page];
    p->listed = false;
    bool merged = take_merged(p);
    if (p->state != FL_PAGE_WRITABLE) {
        return merged; /* a notice has made it absent */
    }
    if (p->home == fl_dsm.me && !p->twin) {
        become_own(page); /* the notice ends all copies */
        return true;
    }
    bool written = take_writes(page, true) || merged || p->claimed;
    if (written && p->home == fl_dsm.me && end_log(page, UNREAD_LOCKED_MOST)) {
        p->apart = true; /* the notice ends all copies */
    } else if (end_looks(page, written)) {
        p->apart = written = true;
    } else if (fl_track_has(page) && !p->claimed) {
        return written;
    } else if ((written && (!fl_dsm.setup.check || p->claimed)) ||
               (p->fixed && p->home == fl_dsm.me)) {
        keep_dirty(page); /* a fixed page cannot be protected */
    } else {
        fl_page_protect(page, 1);
        written = take_writes(page, true) || written;
        become_protected(page);
    }
    return written;
}

static void tell_home(uint32_t page) {
    unsigned home = fl_dsm.pages[page].home;
    fl_dsm.told[home] = home != fl_dsm.me;
}

static void end_diffs(uint32_t interval) {
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        if (fl_dsm.told[h]) {
            fl_interval_send_diffs(h, interval, true);
            fl_carry_forget_after(h);
            fl_dsm.told[h] = false;
        }
    }
}

static void note(uint32_t page) {
    if (!fl_dsm.pages[page].noted) {
        fl_dsm.pages[page].noted = true;
        fl_dsm_list_add(&fl_dsm.noted, page);
    }
}

static FL_COLD void note_written(void) {
    for (uint32_t i = 0; i < fl_dsm.noticed.n; i++) {
        fl_dsm.setup.note_sigsafe(&(struct fl_dsm_event){
            .kind = FL_DSM_WRITTEN,
            .address = (uintptr_t)fl_map_address(&fl_dsm.map, fl_dsm.noticed.pages[i])});
    }
}

static void add_interval(bool late, struct fl_text carried) {
    if (FL_UNLIKELY(fl_dsm.setup.note_sigsafe)) {
        note_written();
    }
    fl_mutex_lock(&fl_dsm.known.mutex);
    if (fl_dsm.noticed.n > 0) {
        const struct fl_interval *added =
            fl_time_add(&fl_dsm.known.time, fl_dsm.me, fl_dsm.noticed.pages, fl_dsm.noticed.n,
                        carried, false);
        fl_dsm.known.late = late ? added : NULL;
    }
    fl_mutex_unlock(&fl_dsm.known.mutex);
}

/* The interval of updates that homes have performed: no host waits for diffs of it. */
static void end_interval_at_home(void) {
    struct fl_dsm_list *pages = fl_atomic_take_noted();
    if (pages->n > 0) {
        fl_mutex_lock(&fl_dsm.known.mutex);
        fl_time_add(&fl_dsm.known.time, fl_dsm.me, pages->pages, pages->n, (struct fl_text){0}, true);
        fl_mutex_unlock(&fl_dsm.known.mutex);
    }
}

/* Ends the interval of the noted pages, whose diffs have all been made, and sends these. */
static void end_interval_of_noted(void) {
    end_interval_at_home();
    struct fl_text carried = fl_carry_end();
    fl_dsm_list_sort(&fl_dsm.noted);
    fl_dsm.noticed.n = 0;
    for (uint32_t i = 0; i < fl_dsm.noted.n; i++) {
        uint32_t page = fl_dsm.noted.pages[i];
        fl_dsm.pages[page].noted = fl_dsm.pages[page].apart = false;
        tell_home(page);
        fl_dsm_list_add(&fl_dsm.noticed, page);
    }
    fl_dsm.noted.n = 0;
    end_diffs(fl_dsm.known.time.known[fl_dsm.me] + 1);
    add_interval(false, carried);
}

/* Ends of intervals that have begun, and that are over; only the holder of `order` changes them. */
static struct {
    _Atomic uint64_t begun, over;
    _Atomic bool wanted; /* a release in the interval has put its end off */
} ends;

bool fl_interval_all_numbered(uint64_t *begun_p) {
    /* [E7] pairs [E3]: the intervals of ends that are over have their numbers. Loaded before
     * `begun`: an end between the two loads counts as one that is not over. */
    uint64_t over = atomic_load_explicit(&ends.over, memory_order_acquire);
    /* Relaxed: an end that has changed a page has been counted before; its chunk orders it. */
    *begun_p = atomic_load_explicit(&ends.begun, memory_order_relaxed);
    bool numbered = over == *begun_p;
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        numbered = numbered && !fl_dsm.arriving[h];
    }
    return numbered;
}

uint64_t fl_interval_put_off(void) {
    /* [E1] pairs [E2]: an end that is not counted here sees what this thread has written. */
    atomic_thread_fence(memory_order_seq_cst);
    /* [E6] pairs [E5]. */
    uint64_t begun = atomic_load_explicit(&ends.begun, memory_order_acquire);
    /* Relaxed: the thread that meets others has waited for this one. */
    atomic_store_explicit(&ends.wanted, true, memory_order_relaxed);
    return begun;
}

bool fl_interval_ends(void) {
    /* [E8] pairs [E3]: diffs of ends that are over have been sent. First, as above. */
    uint64_t over = atomic_load_explicit(&ends.over, memory_order_acquire);
    /* Relaxed: an end that has made a page's diff has been counted before; its chunk orders it. */
    return atomic_load_explicit(&ends.begun, memory_order_relaxed) != over;
}

bool fl_interval_is_over(uint64_t put_off) {
    /* [E4] pairs [E3]: the interval's notice is there. */
    return atomic_load_explicit(&ends.over, memory_order_acquire) > put_off;
}

void fl_interval_end(void) {
    /* Relaxed: only the holder of `order` changes it. */
    uint64_t begun = atomic_load_explicit(&ends.begun, memory_order_relaxed) + 1;
    atomic_store_explicit(&ends.wanted, false, memory_order_relaxed);
    /* [E5] pairs [E6]: a release that has seen this end begin wants another after it. */
    atomic_store_explicit(&ends.begun, begun, memory_order_release);
    /* [E2] pairs [E1]. */
    atomic_thread_fence(memory_order_seq_cst);
    struct fl_dsm_list *dirty = take_dirty(false);
    for (uint32_t i = 0; i < dirty->n; i++) {
        uint32_t page = dirty->pages[i];
        fl_page_lock(page);
        if (end_page(page)) {
            note(page);
        }
        fl_page_unlock(page);
    }
    end_interval_of_noted();
    if (FL_UNLIKELY(fl_dsm.setup.check)) {
        fl_check_end_interval();
    }
    fl_track_settle(false);
    fl_assert(atomic_load_explicit(&ends.over, memory_order_relaxed) + 1 == begun);
    /* [E3] pairs [E4], [E7], [E8]. */
    atomic_store_explicit(&ends.over, begun, memory_order_release);
}

/* ---- notices ---- */

/* Makes neighbours absent, and diffs of those written to; the caller holds their chunk. */
static void make_absent(uint32_t first, uint32_t end, uint16_t held) {
    fl_page_forbid(first, end - first);
    for (uint32_t p = first; p < end; p++) {
        struct fl_page *page = &fl_dsm.pages[p];
        if (page->state != FL_PAGE_WRITABLE) {
            fl_page_become(p, FL_PAGE_ABSENT);
            continue;
        }
        /* At a meeting all writes have been taken, and a writable page is only tracked. */
        bool written = held != MEETING && take_writes(p, true);
        fl_page_drop_twin(p);
        fl_track_remove(p);
        fl_page_become(p, written ? FL_PAGE_FETCHING : FL_PAGE_ABSENT);
        if (written) {
            /* No fetch before its home has been sent the diff. */
            page->stale = true;
            page->fetch = held;
            fl_dsm_list_add(&fl_dsm.work, p);
            note(p);
        }
    }
}

static bool is_present(uint32_t page) {
    uint8_t state = fl_dsm.pages[page].state;
    return fl_dsm.pages[page].home != fl_dsm.me && state != FL_PAGE_ABSENT &&
           state != FL_PAGE_FETCHING;
}

/* Takes a notice of pages in one chunk. `held`: the request that marks those whose diffs are yet to
 * be sent (fl_fetch_hold); or MEETING. */
static void invalidate(uint32_t first, uint32_t end, const struct fl_interval *interval,
                       uint16_t held) {
    bool stays[FL_MAP_CHUNK] = {false}; /* there is nothing to make absent */
    fl_page_lock(first);
    for (uint32_t p = first; p < end; p++) {
        struct fl_page *page = &fl_dsm.pages[p];
        if (page->home == fl_dsm.me && !interval->at_home) {
            fl_dsm.wanted[interval->host] = interval->number;
        } else if (!interval->at_home) {
            fl_dsm.needed[(size_t)p * fl_dsm.hosts + interval->host] = interval->number;
        }
        page->stale = true; /* means nothing unless it is being fetched */
        page->ready = false;
        stays[p % FL_MAP_CHUNK] =
            !is_present(p) || (held != MEETING && fl_carry_take(p, interval));
    }
    for (uint32_t p = first; p < end;) {
        uint32_t from = p;
        while (p < end && !stays[p % FL_MAP_CHUNK]) {
            p++;
        }
        if (p > from) {
            make_absent(from, p, held);
        } else {
            p++;
        }
    }
    fl_page_unlock(first);
}

static void take_notice(const struct fl_interval *interval, uint16_t held) {
    for (uint32_t r = 0; r < interval->n_runs; r++) {
        uint32_t end = interval->runs[r].first + interval->runs[r].pages;
        if (end > fl_dsm.map.pages) {
            fl_fatal(FL_CODE_BAD_MESSAGE, "host %u says that it has written page %u, and there are "
                     "%u", interval->host, end, fl_dsm.map.pages);
        }
        for (uint32_t p = interval->runs[r].first; p < end;) {
            uint32_t chunk = (p / FL_MAP_CHUNK + 1) * FL_MAP_CHUNK;
            invalidate(p, chunk < end ? chunk : end, interval, held);
            p = chunk;
        }
    }
}

static void release_held(void) {
    for (uint32_t i = 0; i < fl_dsm.work.n; i++) {
        uint32_t page = fl_dsm.work.pages[i];
        fl_page_lock(page);
        fl_page_become(page, FL_PAGE_ABSENT);
        fl_page_unlock(page);
    }
}

static void learn(const struct fl_bytes *bytes, uint16_t held) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    const struct fl_interval *news;
    bool good = fl_time_learn(&fl_dsm.known.time, fl_text(bytes->at, bytes->n), &news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    if (!good) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "notices of written pages make no sense");
    }
    fl_dsm.work.n = 0;
    for (const struct fl_interval *i = news; i; i = i->next) {
        take_notice(i, held);
    }
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        if (fl_dsm.diffs[h].n > 0) {
            fl_interval_send_diffs(h, 0, false);
        }
    }
    release_held();
    fl_fetch_let_go(held);
    await_diffs();
}

void fl_interval_drop(uint32_t page) {
    fl_dsm_order_lock();
    fl_dsm.work.n = 0;
    uint16_t held = fl_fetch_hold();
    fl_page_lock(page);
    fl_dsm.pages[page].stale = true; /* means nothing unless it is being fetched */
    fl_dsm.pages[page].ready = false;
    if (is_present(page)) {
        make_absent(page, page + 1, held);
    }
    unsigned home = fl_dsm.pages[page].home;
    fl_page_unlock(page);
    if (fl_dsm.diffs[home].n > 0) {
        fl_interval_send_diffs(home, 0, false);
    }
    release_held();
    fl_fetch_let_go(held);
    fl_mutex_unlock(&fl_dsm.order);
}

void fl_interval_learn(const struct fl_bytes *bytes) {
    if (bytes->n > 0) {
        learn(bytes, fl_fetch_hold());
    }
}

bool fl_interval_try_learn(const struct fl_bytes *bytes) {
    uint16_t held;
    /* `order` even without notices: a thread may be taking some, and wait for their diffs. */
    if (fl_mutex_try(&fl_dsm.order)) {
        bool may = fl_fetch_try_hold(&held);
        if (may) {
            learn(bytes, held);
        }
        fl_mutex_unlock(&fl_dsm.order);
        return may;
    }
    /* [L7] pairs [L5]: the holder of `order` is at a meeting, which the host that this is for has
     * not reached; it takes the notices of all that is known by then. Other threads here wait. */
    if (!atomic_load_explicit(&fl_dsm.meet.here, memory_order_acquire)) {
        return false;
    }
    const struct fl_interval *news;
    fl_mutex_lock(&fl_dsm.known.mutex);
    bool good = fl_time_learn(&fl_dsm.known.time, fl_text(bytes->at, bytes->n), &news);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    if (!good) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "notices of written pages make no sense");
    }
    return true;
}

/* ---- meetings ---- */

/* Makes the diff of a dirty copy, which is clean then; the caller holds the chunk. */
static void give_back(uint32_t page) {
    take_writes(page, false);
    become_clean(page);
}

static bool differs_from_twin(uint32_t page) {
    return memcmp(fl_map_alias(&fl_dsm.map, page), fl_page_twin(&fl_dsm.pages[page]),
                  FL_MAP_PAGE) != 0;
}

static bool arrive_home(uint32_t page, bool merged, bool alone) {
    if (!fl_dsm.pages[page].twin) {
        become_own(page);
        return true;
    }
    bool written = take_writes(page, false) || merged;
    if ((written && end_log(page, UNREAD_MOST)) || end_looks(page, written)) {
        return true;
    }
    if (fl_dsm.pages[page].fixed) {
        keep_dirty(page);
    } else {
        become_clean(page);
    }
    if (written) {
        fl_push_written(page, alone);
    }
    return written;
}

/* Whether the page belongs to the arrival's second interval; else its diff, if any, is made now. */
static bool arrive_page(uint32_t page, bool alone) {
    struct fl_page *p = &fl_dsm.pages[page];
    p->listed = false;
    bool merged = take_merged(p);
    if (p->state != FL_PAGE_WRITABLE) {
        return merged;
    }
    if (FL_UNLIKELY(fl_dsm.setup.check)) {
        fl_check_note(page, fl_map_alias(&fl_dsm.map, page), fl_page_twin(p));
    }
    if (p->home == fl_dsm.me) {
        return arrive_home(page, merged, alone);
    }
    bool claimed = p->claimed;
    p->claimed = false;
    if (!claimed && !differs_from_twin(page)) {
        become_clean(page);
        return false;
    }
    if (p->fixed || (p->many && !alone)) {
        give_back(page);
        note(page);
        return false;
    }
    fl_dsm_list_add(&fl_dsm.late, page);
    return true;
}

/* Two intervals: diffs of the first are sent now, of the second when all writers are known. */
void fl_interval_arrive(bool alone) {
    fl_turn_end();
    /* Writes before a release that was put off may go with the lock; later ones go through the
     * meeting. Relaxed: all threads of this host have arrived. */
    if (atomic_load_explicit(&ends.wanted, memory_order_relaxed) || fl_dsm.setup.looks) {
        fl_interval_end();
    }
    struct fl_dsm_list *dirty = take_dirty(true);
    fl_dsm.late.n = 0;
    fl_dsm.carry.open.n = 0; /* some of these pages' writes are not in it */
    uint32_t written = 0;
    for (uint32_t i = 0; i < dirty->n; i++) {
        uint32_t page = dirty->pages[i];
        fl_page_lock(page);
        if (arrive_page(page, alone)) {
            dirty->pages[written++] = page;
        }
        fl_page_unlock(page);
    }
    end_interval_of_noted();
    fl_dsm.noticed.n = 0;
    for (uint32_t i = 0; i < written; i++) {
        fl_dsm_list_add(&fl_dsm.noticed, dirty->pages[i]);
    }
    add_interval(true, (struct fl_text){0});
    if (FL_UNLIKELY(fl_dsm.setup.check)) {
        fl_check_end_interval();
    }
}

typedef void page_action(uint32_t page, const struct fl_interval *interval);

/* Whether host 0 has written it alone, between a join and a fork. */
static bool was_alone(const struct fl_interval *interval) {
    return interval->host == 0 && interval->number > fl_dsm.meet.alone;
}

static void for_pages(bool alone, page_action *act) {
    for (const struct fl_interval *i = fl_dsm.known.time.first; i; i = i->next) {
        for (uint32_t r = 0; was_alone(i) == alone && r < i->n_runs; r++) {
            uint32_t end = i->runs[r].first + i->runs[r].pages;
            for (uint32_t p = i->runs[r].first; p < end && end <= fl_dsm.map.pages; p++) {
                act(p, i);
            }
        }
    }
}

static void count_writer(uint32_t page, const struct fl_interval *interval) {
    uint16_t *writer = &fl_dsm.pages[page].writer;
    uint16_t host = (uint16_t)(interval->host + 1);
    bool alone = *writer == 0 || *writer == host;
    *writer = alone && !interval->at_home ? host : MANY;
}

void fl_page_adopt(uint32_t page) {
    struct fl_page *p = &fl_dsm.pages[page];
    if (p->home == fl_dsm.me) {
        return;
    }
    p->home = (uint16_t)fl_dsm.me;
    p->dense = false;
    p->since = fl_dsm.meet.since;
    fl_log_begin(page);
    memset(&fl_dsm.needed[(size_t)page * fl_dsm.hosts], 0, fl_dsm.hosts * sizeof *fl_dsm.needed);
    if (p->state == FL_PAGE_WRITABLE && (!fl_track_has(page) || differs_from_twin(page))) {
        become_own(page); /* the notice ends all copies */
    }
}

/* All hosts decide alike. The copy of an only writer has all writes, so the page's home moves
 * there, and no copy needs a diff of it any more. */
static void move_home(uint32_t page, const struct fl_interval *interval) {
    (void)interval;
    struct fl_page *p = &fl_dsm.pages[page];
    unsigned home = p->writer - 1u;
    fl_page_lock(page);
    bool stays = p->writer == MANY || p->fixed || p->home == home;
    if (!stays && home == fl_dsm.me) {
        fl_page_adopt(page);
    } else if (!stays) {
        bool copy = p->home == fl_dsm.me && (p->state == FL_PAGE_OWN || fl_track_has(page));
        p->home = (uint16_t)home;
        if (copy && !p->twin) {
            fl_page_protect(page, 1); /* a copy, which the notice ends */
            fl_page_become_readable(page);
        }
        p->stale = true; /* if it is being fetched, perhaps from a home that was */
        fl_log_end(page);
        memset(&fl_dsm.needed[(size_t)page * fl_dsm.hosts], 0,
               fl_dsm.hosts * sizeof *fl_dsm.needed);
    }
    fl_page_unlock(page);
}

static void forget_writer(uint32_t page, const struct fl_interval *interval) {
    struct fl_page *p = &fl_dsm.pages[page];
    if (p->writer != 0 && !was_alone(interval)) {
        p->many = p->writer == MANY;
    }
    p->writer = 0;
}

/* Sends the late diffs: of pages that others have written too, and whose home is elsewhere. */
static void send_late(void) {
    for (uint32_t i = 0; i < fl_dsm.late.n; i++) {
        uint32_t page = fl_dsm.late.pages[i];
        fl_page_lock(page);
        if (fl_dsm.pages[page].home != fl_dsm.me) {
            give_back(page);
        }
        fl_page_unlock(page);
    }
    for (uint32_t i = 0; i < fl_dsm.noticed.n; i++) {
        tell_home(fl_dsm.noticed.pages[i]);
    }
    end_diffs(fl_dsm.known.time.known[fl_dsm.me]);
}

/* Lists a page whose late diff a host keeps, unaware that others have written to it too. */
static void want_late(uint32_t page, const struct fl_interval *interval) {
    const struct fl_page *p = &fl_dsm.pages[page];
    if (p->writer == MANY && !p->many && !p->fixed && interval->host != p->home &&
        interval->host != fl_dsm.me &&
        interval->number == fl_dsm.known.time.known[interval->host]) {
        fl_bytes_add(&fl_dsm.diffs[interval->host], &page, sizeof page);
    }
}

/* Has those diffs sent: host 0 goes on alone, and must be able to read the pages. */
static void flush_late(void) {
    for_pages(false, want_late);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        struct fl_bytes *pages = &fl_dsm.diffs[h];
        if (pages->n > 0) {
            FL_DSM_SEND_PARTS(h, flush, pages);
            pages->n = 0;
        }
    }
}

/* On behalf of the thread that waits for a fork, and so holds `order`. */
void fl_dsm_serve_flush(const struct fl_comm_call *call, const struct fl_dsm_flush_message *word) {
    /* [L3] pairs [L4]: sees what the waiting thread has left. */
    bool behind = atomic_load_explicit(&fl_dsm.meet.behind, memory_order_seq_cst);
    const uint32_t *pages = call->payload;
    for (size_t i = 0; i < call->bytes / sizeof *pages; i++) {
        if (!behind || pages[i] >= fl_dsm.map.pages) {
            fl_dsm_bad(call, "it wants diffs that are not there");
        }
        fl_page_lock(pages[i]);
        if (fl_dsm.pages[pages[i]].twin && fl_dsm.pages[pages[i]].home != fl_dsm.me) {
            give_back(pages[i]);
        }
        tell_home(pages[i]);
        fl_page_unlock(pages[i]);
    }
    if (!word->more) {
        end_diffs(fl_dsm.known.time.known[fl_dsm.me]);
    }
}

static void take_notices(bool alone) {
    for (const struct fl_interval *i = fl_dsm.known.time.first; i; i = i->next) {
        if (was_alone(i) == alone && i->host != fl_dsm.me &&
            i->number > fl_dsm.meet.before[i->host]) {
            take_notice(i, MEETING);
        }
    }
}

static void meet_pages(bool alone, bool send, bool flush) {
    for_pages(alone, count_writer);
    for_pages(alone, move_home);
    if (send) {
        send_late();
    }
    if (flush) {
        flush_late();
    }
    take_notices(alone);
    fl_push_take(alone);
    for_pages(alone, forget_writer);
}

void fl_interval_meet(enum fl_meet meet) {
    meet_pages(false, meet == FL_MEET_BARRIER || meet == FL_MEET_JOIN, meet == FL_MEET_JOIN);
    meet_pages(true, meet == FL_MEET_FORK, false);
    await_diffs();
    fl_mutex_lock(&fl_dsm.known.mutex);
    fl_time_forget(&fl_dsm.known.time);
    memcpy(fl_dsm.known.met, fl_dsm.known.time.known, fl_dsm.hosts * sizeof(uint32_t));
    fl_dsm.known.late = NULL;
    fl_mutex_unlock(&fl_dsm.known.mutex);
    fl_dsm.pushes[fl_dsm.me].n = 0;
    fl_track_settle(true);
}
