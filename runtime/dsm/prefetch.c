/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefetching: how many pages a fetch asks for, from its thread's fetches before. Neighbours come in
 * one message, more the longer the thread goes on in sequence, which then also fetches ahead
 * (FURLONG_DSM_FETCH: pages of a fetch at most; with 1, each page is fetched by itself when it is
 * used). Knows nothing of the protocol but which pages can be fetched together.
 */
#include "dsm/inside.h"

/* RUN_LEAST, GROWTH: pages of a sequence's first fetch, and the factor from one fetch to the next.
 * AHEAD, AHEAD_AFTER: fetches ahead, after so many of full length. */
enum { RUN_LEAST = 2, GROWTH = 4, AHEAD = 2, AHEAD_AFTER = 3 };

/* Sequences of fetches of the thread, one for each array that it walks, up or down: where the last
 * fetch began and ended, how many pages it had, and how many of full length came in a row. */
enum { STREAMS = 8, LASTS = 64 /* turns of others, if it has gone on */ };

struct stream {
    uint32_t first, next, pages, longest;
    uint32_t turn; /* of its last fetch; later if it has gone on */
};

static _Thread_local struct {
    struct stream all[STREAMS];
    uint32_t turn;
} streams;

enum direction { NOWHERE, UP, DOWN };

/* The sequence that the page continues, or the oldest, which is given up for a new one. */
static struct stream *choose_stream(uint32_t page, enum direction *direction_p) {
    struct stream *chosen = &streams.all[0];
    *direction_p = NOWHERE;
    for (unsigned i = 0; i < STREAMS && *direction_p == NOWHERE; i++) {
        struct stream *s = &streams.all[i];
        if (s->pages && (s->next == page || s->first == page + 1)) {
            chosen = s;
            *direction_p = s->next == page ? UP : DOWN;
        } else if ((int32_t)(s->turn - chosen->turn) < 0) {
            chosen = s;
        }
    }
    chosen->turn = ++streams.turn + (*direction_p == NOWHERE ? 0 : LASTS);
    return chosen;
}

/* The first page of a run that ends with `page`; the caller holds the chunk. */
static uint32_t run_begin(uint32_t page, unsigned most) {
    uint32_t first = page;
    while (first % FL_MAP_CHUNK && page - first + 1 < most &&
           fl_fetch_run(first - 1, page - first + 2) == page - first + 2) {
        first--;
    }
    return first;
}

struct fl_prefetch fl_prefetch_plan(uint32_t page, unsigned most) {
    enum direction direction;
    struct stream *stream = choose_stream(page, &direction);
    struct fl_prefetch plan = {.first = page, .most = most};
    unsigned pages = direction == NOWHERE ? RUN_LEAST : GROWTH * stream->pages;
    plan.pages = pages < most ? pages : most;
    stream->longest =
        direction == UP && stream->pages == most && most > 1 ? stream->longest + 1 : 0;
    stream->pages = plan.pages;
    if (direction == DOWN) {
        plan.first = run_begin(page, plan.pages);
        plan.pages = page - plan.first + 1;
    }
    stream->first = stream->next = plan.first;
    /* Ahead only of a long sequence: one that reads a row of 100 KB ends there. */
    plan.ahead = stream->longest >= AHEAD_AFTER ? AHEAD : 0;
    plan.stream = stream;
    return plan;
}

bool fl_prefetch_goes_on(struct fl_prefetch *plan, unsigned n) {
    plan->stream->next += n;
    if (n == 0 || plan->ahead == 0 || plan->stream->next >= fl_dsm.map.pages) {
        return false;
    }
    plan->ahead--;
    plan->first = plan->stream->next;
    plan->pages = plan->most;
    return true;
}
