/* SPDX-License-Identifier: BSD-3-Clause */
/* See time.h. Numbers travel in pieces of seven bits, the lowest first; bit 7: there are more. */
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

void fl_bytes_add(struct fl_bytes *bytes, const void *more, size_t n) {
    if (bytes->room - bytes->n < n) {
        bytes->room = 2 * bytes->room + n + 256;
        bytes->at = allocated(realloc(bytes->at, bytes->room));
    }
    if (n > 0) {
        memcpy(bytes->at + bytes->n, more, n);
    }
    bytes->n += n;
}

void fl_bytes_release(struct fl_bytes *bytes) {
    free(bytes->at);
    *bytes = (struct fl_bytes){0};
}

static void add_number(struct fl_bytes *bytes, uint32_t number) {
    unsigned char text[5];
    size_t n = 0;
    for (; number >= 128; number >>= 7) {
        text[n++] = (unsigned char)(number | 128);
    }
    text[n++] = (unsigned char)number;
    fl_bytes_add(bytes, text, n);
}

static bool take_number(const unsigned char **at, const unsigned char *end, uint32_t *number) {
    *number = 0;
    for (unsigned shift = 0; *at < end && shift < 32; shift += 7) {
        unsigned char piece = *(*at)++;
        *number |= (uint32_t)(piece & 127) << shift;
        if (!(piece & 128)) {
            return true;
        }
    }
    return false;
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
    fl_bytes_add(bytes, time->known, time->hosts * sizeof *time->known);
}

void fl_time_tell(const struct fl_time *time, const uint32_t *theirs, const struct fl_interval *but,
                  struct fl_bytes *bytes) {
    for (const struct fl_interval *i = time->first; i; i = i->next) {
        if (i->number <= theirs[i->host] || i == but) {
            continue;
        }
        add_number(bytes, i->host);
        add_number(bytes, i->number);
        add_number(bytes, i->n_runs);
        uint32_t end = 0;
        for (uint32_t r = 0; r < i->n_runs; r++) {
            add_number(bytes, i->runs[r].first - end);
            add_number(bytes, i->runs[r].pages);
            end = i->runs[r].first + i->runs[r].pages;
        }
    }
}

static bool take_runs(const unsigned char **at, const unsigned char *end,
                      struct fl_interval *interval) {
    uint32_t next = 0;
    for (uint32_t r = 0; r < interval->n_runs; r++) {
        struct fl_interval_run *run = &interval->runs[r];
        if (!take_number(at, end, &run->first) || !take_number(at, end, &run->pages)) {
            return false;
        }
        run->first += next;
        next = run->first + run->pages;
    }
    return true;
}

bool fl_time_learn(struct fl_time *time, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    const unsigned char *end = at + n;
    while (at < end) {
        uint32_t host, number, n_runs;
        if (!take_number(&at, end, &host) || !take_number(&at, end, &number) ||
            !take_number(&at, end, &n_runs) || host >= time->hosts ||
            n_runs > (size_t)(end - at)) {
            return false;
        }
        struct fl_interval *interval = new_interval(host, number, n_runs);
        if (!take_runs(&at, end, interval)) {
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
