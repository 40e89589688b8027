/* SPDX-License-Identifier: BSD-3-Clause */
/* See diff.h. */
#include "dsm/diff.h"

#include "dsm/bytes.h"

#include <string.h>

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

static bool has_zero_byte(uint64_t x) {
    const uint64_t ones = UINT64_MAX / 255;
    return ((x - ones) & ~x & (ones << 7)) != 0;
}

/* The first byte at or after `at` in which the two differ. */
static size_t seek_other(const unsigned char *page, const unsigned char *twin, size_t at) {
    while (at < FL_MAP_PAGE) {
        if (at % FL_CACHE_LINE == 0 && !line_differs(page + at, twin + at)) {
            at += FL_CACHE_LINE;
        } else if (page[at] != twin[at]) {
            return at;
        } else {
            at++;
        }
    }
    return at;
}

/* The first byte at or after `at` in which they do not. */
static size_t seek_same(const unsigned char *page, const unsigned char *twin, size_t at) {
    while (at + 8 <= FL_MAP_PAGE && !has_zero_byte(word(page + at) ^ word(twin + at))) {
        at += 8;
    }
    while (at < FL_MAP_PAGE && page[at] != twin[at]) {
        at++;
    }
    return at;
}

size_t fl_diff_make(unsigned char *diff, const unsigned char *page, const unsigned char *twin,
                    bool join) {
    enum { GAP_MOST = 3 }; /* bytes that another run would cost */
    unsigned char *end = diff;
    for (size_t at = seek_other(page, twin, 0); at < FL_MAP_PAGE;) {
        size_t same, next = at;
        do {
            same = seek_same(page, twin, next);
            next = seek_other(page, twin, same);
        } while (join && next < FL_MAP_PAGE && next - same <= GAP_MOST);
        end = fl_number_put(end, (uint32_t)at);
        end = fl_number_put(end, (uint32_t)(same - at));
        memcpy(end, page + at, same - at);
        end += same - at;
        at = next;
    }
    return (size_t)(end - diff);
}

bool fl_diff_apply(unsigned char *page, const unsigned char *diff, size_t bytes) {
    struct fl_text text = fl_text(diff, bytes);
    while (fl_text_left(&text) > 0) {
        uint32_t offset;
        struct fl_text run;
        if (!fl_text_number(&text, &offset) || !fl_text_piece(&text, &run) ||
            offset + fl_text_left(&run) > FL_MAP_PAGE) {
            return false;
        }
        memcpy(page + offset, run.at, fl_text_left(&run));
    }
    return true;
}
