/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small diffs piggybacked on locks (FURLONG_DSM_PIGGYBACK): what one holder has written comes to the next with the notice,
 * and is applied to its copies, so that no page need be fetched. Three rules keep copies right:
 *
 * A page's diffs go along only if they are all that the interval has of the page.
 * A diff that a copy has is not applied again: it might undo later writes, of which no notice comes
 * any more. So the answer to a fetch has the vector time of its pages; if that is vague, since an
 * interval ended while the home read the pages, or they have writes of one that has not ended, the
 * next notice ends the copy. The latter happens where threads poll a flag without a lock, with
 * flushes, and write to it once it is set: before the notice comes.
 * A host may write to such a copy before the page's home has the diffs that were applied to it; so
 * its own diff has the vector time of those that must be applied first.
 */
#include "dsm/inside.h"

#include <string.h>

enum { PAGE_SHARE = 4 }; /* a page has at most this part of an interval's bytes */

void fl_carry_start(void) {
    fl_dsm.carry.after = fl_dsm_memory((size_t)fl_dsm.hosts * fl_dsm.hosts, sizeof(uint32_t));
    fl_dsm.carry.waits = fl_dsm_memory(fl_dsm.hosts, sizeof(bool));
    fl_dsm.holds = fl_dsm_memory((size_t)fl_dsm.map.pages * fl_dsm.hosts, sizeof *fl_dsm.holds);
}

/* ---- the writer ---- */

void fl_carry_add(uint32_t page, const void *diff, size_t bytes) {
    struct fl_bytes *open = &fl_dsm.carry.open;
    size_t most = fl_dsm.policies.piggyback_bytes;
    if (bytes > most / PAGE_SHARE || open->n + bytes > most) {
        fl_dsm.pages[page].apart = true;
    } else {
        fl_bytes_add_number(open, page);
        fl_bytes_add_piece(open, diff, bytes);
    }
}

struct fl_text fl_carry_end(void) {
    static struct fl_bytes whole; /* guarded by `order` */
    struct fl_text all = fl_text(fl_dsm.carry.open.at, fl_dsm.carry.open.n), diff;
    uint32_t page;
    whole.n = 0;
    for (const unsigned char *at = all.at; fl_dsm_next_diff(&all, &page, &diff); at = all.at) {
        if (!fl_dsm.pages[page].apart) {
            fl_bytes_add(&whole, at, (size_t)(all.at - at));
        }
    }
    fl_assert(fl_text_left(&all) == 0 && whole.n <= fl_dsm.carry.open.n);
    fl_dsm.carry.open.n = 0;
    return fl_text(whole.at, whole.n);
}

/* ---- the next holder ---- */

static uint32_t *holds(uint32_t page) {
    return &fl_dsm.holds[(size_t)page * fl_dsm.hosts];
}

static uint32_t epoch_now(void) {
    /* Relaxed: only the holder of `order` changes it. */
    return atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed);
}

static void put_in(uint32_t page, struct fl_text diff) {
    struct fl_page *p = &fl_dsm.pages[page];
    size_t bytes = fl_text_left(&diff);
    if (!fl_diff_apply(fl_map_alias(&fl_dsm.map, page), diff.at, bytes) ||
        (p->twin && !fl_diff_apply(fl_page_twin(p), diff.at, bytes))) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "a diff of page %u, which came with a lock, makes no sense",
                 page);
    }
}

bool fl_carry_take(uint32_t page, const struct fl_interval *interval) {
    struct fl_page *p = &fl_dsm.pages[page];
    fl_assert(fl_page_chunks_held > 0 && p->home != fl_dsm.me);
    fl_assert(p->state == FL_PAGE_READABLE || p->state == FL_PAGE_WRITABLE);
    if (p->vague) {
        return false;
    }
    if (p->dated && interval->number <= holds(page)[interval->host]) {
        return true;
    }
    struct fl_text all = fl_text(interval->diffs.at, interval->diffs.n), diff;
    bool taken = false;
    uint32_t of;
    while (fl_dsm_next_diff(&all, &of, &diff)) {
        if (of == page) {
            put_in(page, diff);
            taken = true;
        }
    }
    if (taken) {
        p->put_in = 1 + epoch_now();
        FL_DSM_ADD(carried, 1);
    }
    return taken;
}

/* ---- the order of diffs at their home ---- */

void fl_carry_note(uint32_t page) {
    const struct fl_page *p = &fl_dsm.pages[page];
    fl_assert(p->home != fl_dsm.me && p->put_in <= 1 + epoch_now());
    /* Diffs that others sent before the last meeting but one are at their home. Those sent before
     * the last need not be: after a join, host 0 is a meeting ahead of it. */
    if (p->put_in == 0 || p->put_in < epoch_now()) {
        return;
    }
    uint32_t *after = &fl_dsm.carry.after[(size_t)p->home * fl_dsm.hosts];
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        uint32_t needed = fl_dsm.needed[(size_t)page * fl_dsm.hosts + h];
        if (h != fl_dsm.me && h != p->home && needed > after[h]) {
            after[h] = needed;
            fl_dsm.carry.waits[p->home] = true;
        }
    }
}

bool fl_carry_say_after(unsigned home, struct fl_bytes *said) {
    fl_assert(home != fl_dsm.me);
    if (!fl_dsm.carry.waits[home]) {
        return false;
    }
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        fl_bytes_add_number(said, fl_dsm.carry.after[(size_t)home * fl_dsm.hosts + h]);
    }
    return true;
}

void fl_carry_forget_after(unsigned home) {
    fl_dsm.carry.waits[home] = false;
    memset(&fl_dsm.carry.after[(size_t)home * fl_dsm.hosts], 0, fl_dsm.hosts * sizeof(uint32_t));
}

/* ---- the vector time of a copy ---- */

uint32_t fl_carry_say_holds(struct fl_bytes *said) {
    bool more = false;
    size_t before = said->n;
    fl_mutex_lock(&fl_dsm.known.mutex);
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        /* Relaxed: only handlers write it, and this is one. */
        uint32_t has = h == fl_dsm.me
                           ? fl_dsm.known.time.known[h]
                           : atomic_load_explicit(&fl_dsm.arrived[h], memory_order_relaxed);
        more = more || has > fl_dsm.known.met[h];
        fl_bytes_add_number(said, has);
    }
    uint32_t own = fl_dsm.known.time.known[fl_dsm.me];
    fl_mutex_unlock(&fl_dsm.known.mutex);
    said->n = more ? said->n : before;
    return own;
}

uint32_t fl_carry_own(void) {
    fl_mutex_lock(&fl_dsm.known.mutex);
    uint32_t own = fl_dsm.known.time.known[fl_dsm.me];
    fl_mutex_unlock(&fl_dsm.known.mutex);
    return own;
}

void fl_carry_fetched(uint32_t page, const uint32_t *has, bool vague) {
    fl_assert(fl_page_chunks_held > 0 && fl_dsm.pages[page].home != fl_dsm.me);
    fl_dsm.pages[page].vague = vague;
    fl_dsm.pages[page].dated = has != NULL;
    if (has) {
        memcpy(holds(page), has, fl_dsm.hosts * sizeof *has);
    }
}
