/* SPDX-License-Identifier: BSD-3-Clause */
/* See bytes.h. */
#include "dsm/bytes.h"

#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

void fl_bytes_add(struct fl_bytes *bytes, const void *more, size_t n) {
    if (bytes->room - bytes->n < n) {
        bytes->room = 2 * bytes->room + n + 256;
        bytes->at = FL_ALLOCATED(realloc(bytes->at, bytes->room), "messages about coherent memory");
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

void fl_bytes_add_number(struct fl_bytes *bytes, uint32_t number) {
    unsigned char text[FL_NUMBER_MOST];
    fl_bytes_add(bytes, text, (size_t)(fl_number_put(text, number) - text));
}

void fl_bytes_add_difference(struct fl_bytes *bytes, uint32_t number, uint32_t before) {
    uint32_t difference = number - before;
    /* The sign goes to bit 0. */
    fl_bytes_add_number(bytes, difference << 1 ^ (0 - (difference >> 31)));
}

void fl_bytes_add_piece(struct fl_bytes *bytes, const void *piece, size_t n) {
    fl_bytes_add_number(bytes, (uint32_t)n);
    fl_bytes_add(bytes, piece, n);
}
