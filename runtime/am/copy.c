/* SPDX-License-Identifier: BSD-3-Clause */
/* See copy.h. */
#include "am/copy.h"

#include "core/status.h"
#include "platform/os.h"

#include <string.h>

enum {
    CHOSEN_LEAST = 2048,    /* bytes; shorter ones wait in the store buffer when the clock is read */
    COPIES_PER_TRIAL = 128, /* of which each way has one */
    MEAN_OF = 4,            /* trials, about */
    STREAMING_GAIN = 2      /* times as fast: the reader will have to wait for memory */
};

static void copy_descending(unsigned char *to, const unsigned char *from, uint64_t bytes) {
    uint64_t at = bytes - bytes % FL_CACHE_LINE;
    memcpy(to + at, from + at, bytes - at);
    for (; at > 0; at -= FL_CACHE_LINE) {
        memcpy(to + at - FL_CACHE_LINE, from + at - FL_CACHE_LINE, FL_CACHE_LINE);
    }
}

static void copy_by(enum fl_am_copy_way way, void *to, const void *from, uint64_t bytes) {
    if (way == FL_AM_COPY_DESCENDING) {
        copy_descending(to, from, bytes);
    } else if (way == FL_AM_COPY_AROUND) {
        fl_os_copy_streaming(to, from, bytes);
    } else {
        memcpy(to, from, bytes);
    }
}

static uint32_t cost_of(const struct fl_am_copy *copy, enum fl_am_copy_way way) {
    return atomic_load_explicit(&copy->line_cost[way], memory_order_relaxed);
}

static void try_way(struct fl_am_copy *copy, enum fl_am_copy_way way, void *to, const void *from,
                    uint64_t bytes) {
    uint64_t begin = fl_os_now_ns();
    copy_by(way, to, from, bytes);
    uint32_t cost = (uint32_t)((fl_os_now_ns() - begin) * 256 * FL_CACHE_LINE / bytes) + 1;
    uint32_t mean = cost_of(copy, way);
    mean = mean ? mean - mean / MEAN_OF + cost / MEAN_OF : cost;
    atomic_store_explicit(&copy->line_cost[way], mean, memory_order_relaxed);
}

static enum fl_am_copy_way fastest(const struct fl_am_copy *copy) {
    enum fl_am_copy_way way =
        cost_of(copy, FL_AM_COPY_DESCENDING) < cost_of(copy, FL_AM_COPY_ASCENDING)
            ? FL_AM_COPY_DESCENDING
            : FL_AM_COPY_ASCENDING;
    uint32_t around = cost_of(copy, FL_AM_COPY_AROUND);
    return around && around * STREAMING_GAIN < cost_of(copy, way) ? FL_AM_COPY_AROUND : way;
}

/* The way whose turn it is to be tried; else FL_AM_COPY_WAYS. */
static enum fl_am_copy_way next_trial(struct fl_am_copy *copy) {
    uint32_t turn = atomic_load_explicit(&copy->turn, memory_order_relaxed);
    if (turn == FL_AM_COPY_AROUND && copy->policy != FL_AM_COPY_MEASURED) {
        turn++;
    }
    atomic_store_explicit(&copy->turn, (turn + 1) % COPIES_PER_TRIAL, memory_order_relaxed);
    return turn < FL_AM_COPY_WAYS ? (enum fl_am_copy_way)turn : FL_AM_COPY_WAYS;
}

void fl_am_copy(struct fl_am_copy *copy, void *to, const void *from, uint64_t bytes) {
    if (bytes < CHOSEN_LEAST) {
        memcpy(to, from, bytes);
        return;
    }
    if (copy->policy == FL_AM_COPY_STREAMING) {
        copy_by(FL_AM_COPY_AROUND, to, from, bytes);
        return;
    }
    enum fl_am_copy_way way = next_trial(copy);
    if (way < FL_AM_COPY_WAYS) {
        try_way(copy, way, to, from, bytes);
    } else {
        copy_by(fastest(copy), to, from, bytes);
    }
}
