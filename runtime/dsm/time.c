/* SPDX-License-Identifier: BSD-3-Clause */
/* See time.h. */
#include "dsm/time.h"

#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

static void *allocated(void *memory) {
    if (!memory) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for notices of written pages");
    }
    return memory;
}

void fl_time_start(struct fl_time *time, unsigned hosts) {
    time->hosts = hosts;
    time->known = allocated(calloc(hosts, sizeof *time->known));
    time->first = NULL;
    time->last = &time->first;
}

static struct fl_interval *new_interval(unsigned host, uint32_t number, size_t n_runs) {
    struct fl_interval *interval =
        allocated(malloc(sizeof *interval + n_runs * sizeof *interval->runs));
    interval->next = NULL;
    interval->host = host;
    interval->number = number;
    interval->n_runs = (uint32_t)n_runs;
    return interval;
}

static void append(struct fl_time *time, struct fl_interval *interval) {
    time->known[interval->host] = interval->number;
    *time->last = interval;
    time->last = &interval->next;
}

const struct fl_interval *fl_time_add(struct fl_time *time, unsigned host, const uint32_t *pages,
                                      size_t n) {
    struct fl_interval *interval = new_interval(host, time->known[host] + 1, n);
    uint32_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        struct fl_interval_run *run = &interval->runs[runs];
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
    append(time, interval);
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

void fl_time_tell(const struct fl_time *time, const uint32_t *theirs, const struct fl_interval *but,
                  struct fl_bytes *bytes) {
    for (const struct fl_interval *i = time->first; i; i = i->next) {
        if (i->number <= theirs[i->host] || i == but) {
            continue;
        }
        fl_bytes_add_number(bytes, i->host);
        fl_bytes_add_number(bytes, i->number);
        fl_bytes_add_number(bytes, i->n_runs);
        uint32_t end = 0;
        for (uint32_t r = 0; r < i->n_runs; r++) {
            fl_bytes_add_number(bytes, i->runs[r].first - end);
            fl_bytes_add_number(bytes, i->runs[r].pages);
            end = i->runs[r].first + i->runs[r].pages;
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

bool fl_time_learn(struct fl_time *time, struct fl_text text) {
    while (fl_text_left(&text) > 0) {
        uint32_t host, number, n_runs;
        if (!fl_text_number(&text, &host) || !fl_text_number(&text, &number) ||
            !fl_text_number(&text, &n_runs) || host >= time->hosts ||
            n_runs > fl_text_left(&text)) {
            return false;
        }
        struct fl_interval *interval = new_interval(host, number, n_runs);
        if (!take_runs(&text, interval)) {
            free(interval);
            return false;
        }
        if (number == time->known[host] + 1) {
            append(time, interval);
        } else {
            bool known = number <= time->known[host];
            free(interval);
            if (!known) {
                return false; /* those before it come first */
            }
        }
    }
    return true;
}

void fl_time_forget(struct fl_time *time) {
    for (struct fl_interval *i = time->first, *next; i; i = next) {
        next = i->next;
        free(i);
    }
    time->first = NULL;
    time->last = &time->first;
}
