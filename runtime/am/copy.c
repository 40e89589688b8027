/* SPDX-License-Identifier: BSD-3-Clause */
/* See copy.h. */
#include "am/copy.h"

#include "core/status.h"
#include "platform/os.h"

#include <string.h>

enum {
    DESCENDING_LEAST = 512,  /* bytes; shorter ones are over before prefetchers begin */
    STREAMING_LEAST = 2048,  /* bytes from which going through memory pays */
    COPIES_PER_MEASUREMENT = 16,
};

static void copy_descending(unsigned char *to, const unsigned char *from, uint64_t bytes) {
    uint64_t at = bytes - bytes % FL_CACHE_LINE;
    memcpy(to + at, from + at, bytes - at);
    for (; at > 0; at -= FL_CACHE_LINE) {
        memcpy(to + at - FL_CACHE_LINE, from + at - FL_CACHE_LINE, FL_CACHE_LINE);
    }
}

static bool measure(struct fl_am_copy *copy, void *to) {
    if (atomic_load_explicit(&copy->copies, memory_order_relaxed) > 0) {
        atomic_fetch_sub_explicit(&copy->copies, 1, memory_order_relaxed);
        return atomic_load_explicit(&copy->is_far, memory_order_relaxed);
    }
    bool is_far = fl_os_line_is_far(to);
    atomic_store_explicit(&copy->is_far, is_far, memory_order_relaxed);
    atomic_store_explicit(&copy->copies, COPIES_PER_MEASUREMENT, memory_order_relaxed);
    return is_far;
}

static bool is_streaming(struct fl_am_copy *copy, void *to) {
    return copy->policy == FL_AM_COPY_MEASURED ? measure(copy, to)
                                               : copy->policy == FL_AM_COPY_STREAMING;
}

void fl_am_copy(struct fl_am_copy *copy, void *to, const void *from, uint64_t bytes) {
    if (bytes < DESCENDING_LEAST) {
        memcpy(to, from, bytes);
    } else if (bytes >= STREAMING_LEAST && is_streaming(copy, to)) {
        fl_os_copy_streaming(to, from, bytes);
    } else {
        copy_descending(to, from, bytes);
    }
}
