/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A growing buffer of bytes to be sent, and a cursor over received ones. Numbers travel in groups
 * of seven bits, the lowest first; bit 7 says that another follows (LEB128).
 */
#ifndef FL_DSM_BYTES_H
#define FL_DSM_BYTES_H

#include "core/status.h"

#include <stddef.h>

struct fl_bytes {
    unsigned char *at;
    size_t n, room;
};

void fl_bytes_add(struct fl_bytes *bytes, const void *more, size_t n);
void fl_bytes_release(struct fl_bytes *bytes);

enum { FL_NUMBER_MOST = 5 }; /* bytes of one */

/* Returns where it ends. */
static inline unsigned char *fl_number_put(unsigned char *at, uint32_t number) {
    for (; number >= 128; number >>= 7) {
        *at++ = (unsigned char)(number | 128);
    }
    *at++ = (unsigned char)number;
    return at;
}

void fl_bytes_add_number(struct fl_bytes *bytes, uint32_t number);
/* Adds number - before: one byte if the two are near each other. */
void fl_bytes_add_difference(struct fl_bytes *bytes, uint32_t number, uint32_t before);
/* Adds the length, and the piece. */
void fl_bytes_add_piece(struct fl_bytes *bytes, const void *piece, size_t n);

/* The rest of a received message, as it is read. */
struct fl_text {
    const unsigned char *at, *end;
};

static inline struct fl_text fl_text(const void *at, size_t n) {
    return (struct fl_text){at, (const unsigned char *)at + n};
}

static inline size_t fl_text_left(const struct fl_text *text) {
    return (size_t)(text->end - text->at);
}

/* Each takes one off the front; false: there is none. */
static inline bool fl_text_number(struct fl_text *text, uint32_t *number) {
    *number = 0;
    for (unsigned shift = 0; text->at < text->end && shift < 32; shift += 7) {
        unsigned char piece = *text->at++;
        *number |= (uint32_t)(piece & 127) << shift;
        if (!(piece & 128)) {
            return true;
        }
    }
    return false;
}

/* *number: on entry the number before. */
static inline bool fl_text_difference(struct fl_text *text, uint32_t *number) {
    uint32_t folded;
    if (!fl_text_number(text, &folded)) {
        return false;
    }
    *number += folded >> 1 ^ (0 - (folded & 1));
    return true;
}

static inline bool fl_text_piece(struct fl_text *text, struct fl_text *piece) {
    uint32_t n;
    if (!fl_text_number(text, &n) || n > fl_text_left(text)) {
        return false;
    }
    *piece = fl_text(text->at, n);
    text->at += n;
    return true;
}

#endif
