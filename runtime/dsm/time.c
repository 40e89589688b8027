/* SPDX-License-Identifier: BSD-3-Clause */
/* See time.h. */
#include "dsm/time.h"

#include "core/assert.h"
#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

#define NOTICES "notices of written pages"
enum { KEPT_MOST = 1 << 20, TOLD_MOST = 2048 }; /* bytes of diffs */

void fl_time_start(struct fl_time *time, unsigned hosts) {
    time->hosts = hosts;
    time->known = FL_ALLOCATED(calloc(hosts, sizeof *time->known), NOTICES);
    time->first = time->last = NULL;
    time->kept = 0;
}

static struct fl_interval *new_interval(unsigned host, uint32_t number, size_t n_runs) {
    struct fl_interval *interval =
        FL_ALLOCATED(malloc(sizeof *interval + n_runs * sizeof *interval->runs), NOTICES);
    interval->next = interval->previous = NULL;
    interval->host = host;
    interval->number = number;
    interval->at_home = false;
    interval->diffs = (struct fl_bytes){0};
    interval->n_runs = (uint32_t)n_runs;
    return interval;
}

static void drop_diffs(struct fl_time *time) {
    for (struct fl_interval *i = time->first; i; i = i->next) {
        fl_bytes_release(&i->diffs);
    }
    time->kept = 0;
}

static void append(struct fl_time *time, struct fl_interval *interval, struct fl_text diffs) {
    if (time->kept + fl_text_left(&diffs) > KEPT_MOST) {
        drop_diffs(time);
    }
    if (fl_text_left(&diffs) > 0) {
        fl_bytes_add(&interval->diffs, diffs.at, fl_text_left(&diffs));
        time->kept += fl_text_left(&diffs);
    }
    fl_assert(interval->number == time->known[interval->host] + 1);
    time->known[interval->host] = interval->number;
    interval->previous = time->last;
    *(time->last ? &time->last->next : &time->first) = interval;
    time->last = interval;
}

const struct fl_interval *fl_time_add(struct fl_time *time, unsigned host, const uint32_t *pages,
                                      size_t n, struct fl_text diffs, bool at_home) {
    struct fl_interval *interval = new_interval(host, time->known[host] + 1, n);
    interval->at_home = at_home;
    uint32_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        struct fl_interval_run *run = &interval->runs[runs];
        fl_assert(i == 0 || pages[i - 1] <= pages[i]);
        if (runs > 0 && pages[i] < run[-1].first + run[-1].pages) {
            continue;
        }
        if (runs > 0 && pages[i] == run[-1].first + run[-1].pages) {
            run[-1].pages++;
        } else {
            *run = (struct fl_interval_run){pages[i], 1};
            runs++;
        }
    }
    interval->n_runs = runs;
    append(time, interval, diffs);
    return interval;
}

void fl_time_say(const struct fl_time *time, struct fl_bytes *bytes) {
    for (unsigned h = 0; h < time->hosts; h++) {
        fl_bytes_add_number(bytes, time->known[h]);
    }
}

bool fl_time_hear(unsigned hosts, struct fl_text *text, uint32_t *theirs) {
    for (unsigned h = 0; h < hosts; h++) {
        if (!fl_text_number(text, &theirs[h])) {
            return false;
        }
    }
    return true;
}

static bool is_news(const struct fl_interval *interval, const uint32_t *theirs) {
    return interval->number > theirs[interval->host];
}

/* Sought from the end: few intervals are new, out of perhaps very many since the last meeting. */
static const struct fl_interval *first_news(const struct fl_time *time, const uint32_t *theirs) {
    uint64_t left = 0;
    for (unsigned h = 0; h < time->hosts; h++) {
        left += time->known[h] > theirs[h] ? time->known[h] - theirs[h] : 0;
    }
    const struct fl_interval *first = NULL;
    for (const struct fl_interval *i = time->last; i && left > 0; i = i->previous) {
        if (is_news(i, theirs)) {
            first = i;
            left--;
        }
    }
    return first;
}

static bool are_few(const struct fl_interval *first, const uint32_t *theirs,
                    const struct fl_interval *but) {
    size_t n = 0;
    for (const struct fl_interval *i = first; i && n <= TOLD_MOST; i = i->next) {
        n += is_news(i, theirs) && i != but ? i->diffs.n : 0;
    }
    return n <= TOLD_MOST;
}

/* The low bits of an interval's first number. */
enum { WITH_DIFFS = 1 /* behind its runs */, AT_HOME = 2, FLAG_BITS = 2 };

void fl_time_tell(const struct fl_time *time, const uint32_t *theirs, const struct fl_interval *but,
                  bool with_diffs, struct fl_bytes *bytes) {
    const struct fl_interval *first = first_news(time, theirs);
    with_diffs = with_diffs && are_few(first, theirs, but);
    for (const struct fl_interval *i = first; i; i = i->next) {
        if (!is_news(i, theirs) || i == but) {
            continue;
        }
        bool diffs = with_diffs && i->diffs.n > 0;
        fl_bytes_add_number(bytes, i->host << FLAG_BITS | (i->at_home ? AT_HOME : 0) |
                                       (diffs ? WITH_DIFFS : 0));
        fl_bytes_add_number(bytes, i->number);
        fl_bytes_add_number(bytes, i->n_runs);
        uint32_t end = 0;
        for (uint32_t r = 0; r < i->n_runs; r++) {
            fl_bytes_add_number(bytes, i->runs[r].first - end);
            fl_bytes_add_number(bytes, i->runs[r].pages);
            end = i->runs[r].first + i->runs[r].pages;
        }
        if (diffs) {
            fl_bytes_add_piece(bytes, i->diffs.at, i->diffs.n);
        }
    }
}

static bool take_runs(struct fl_text *text, struct fl_interval *interval) {
    uint32_t next = 0;
    for (uint32_t r = 0; r < interval->n_runs; r++) {
        struct fl_interval_run *run = &interval->runs[r];
        if (!fl_text_number(text, &run->first) || !fl_text_number(text, &run->pages)) {
            return false;
        }
        run->first += next;
        next = run->first + run->pages;
    }
    return true;
}

/* Takes one off the front; null: there is none. *diffs_p points into the text. */
static struct fl_interval *take_interval(unsigned hosts, struct fl_text *text,
                                         struct fl_text *diffs_p) {
    uint32_t from, number, n_runs;
    if (!fl_text_number(text, &from) || !fl_text_number(text, &number) ||
        !fl_text_number(text, &n_runs) || from >> FLAG_BITS >= hosts || n_runs > fl_text_left(text)) {
        return NULL;
    }
    struct fl_interval *interval = new_interval(from >> FLAG_BITS, number, n_runs);
    interval->at_home = from & AT_HOME;
    *diffs_p = fl_text(NULL, 0);
    if (take_runs(text, interval) && (!(from & WITH_DIFFS) || fl_text_piece(text, diffs_p))) {
        return interval;
    }
    free(interval);
    return NULL;
}

bool fl_time_learn(struct fl_time *time, struct fl_text text, const struct fl_interval **news_p) {
    *news_p = NULL;
    while (fl_text_left(&text) > 0) {
        struct fl_text diffs;
        struct fl_interval *interval = take_interval(time->hosts, &text, &diffs);
        if (!interval) {
            return false;
        }
        uint32_t known = time->known[interval->host];
        if (interval->number == known + 1) {
            append(time, interval, diffs);
            *news_p = *news_p ? *news_p : interval;
        } else {
            bool is_known = interval->number <= known;
            free(interval);
            if (!is_known) {
                return false; /* an interval before it is missing */
            }
        }
    }
    return true;
}

bool fl_time_all_are(unsigned hosts, struct fl_text text, bool is(const struct fl_interval *)) {
    bool all = true;
    while (all && fl_text_left(&text) > 0) {
        struct fl_text diffs;
        struct fl_interval *interval = take_interval(hosts, &text, &diffs);
        all = !interval || is(interval); /* fl_time_learn complains about a malformed text */
        if (!interval) {
            break;
        }
        free(interval);
    }
    return all;
}

void fl_time_forget(struct fl_time *time) {
    for (struct fl_interval *i = time->first, *next; i; i = next) {
        next = i->next;
        fl_bytes_release(&i->diffs);
        free(i);
    }
    time->first = time->last = NULL;
    time->kept = 0;
}
