/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fetches of pages from their homes, neighbours in one message, as many as prefetch.c says. The home
 * answers when all diffs have arrived of whose intervals the asker knows; from then on it takes notice
 * of its own writes to the page.
 */
#include "dsm/inside.h"

#include <string.h>

enum { FETCHES = 1024, NO_FETCH = UINT16_MAX };
/* The kind of a page in an answer: 0, the whole page; ZEROS; CHANGES to the asker's copy; or both,
 * changes to zeros. SAVED_LEAST is room for the length of the changes and the
 * number of all kinds. */
enum { ZEROS = 1, CHANGES = 2, KIND_BITS = 2, SAVED_LEAST = 2 * FL_NUMBER_MOST };
_Static_assert((int)FL_DSM_RUN_MOST * (int)KIND_BITS <= 32, "a number has the kinds of an answer");

/* A request under way; never freed, so threads may wait on its word after it has ended. */
struct fl_dsm_fetch {
    _Atomic uint32_t word; /* a wait word: requests in this entry that have ended << 1 */
    uint32_t first;
    uint16_t n;
    uint16_t next_free;
};

void fl_fetch_start(void) {
    struct fl_dsm_fetch *all = fl_dsm_memory(FETCHES, sizeof *all);
    for (unsigned i = 0; i < FETCHES; i++) {
        all[i].next_free = (uint16_t)(i + 1 < FETCHES ? i + 1 : NO_FETCH);
    }
    fl_dsm.fetches.all = all;
}

static struct fl_dsm_fetch *take_fetch(void) {
    fl_mutex_lock(&fl_dsm.fetches.mutex);
    uint16_t i = fl_dsm.fetches.free;
    if (i != NO_FETCH) {
        fl_dsm.fetches.free = fl_dsm.fetches.all[i].next_free;
    }
    fl_mutex_unlock(&fl_dsm.fetches.mutex);
    return i == NO_FETCH ? NULL : &fl_dsm.fetches.all[i];
}

static void give_fetch(struct fl_dsm_fetch *fetch) {
    fl_mutex_lock(&fl_dsm.fetches.mutex);
    fetch->next_free = fl_dsm.fetches.free;
    fl_dsm.fetches.free = (uint16_t)(fetch - fl_dsm.fetches.all);
    fl_mutex_unlock(&fl_dsm.fetches.mutex);
}

/* ---- the asker ---- */

static unsigned run_most(void) {
    size_t most = fl_comm_payload_most() / FL_MAP_PAGE;
    return most < fl_dsm.policies.fetch_pages ? (unsigned)most : fl_dsm.policies.fetch_pages;
}

unsigned fl_fetch_run(uint32_t page, unsigned most) {
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, page);
    uint32_t end = range->first + (uint32_t)(range->bytes / FL_MAP_PAGE);
    uint32_t chunk = (page / FL_MAP_CHUNK + 1) * FL_MAP_CHUNK;
    end = chunk < end ? chunk : end;
    unsigned n = 0;
    const struct fl_page *first = &fl_dsm.pages[page];
    for (const struct fl_page *p = first; n < most && page + n < end; p++, n++) {
        if (p->state != FL_PAGE_ABSENT || p->ready || p->home != first->home ||
            !p->stamp != !first->stamp || (n > 0 && (p->updates || first->updates))) {
            break;
        }
    }
    return n;
}

/* Writes the vector time that the home must have for some pages, zero for this host and for the
 * home. Returns its end; or `at`, with nothing to say, if all of it is zero. */
static unsigned char *say_needed(unsigned char *at, uint32_t first, unsigned n) {
    unsigned char *end = at;
    bool needs = false;
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        uint32_t most = 0;
        for (uint32_t p = first; p < first + n && h != fl_dsm.pages[p].home && h != fl_dsm.me;
             p++) {
            uint32_t interval = fl_dsm.needed[(size_t)p * fl_dsm.hosts + h];
            most = interval > most ? interval : most;
        }
        needs = needs || most;
        end = fl_number_put(end, most);
    }
    return needs ? end : at;
}

/* Marks the run as being fetched, requests it, and releases the chunk. Its length, perhaps 0. */
static unsigned ask(const struct fl_prefetch *plan) {
    uint32_t first = plan->first;
    unsigned n = fl_fetch_run(first, plan->pages);
    fl_assert(n <= FL_DSM_RUN_MOST && first % FL_MAP_CHUNK + n <= FL_MAP_CHUNK);
    struct fl_dsm_fetch *fetch = n ? take_fetch() : NULL;
    if (!fetch) {
        fl_page_unlock(first);
        return 0;
    }
    fetch->first = first;
    fetch->n = (uint16_t)n;
    unsigned home = fl_dsm.pages[first].home;
    uint32_t stamp = fl_dsm.pages[first].stamp;
    bool updates = fl_dsm.pages[first].updates > 0;
    for (uint32_t p = first; p < first + n; p++) {
        stamp = fl_dsm.pages[p].stamp < stamp ? fl_dsm.pages[p].stamp : stamp;
        fl_page_become(p, FL_PAGE_FETCHING);
        fl_dsm.pages[p].stale = false;
        fl_dsm.pages[p].fetch = (uint16_t)(fetch - fl_dsm.fetches.all);
    }
    unsigned char said[(2 + fl_dsm.hosts) * FL_NUMBER_MOST];
    /* Relaxed: threads of this host have seen the end of their last barrier. */
    uint32_t epoch = atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed);
    unsigned char *end = fl_number_put(fl_number_put(said, epoch), stamp);
    end = say_needed(end, first, n);
    fl_page_unlock(first);
    FL_DSM_ADD(fetches, 1);
    FL_DSM_ADD(pages, n);
    FL_DSM_SEND(home, fetch, said, (size_t)(end - said), .pages = n & 127, .updates = updates,
                .request = (uint16_t)(fetch - fl_dsm.fetches.all), .first = first);
    return n;
}

static uint32_t ended(struct fl_dsm_fetch *fetch) {
    /* Relaxed: the request cannot end before the chunk is released. */
    return atomic_load_explicit(&fetch->word, memory_order_relaxed) & ~(uint32_t)FL_WAIT_SLEEPING;
}

void fl_fetch_await(uint32_t page) {
    fl_assert(fl_dsm.pages[page].state == FL_PAGE_FETCHING);
    struct fl_dsm_fetch *fetch = &fl_dsm.fetches.all[fl_dsm.pages[page].fetch];
    uint32_t before = ended(fetch);
    fl_page_unlock(page);
    bool begun = fl_wait_begin_inside("an access to memory that is at another host");
    fl_wait_change(&fetch->word, before, fl_dsm.setup.wait);
    fl_wait_end_inside(begun);
}

void fl_fetch(uint32_t page) {
    struct fl_prefetch plan = fl_prefetch_plan(page, run_most());
    unsigned n = ask(&plan);
    if (n == 0) { /* as many requests are under way as there can be */
        fl_comm_poll();
        fl_os_yield();
        return;
    }
    while (fl_prefetch_goes_on(&plan, n)) {
        fl_page_lock(plan.first);
        n = ask(&plan);
    }
    fl_page_lock(page);
    if (fl_dsm.pages[page].state == FL_PAGE_FETCHING) {
        fl_fetch_await(page);
    } else {
        fl_page_unlock(page);
    }
}

/* A page that a notice has named since the request stays absent: a former home may have sent it. */
static void install(const struct fl_dsm_fetch *fetch, const struct fl_dsm_pages_message *word,
                    const uint32_t *has, uint32_t performed) {
    fl_page_lock(fetch->first);
    uint32_t stamp = word->stamp;
    for (uint32_t p = fetch->first; p < fetch->first + fetch->n; p++) {
        fl_assert(&fl_dsm.fetches.all[fl_dsm.pages[p].fetch] == fetch);
        fl_carry_fetched(p, has, word->vague);
        if (FL_UNLIKELY(fl_dsm.pages[p].updates)) {
            fl_assert(word->updates && fetch->n == 1);
            fl_update_copy(p, performed);
            stamp = 0;
        }
    }
    uint32_t end = fetch->first + fetch->n;
    for (uint32_t p = fetch->first; p < end;) {
        uint32_t first = p;
        for (; p < end && !fl_dsm.pages[p].stale; p++) {
            fl_page_become_readable(p);
            fl_dsm.pages[p].stamp = stamp;
        }
        if (p > first) {
            fl_page_allow(first, p - first, false);
        } else {
            fl_dsm.pages[p].stamp = 0;
            fl_page_become(p++, FL_PAGE_ABSENT);
        }
    }
    fl_page_unlock(fetch->first);
}

static bool take_page(uint32_t page, unsigned kind, struct fl_text *text) {
    unsigned char *to = fl_map_alias(&fl_dsm.map, page);
    struct fl_text diff;
    if (kind & ZEROS) {
        memset(to, 0, FL_MAP_PAGE);
    }
    if (kind & CHANGES) {
        return fl_text_piece(text, &diff) && fl_diff_apply(to, diff.at, fl_text_left(&diff));
    }
    if (kind == 0 && fl_text_left(text) >= FL_MAP_PAGE) {
        memcpy(to, text->at, FL_MAP_PAGE);
        text->at += FL_MAP_PAGE;
        return true;
    }
    return kind == ZEROS;
}

/* *has: the pages' vector time, if the answer is dated; *performed: updates in them, if it has any. */
static bool take_pages(const struct fl_dsm_fetch *fetch, const struct fl_comm_call *call,
                       const struct fl_dsm_pages_message *word, uint32_t *has,
                       uint32_t *performed) {
    struct fl_text text = fl_text(call->payload, call->bytes);
    uint32_t kinds = 0;
    if ((word->dated && !fl_time_hear(fl_dsm.hosts, &text, has)) ||
        (word->mixed && !fl_text_number(&text, &kinds)) ||
        (word->updates && !fl_text_number(&text, performed))) {
        return false;
    }
    for (unsigned i = 0; i < fetch->n; i++) {
        if (!take_page(fetch->first + i, kinds >> i * KIND_BITS & (ZEROS | CHANGES), &text)) {
            return false;
        }
    }
    return fl_text_left(&text) == 0;
}

void fl_dsm_serve_pages(const struct fl_comm_call *call, const struct fl_dsm_pages_message *word) {
    struct fl_dsm_fetch *fetch = &fl_dsm.fetches.all[word->request % FETCHES];
    uint32_t has[fl_dsm.hosts], performed = 0;
    if (!take_pages(fetch, call, word, has, &performed)) {
        fl_dsm_bad(call, "pages come that nobody wants");
    }
    install(fetch, word, word->dated ? has : NULL, performed);
    uint32_t before = ended(fetch);
    fl_wait_publish(&fetch->word, before + 2);
    give_fetch(fetch);
}

/* ---- the home ---- */

/* Pages of which there was no copy get one: from now on this host's writes to them are noticed;
 * fixed pages, which cannot be protected, are compared with a twin at each end of an interval. The
 * caller holds the chunk. */
void fl_fetch_share(uint32_t first, unsigned n) {
    for (uint32_t p = first; p < first + n;) {
        uint32_t from = p;
        for (; p < first + n && fl_dsm.pages[p].state == FL_PAGE_OWN; p++) {
            fl_log_begin(p);
            if (fl_dsm.pages[p].fixed) {
                /* First: an end of an interval that does not find it in the list ended before the
                 * twin is made, which then has all that was written before that end. */
                fl_page_note_dirty(p);
                fl_page_make_twin(p);
                fl_page_become(p, FL_PAGE_WRITABLE);
                break;
            }
        }
        if (p > from) {
            fl_page_protect(from, p - from);
        }
        for (uint32_t shared = from; shared < p; shared++) {
            fl_page_become_readable(shared);
        }
        p += p == from;
    }
}

/* Without writes of the open interval: no diff would tell if one is undone before that ends. */
static const unsigned char *content(uint32_t page) {
    const struct fl_page *p = &fl_dsm.pages[page];
    return p->twin ? fl_page_twin(p) : fl_map_alias(&fl_dsm.map, page);
}

/* Whether a diff against zeros is smaller than the page; then it goes to *diff. */
static bool is_sparse(const unsigned char *page, unsigned char *diff, size_t *n_p) {
    static const unsigned char zeros[FL_MAP_PAGE];
    unsigned empty = 0;
    for (unsigned at = 0; at < FL_MAP_PAGE; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, page + at, sizeof word);
        empty += word == 0;
    }
    if (empty < FL_MAP_PAGE / sizeof(uint64_t) / 8) {
        return false;
    }
    *n_p = fl_diff_make(diff, page, zeros, true);
    fl_assert(*n_p <= FL_DIFF_MOST);
    return *n_p + SAVED_LEAST <= FL_MAP_PAGE;
}

/* Appends a page to an answer; returns its kind. A page whose home has moved away goes as zeros:
 * the asker, at the same meeting, marks it stale. */
static uint32_t give_page(uint32_t page, uint32_t stamp, struct fl_bytes *answer) {
    static struct fl_bytes changes; /* handlers run one at a time */
    static unsigned char diff[FL_DIFF_MOST];
    size_t n;
    changes.n = 0;
    fl_dsm.pages[page].unread = 0;
    if (fl_dsm.pages[page].home != fl_dsm.me) {
        return ZEROS;
    }
    if (fl_log_since(page, stamp, &changes)) {
        fl_bytes_add_piece(answer, changes.at, changes.n);
        return CHANGES;
    }
    if (is_sparse(content(page), diff, &n)) {
        if (n > 0) {
            fl_bytes_add_piece(answer, diff, n);
        }
        return n > 0 ? ZEROS | CHANGES : ZEROS;
    }
    fl_bytes_add(answer, content(page), FL_MAP_PAGE);
    return 0;
}

/* Room for what stands before the pages of an answer. */
static size_t front_most(void) {
    return (fl_dsm.hosts + 2) * FL_NUMBER_MOST;
}

/* Sends pages, behind `front`: their vector time, or nothing if that of the last meeting covers
 * them. It is vague where it cannot be told: there is no room for it, or an interval ended while the
 * pages were read. */
static void send_answer(unsigned host, struct fl_dsm_pages_message *word, uint32_t kinds,
                        struct fl_bytes *front, const struct fl_bytes *pages) {
    size_t room = fl_comm_payload_most() - (pages->n - front_most());
    word->vague = word->vague || (front->n > 0 && front->n + FL_NUMBER_MOST > room);
    word->dated = front->n > 0 && !word->vague;
    word->mixed = kinds != 0;
    front->n = word->dated ? front->n : 0;
    if (kinds) {
        fl_bytes_add_number(front, kinds);
    }
    if (word->updates) {
        fl_bytes_add_number(front, fl_update_performed(host));
    }
    unsigned char *at = pages->at + front_most() - front->n;
    if (front->n > 0) {
        memcpy(at, front->at, front->n);
    }
    fl_dsm_send(host, (const uint64_t *)(const void *)word, at, pages->n - front_most() + front->n);
}

static void answer(const struct fl_comm_call *call, const struct fl_dsm_fetch_message *asked,
                   uint32_t held, bool ahead) {
    static struct fl_bytes front, pages;
    uint32_t first = asked->first;
    unsigned n = asked->pages;
    uint32_t kinds = 0;
    unsigned char room[front_most()];
    memset(room, 0, sizeof room);
    pages.n = front.n = 0;
    fl_bytes_add(&pages, room, sizeof room);
    uint64_t begun, begun_then;
    bool numbered = fl_interval_all_numbered(&begun);
    /* Before the pages are read: they may have more than their vector time says, but not less. */
    uint32_t own = fl_carry_say_holds(&front);
    fl_page_lock(first);
    for (uint32_t p = first; ahead && p < first + n; p++) {
        fl_page_adopt(p);
    }
    fl_fetch_share(first, n);
    /* Relaxed: only stamps of these pages matter, and the chunk orders them. */
    uint32_t stamp = atomic_load_explicit(&fl_dsm.stamp, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        fl_assert(fl_dsm.pages[first + i].state != FL_PAGE_OWN);
        kinds |= give_page(first + i, held, &pages) << i * KIND_BITS;
        fl_push_note_read(first + i, call->asker.proc, stamp);
    }
    fl_page_unlock(first);
    numbered = fl_interval_all_numbered(&begun_then) && numbered && begun_then == begun;
    struct fl_dsm_pages_message word = {.kind = fl_dsm_kind_pages,
                                        .request = asked->request,
                                        .updates = asked->updates,
                                        .vague = !numbered || fl_carry_own() != own,
                                        .stamp = stamp};
    send_answer(call->asker.proc, &word, kinds, &front, &pages);
}

static bool serve_fetch(const struct fl_comm_call *call, uint32_t epoch) {
    struct fl_text said = fl_text(call->payload, call->bytes);
    uint32_t theirs, held;
    if (!fl_defer_is_due(call, epoch, &said, &theirs)) {
        return false;
    }
    if (!fl_text_number(&said, &held)) {
        fl_dsm_bad(call, "it is of no time");
    }
    bool due = fl_text_left(&said) == 0 || fl_defer_have_come(call, &said);
    if (due) {
        answer(call, (const void *)call->words, held, theirs > epoch);
    }
    return due;
}

void fl_dsm_serve_fetch(const struct fl_comm_call *call, const struct fl_dsm_fetch_message *word) {
    if (word->first >= fl_dsm.map.pages || word->pages == 0 || word->pages > FL_DSM_RUN_MOST ||
        word->first % FL_MAP_CHUNK + word->pages > FL_MAP_CHUNK) {
        fl_dsm_bad(call, "it wants pages that are not there");
    }
    fl_defer_serve(call, FL_DEFER_REQUEST, serve_fetch);
}

/* ---- pages that a thread of this host works on ---- */

uint16_t fl_fetch_hold(void) {
    struct fl_dsm_fetch *fetch;
    while (!(fetch = take_fetch())) {
        fl_comm_poll();
        fl_os_yield();
    }
    return (uint16_t)(fetch - fl_dsm.fetches.all);
}

bool fl_fetch_try_hold(uint16_t *held_p) {
    struct fl_dsm_fetch *fetch = take_fetch();
    if (fetch) {
        *held_p = (uint16_t)(fetch - fl_dsm.fetches.all);
    }
    return fetch;
}

void fl_fetch_let_go(uint16_t held) {
    struct fl_dsm_fetch *fetch = &fl_dsm.fetches.all[held];
    fl_wait_publish(&fetch->word, ended(fetch) + 2);
    give_fetch(fetch);
}
