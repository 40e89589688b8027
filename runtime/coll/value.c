/* SPDX-License-Identifier: BSD-3-Clause */
/* See value.h. Values travel in cells and windows, as much at each step as they hold. */
#include "coll/value.h"

#include "coll/between.h"

#include <string.h>

/* The bytes of a value that travel at one step: all members agree. */
struct piece {
    size_t at, bytes;
};

/* Begins the step of the next piece; false after the last. */
static bool next_piece(struct fl_coll_call *call, size_t bytes, struct piece *piece) {
    piece->at += piece->bytes;
    if (piece->at == bytes) {
        return false;
    }
    piece->bytes = bytes - piece->at;
    if (piece->bytes > call->team->window_bytes) {
        piece->bytes = call->team->window_bytes;
    }
    fl_coll_step_with(call, piece->bytes);
    return true;
}

static void leave(const struct fl_coll_call *call, unsigned rank, const void *from,
                  const struct piece *piece) {
    memcpy(fl_coll_bytes_at(call, rank, piece->bytes), (const char *)from + piece->at,
           piece->bytes);
}

static void get(const struct fl_coll_call *call, unsigned rank, void *to,
                const struct piece *piece) {
    fl_coll_take(call, rank);
    memcpy((char *)to + piece->at, fl_coll_bytes_at(call, rank, piece->bytes), piece->bytes);
}

void fl_coll_value_broadcast(struct fl_coll_call *call, void *value, size_t bytes, unsigned root) {
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        if (fl_coll_me(call) == root) {
            leave(call, root, value, &piece);
            fl_coll_post_for_all(call, piece.bytes);
        } else {
            get(call, root, value, &piece);
        }
    }
}

void fl_coll_value_scatter(struct fl_coll_call *call, void *value, const void *src, size_t bytes,
                           unsigned root) {
    unsigned me = fl_coll_me(call), members = me == root ? call->team->members : 0;
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        for (unsigned to = 0; to < members; to++) {
            leave(call, to, (const char *)src + to * bytes, &piece);
            if (fl_coll_is_here(call->team, to)) {
                fl_coll_post(call, fl_coll_cell(call, to));
            }
        }
        if (me == root) {
            fl_coll_post_each(call, piece.bytes);
        }
        get(call, me, value, &piece);
    }
}

void fl_coll_value_gather(struct fl_coll_call *call, void *dst, const void *value, size_t bytes,
                          unsigned root) {
    unsigned me = fl_coll_me(call);
    bool gets = dst && (root == FL_COLL_EVERYBODY || root == me);
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        leave(call, me, value, &piece);
        fl_coll_post_together(call, piece.bytes, 0, root);
        for (unsigned from = 0; gets && from < call->team->members; from++) {
            get(call, from, (char *)dst + from * bytes, &piece);
        }
    }
}

void fl_coll_value_permute(struct fl_coll_call *call, void *value, size_t bytes, unsigned to) {
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        leave(call, to, value, &piece);
        fl_coll_post_for(call, to, piece.bytes, to);
        get(call, fl_coll_me(call), value, &piece);
    }
}
