/* SPDX-License-Identifier: BSD-3-Clause */
/* See diff.h. */
#include "dsm/diff.h"

#include <string.h>

struct run {
    uint16_t offset, length;
};

static unsigned char *append(unsigned char *at, const unsigned char *page, size_t from, size_t to) {
    const struct run run = {(uint16_t)from, (uint16_t)(to - from)};
    memcpy(at, &run, sizeof run);
    memcpy(at + sizeof run, page + from, to - from);
    return at + sizeof run + (to - from);
}

static uint64_t word(const unsigned char *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Written so that the compiler makes it a few vector instructions. */
static bool line_differs(const unsigned char *a, const unsigned char *b) {
    uint64_t different = 0;
    for (size_t i = 0; i < FL_CACHE_LINE; i += 8) {
        different |= word(a + i) ^ word(b + i);
    }
    return different != 0;
}

/* The first byte at or after `at` for which it holds that the two differ, or are the same. */
static size_t seek(const unsigned char *page, const unsigned char *twin, size_t at, bool differ) {
    while (at < FL_MAP_PAGE) {
        if (differ && at % FL_CACHE_LINE == 0 && !line_differs(page + at, twin + at)) {
            at += FL_CACHE_LINE;
        } else if ((page[at] != twin[at]) == differ) {
            return at;
        } else {
            at++;
        }
    }
    return at;
}

size_t fl_diff_make(unsigned char *diff, const unsigned char *page, const unsigned char *twin) {
    unsigned char *end = diff;
    for (size_t at = seek(page, twin, 0, true); at < FL_MAP_PAGE;) {
        size_t same = seek(page, twin, at, false);
        end = append(end, page, at, same);
        at = seek(page, twin, same, true);
    }
    return (size_t)(end - diff);
}

bool fl_diff_apply(unsigned char *page, const unsigned char *diff, size_t bytes) {
    while (bytes > 0) {
        struct run run;
        if (bytes < sizeof run) {
            return false;
        }
        memcpy(&run, diff, sizeof run);
        if (run.length > bytes - sizeof run || run.offset + run.length > FL_MAP_PAGE) {
            return false;
        }
        memcpy(page + run.offset, diff + sizeof run, run.length);
        diff += sizeof run + run.length;
        bytes -= sizeof run + run.length;
    }
    return true;
}
