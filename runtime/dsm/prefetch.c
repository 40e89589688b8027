/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prefetching: how many pages a fetch asks for, from its thread's fetches before. Neighbours come in
 * one message, more the longer the thread goes on in sequence, which then also fetches ahead
 * (FURLONG_DSM_FETCH: pages of a fetch at most; with 1, each page is fetched by itself when it is
 * used). Knows nothing of the protocol but which pages can be fetched together.
 */
#include "dsm/inside.h"

/* RUN_LEAST, GROWTH: pages of a sequence's first fetch, and the factor from one fetch to the next.
 * AHEAD, AHEAD_AFTER: fetches ahead, after so many of full length. WHOLES, WARY: see
 * judge_sequence. */
enum { RUN_LEAST = 2, GROWTH = 4, AHEAD = 2, AHEAD_AFTER = 3, WHOLES = 3, WARY = 8 };

/* Sequences of fetches of the thread, one for each array that it walks, up or down: where the last
 * fetch began and ended, how many pages it had, and how many of full length came in a row.
 * A group is neighbouring pages that others wrote in one epoch, which are often read together.
 * Sequences that read a group to its end win trust; then the whole group is fetched, and its last
 * page is made accessible at its first use only, which shows whether the guess was right. */
enum { STREAMS = 8, LASTS = 64 /* turns of others, if it has gone on */ };

struct stream {
    uint32_t first, next, pages, longest;
    uint32_t group, end;
    bool probed, used;
    uint32_t turn; /* of its last fetch; later if it has gone on */
};

static _Thread_local struct {
    struct stream all[STREAMS];
    uint32_t turn;
    int trust; /* sequences in a row that read their group to the end; see judge_sequence */
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

/* Adapts trust at the end of a sequence: up to WHOLES by one for each that read its group to the
 * end, back to 0 by one that did not, and to -WARY by a whole group fetched for nothing. */
static void judge_sequence(const struct stream *stream) {
    if (stream->end - stream->group <= RUN_LEAST) {
        return; /* the first fetch has all of the group */
    }
    bool whole = stream->probed ? stream->used : stream->next >= stream->end;
    streams.trust = whole ? streams.trust + (streams.trust < WHOLES) : stream->probed ? -WARY : 0;
}

/* The group: the pages of the chunk from `page` on that others have written in the same epoch. */
static void begin_group(struct stream *stream, uint32_t page) {
    uint32_t end = page + 1;
    while (fl_dsm.pages[page].told && end % FL_MAP_CHUNK &&
           fl_dsm.pages[end].told == fl_dsm.pages[page].told) {
        end++;
    }
    stream->group = page;
    stream->end = end;
    stream->probed = stream->used = false;
}

/* How many pages to fetch; the caller holds the chunk. */
static unsigned ask_length(struct stream *stream, uint32_t page, enum direction direction,
                           unsigned most) {
    bool in_sequence = direction != NOWHERE;
    if (!in_sequence) {
        judge_sequence(stream);
    }
    if (direction != UP || page >= stream->end) {
        begin_group(stream, page);
    }
    unsigned pages = in_sequence ? GROWTH * stream->pages : RUN_LEAST;
    if (direction != DOWN && streams.trust == WHOLES && stream->end - page > RUN_LEAST) {
        pages = stream->end - page;
        stream->probed = true;
    }
    return pages < most ? pages : most;
}

void fl_prefetch_used(uint32_t page) {
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream *s = &streams.all[i];
        s->used = s->used || page == s->end - 1;
    }
}

struct fl_prefetch fl_prefetch_plan(uint32_t page, unsigned most) {
    enum direction direction;
    struct stream *stream = choose_stream(page, &direction);
    struct fl_prefetch plan = {.first = page, .most = most};
    plan.pages = ask_length(stream, page, direction, most);
    stream->longest =
        direction == UP && stream->pages == most && most > 1 ? stream->longest + 1 : 0;
    stream->pages = plan.pages;
    if (direction == DOWN) {
        plan.first = run_begin(page, plan.pages);
        plan.pages = page - plan.first + 1;
    }
    stream->first = stream->next = plan.first;
    plan.probe_end = stream->probed ? stream->end : 0;
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
