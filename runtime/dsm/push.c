/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pushes (FURLONG_DSM_PUSH). A host that has fetched a page after each of its home's last writes will do so again: the
 * home sends what has changed with the meeting, and saves the fetch. Pushes go by way of host 0, as
 * all that hosts send at a meeting, so only small ones are made.
 *
 * A push is a hint. It has the stamp of the content to which it applies, and is taken if the
 * reader's copy has that content and the home alone has written to the page since the last meeting;
 * else the page is fetched, as ever. A pushed page is not made accessible: its first use shows that
 * it was wanted. After several unused pushes in a row the reader tells the home to stop.
 */
#include "dsm/inside.h"

#include <string.h>

enum {
    TIMES = 2,      /* fetches in a row, each after a write, before the page is pushed */
    UNUSED_MOST = 2, /* pushes in a row */
    PUSHED_MOST = 32 << 10, /* bytes by a host to another at a meeting */
};

/* What a home knows of a host that reads one of its pages; guarded by the page's chunk. */
struct fl_dsm_reader {
    uint32_t stamp; /* of the reader's copy */
    uint8_t times;  /* fetches in a row, each after a write; at most TIMES */
    bool has_read;  /* since the home's last write */
};

static struct fl_dsm_reader *reader_of(uint32_t page, unsigned host) {
    return &fl_dsm.readers[(size_t)page * fl_dsm.hosts + host];
}

/* The head of a push. It travels as the difference to the one before, of the same home. */
struct push {
    uint32_t page, held, stamp; /* stamps of the content that it changes, and of the result */
};

/* [host]: the last push in fl_dsm.pushes[host], if it is this host's; else zeros. */
static struct push *last;

/* The bits of a push's first number, above which is the home. */
enum { ALONE = 1, HOME = 1 };

void fl_push_start(void) {
    last = fl_dsm_memory(fl_dsm.hosts, sizeof *last);
    fl_dsm.readers = fl_dsm_memory((size_t)fl_dsm.map.pages * fl_dsm.hosts,
                                   sizeof *fl_dsm.readers);
    fl_dsm.pushes = fl_dsm_memory(fl_dsm.hosts, sizeof *fl_dsm.pushes);
}

void fl_push_note_read(uint32_t page, unsigned host, uint32_t stamp) {
    struct fl_dsm_reader *reader = reader_of(page, host);
    reader->stamp = stamp;
    reader->has_read = true;
}

/* ---- the home ---- */

static void push(uint32_t page, unsigned host, bool alone) {
    static struct fl_bytes changes; /* guarded by `order` */
    struct fl_dsm_reader *reader = reader_of(page, host);
    struct fl_bytes *to = &fl_dsm.pushes[host];
    changes.n = 0;
    if (!fl_log_since(page, reader->stamp, &changes) || changes.n > fl_dsm.policies.push_bytes ||
        to->n + changes.n > PUSHED_MOST) {
        return;
    }
    /* Relaxed: as for an answer to a fetch. */
    uint32_t stamp = atomic_load_explicit(&fl_dsm.stamp, memory_order_relaxed);
    struct push before = to->n > 0 ? last[host] : (struct push){0};
    last[host] = (struct push){page, reader->stamp, stamp};
    fl_bytes_add_number(to, fl_dsm.me << HOME | alone);
    fl_bytes_add_difference(to, page, before.page);
    fl_bytes_add_difference(to, reader->stamp, before.held);
    fl_bytes_add_difference(to, stamp, before.stamp);
    fl_bytes_add_piece(to, changes.at, changes.n);
    fl_push_note_read(page, host, stamp);
    fl_dsm.pages[page].unread = 0;
}

void fl_push_written(uint32_t page, bool alone) {
    const struct fl_page *p = &fl_dsm.pages[page];
    for (unsigned h = 0; h < fl_dsm.hosts && fl_log_is_on(p) && p->home == fl_dsm.me; h++) {
        struct fl_dsm_reader *reader = reader_of(page, h);
        reader->times = !reader->has_read ? 0 : reader->times < TIMES ? reader->times + 1 : TIMES;
        reader->has_read = false;
        if (reader->times == TIMES && !p->many && fl_dsm.policies.push_bytes > 0) {
            push(page, h, alone);
        }
    }
}

void fl_dsm_serve_unused(const struct fl_comm_call *call, const struct fl_dsm_unused_message *word) {
    if (word->page >= fl_dsm.map.pages) {
        fl_dsm_bad(call, "it does not want a page that is not there");
    }
    fl_page_lock(word->page);
    reader_of(word->page, call->asker.proc)->has_read = false;
    fl_page_unlock(word->page);
}

/* ---- on the way ---- */

void fl_push_say(struct fl_bytes *news) {
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        fl_bytes_add_piece(news, fl_dsm.pushes[h].at, fl_dsm.pushes[h].n);
        fl_dsm.pushes[h].n = 0;
    }
}

bool fl_push_hear(struct fl_text *news) {
    struct fl_text piece;
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        if (!fl_text_piece(news, &piece)) {
            return false;
        }
        if (fl_text_left(&piece) > 0) {
            fl_bytes_add(&fl_dsm.pushes[h], piece.at, fl_text_left(&piece));
            last[h] = (struct push){0};
        }
    }
    return true;
}

/* ---- the reader ---- */

/* The caller holds the chunk. False: `diff` is none. *unwanted_p: the home shall stop. */
static bool take(const struct push *push, unsigned home, struct fl_text diff, bool *unwanted_p) {
    struct fl_page *p = &fl_dsm.pages[push->page];
    if (p->home != home || p->writer != home + 1 || p->state != FL_PAGE_ABSENT || !p->stamp ||
        p->stamp < push->held || p->stamp > push->stamp) {
        return true;
    }
    if (p->unused == UNUSED_MOST) {
        p->unused = 0;
        *unwanted_p = true;
        return true;
    }
    fl_assert(!p->ready && p->unused < UNUSED_MOST);
    p->unused++;
    p->ready = true;
    p->stamp = push->stamp;
    return fl_diff_apply(fl_map_alias(&fl_dsm.map, push->page), diff.at, fl_text_left(&diff));
}

/* *push, *home_p: the push before this one, and its home; then this one. */
static bool take_next(struct fl_text *text, bool alone, struct push *push, unsigned *home_p) {
    uint32_t from;
    struct fl_text diff;
    if (!fl_text_number(text, &from)) {
        return false;
    }
    if (from >> HOME != *home_p) {
        *home_p = from >> HOME;
        *push = (struct push){0};
    }
    if (!fl_text_difference(text, &push->page) || !fl_text_difference(text, &push->held) ||
        !fl_text_difference(text, &push->stamp) || !fl_text_piece(text, &diff) ||
        push->page >= fl_dsm.map.pages || push->held > push->stamp) {
        return false;
    }
    if ((from & ALONE) != alone) {
        return true;
    }
    bool unwanted = false;
    fl_page_lock(push->page);
    bool good = take(push, *home_p, diff, &unwanted);
    fl_page_unlock(push->page);
    if (unwanted) {
        FL_DSM_SEND(*home_p, unused, NULL, 0, .page = push->page);
    }
    return good;
}

void fl_push_take(bool alone) {
    const struct fl_bytes *pushed = &fl_dsm.pushes[fl_dsm.me];
    struct fl_text text = fl_text(pushed->at, pushed->n);
    struct push push = {0};
    unsigned home = fl_dsm.hosts; /* none */
    while (fl_text_left(&text) > 0) {
        if (!take_next(&text, alone, &push, &home)) {
            fl_fatal(FL_CODE_BAD_MESSAGE, "pages that are pushed make no sense");
        }
    }
}
