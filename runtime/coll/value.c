/* SPDX-License-Identifier: BSD-3-Clause */
/* See value.h. Values travel in cells and windows, as much at each step as they hold. */
#include "coll/value.h"

#include "coll/share.h"

/* The bytes of a value that travel at one step: all members agree. */
struct piece {
    size_t at, bytes;
};

/* Begins the step of the next piece; false after the last. */
static bool next_piece(struct fl_coll_call *call, size_t bytes, struct piece *piece) {
    size_t most = fl_coll_share_most(call);
    piece->at += piece->bytes;
    if (piece->at == bytes) {
        return false;
    }
    piece->bytes = bytes - piece->at < most ? bytes - piece->at : most;
    fl_coll_step_with(call, piece->bytes);
    return true;
}

static void leave(const struct fl_coll_call *call, unsigned rank, const void *from,
                  const struct piece *piece) {
    struct fl_coll_cell *cell = fl_coll_open(call, rank);
    memcpy(fl_coll_bytes_at(call, rank, piece->bytes), (const char *)from + piece->at,
           piece->bytes);
    fl_coll_leave(call, cell);
}

static void get(const struct fl_coll_call *call, unsigned rank, void *to,
                const struct piece *piece) {
    fl_coll_get(call, rank);
    memcpy((char *)to + piece->at, fl_coll_bytes_at(call, rank, piece->bytes), piece->bytes);
}

void fl_coll_value_broadcast(struct fl_coll_call *call, void *value, size_t bytes, unsigned root) {
    bool mine = fl_coll_me(call) == root;
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        if (mine) {
            leave(call, root, value, &piece);
        }
        fl_coll_pass(call, !mine);
        if (!mine) {
            get(call, root, value, &piece);
        }
    }
}

void fl_coll_value_scatter(struct fl_coll_call *call, void *value, const void *src, size_t bytes,
                           unsigned root) {
    unsigned me = fl_coll_me(call);
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        for (unsigned to = 0; me == root && to < call->team->members; to++) {
            leave(call, to, (const char *)src + to * bytes, &piece);
        }
        fl_coll_pass(call, true);
        get(call, me, value, &piece);
    }
}

void fl_coll_value_gather(struct fl_coll_call *call, void *dst, const void *value, size_t bytes) {
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        leave(call, fl_coll_me(call), value, &piece);
        fl_coll_pass(call, dst != NULL);
        for (unsigned from = 0; dst && from < call->team->members; from++) {
            get(call, from, (char *)dst + from * bytes, &piece);
        }
    }
}

void fl_coll_value_permute(struct fl_coll_call *call, void *value, size_t bytes, unsigned to) {
    for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
        leave(call, to, value, &piece);
        fl_coll_pass(call, true);
        get(call, fl_coll_me(call), value, &piece);
    }
}
