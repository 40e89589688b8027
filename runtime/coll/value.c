/* SPDX-License-Identifier: BSD-3-Clause */
/* See value.h. Values travel in cells and windows, as much at each step as they hold. */
#include "coll/value.h"

#include "coll/between.h"
#include "core/assert.h"
#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of a value that travel at one step: all members agree. */
struct piece {
    size_t at, bytes;
};

/* Begins the step of the next piece, of at most `most` bytes; false after the last. */
static bool next_piece_of(struct fl_coll_call *call, size_t bytes, size_t most,
                          struct piece *piece) {
    piece->at += piece->bytes;
    fl_assert(piece->at <= bytes && most > 0);
    if (piece->at == bytes) {
        return false;
    }
    piece->bytes = bytes - piece->at;
    if (piece->bytes > most) {
        piece->bytes = most;
    }
    fl_coll_step_with(call, piece->bytes);
    return true;
}

static bool next_piece(struct fl_coll_call *call, size_t bytes, struct piece *piece) {
    return next_piece_of(call, bytes, call->team->window_bytes, piece);
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

/* In as many rounds as members: in each, all send to the member at the same distance. */
void fl_coll_value_exchange(struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    unsigned members = call->team->members, me = fl_coll_me(call);
    for (unsigned distance = 0; distance < members; distance++) {
        unsigned to = (me + distance) % members, from = (me + members - distance) % members;
        const char *block = (const char *)src + to * bytes;
        for (struct piece piece = {0}; next_piece(call, bytes, &piece);) {
            leave(call, to, block, &piece);
            fl_coll_post_for(call, to, piece.bytes, to);
            get(call, me, (char *)dst + from * bytes, &piece);
        }
    }
}

/* ---- reductions: a binomial tree, whose root is the root. In each round members that still have a
 * part give it to those below them, piece by piece; the others only count the steps. ---- */

struct combining {
    const struct fl_coll_combiner *op;
    size_t bytes;        /* of a vector */
    size_t piece_bytes;  /* whole elements, unless one is larger than a window: */
    unsigned char *whole; /* then they are put together here before they are combined */
    unsigned char *sum;  /* of the values that the caller has so far */
};

static void give(struct fl_coll_call *call, const struct combining *c, unsigned to) {
    for (struct piece piece = {0}; next_piece_of(call, c->bytes, c->piece_bytes, &piece);) {
        leave(call, fl_coll_me(call), c->sum, &piece);
        fl_coll_post_for(call, fl_coll_me(call), piece.bytes, to);
    }
}

static void add_from(struct fl_coll_call *call, const struct combining *c, unsigned from) {
    for (struct piece piece = {0}; next_piece_of(call, c->bytes, c->piece_bytes, &piece);) {
        if (c->whole) {
            get(call, from, c->whole, &piece);
            continue;
        }
        fl_coll_take(call, from);
        c->op->combine(fl_coll_bytes_at(call, from, piece.bytes), c->sum + piece.at,
                       piece.bytes / c->op->size, c->op->context);
    }
    if (c->whole) {
        c->op->combine(c->whole, c->sum, c->bytes / c->op->size, c->op->context);
    }
}

static void only_count(struct fl_coll_call *call, const struct combining *c) {
    for (struct piece piece = {0}; next_piece_of(call, c->bytes, c->piece_bytes, &piece);) {
    }
}

static void *allocate(size_t bytes) {
    return FL_ALLOCATED(malloc(bytes), "a reduction of %zu bytes", bytes);
}

static void combine_to(struct fl_coll_call *call, const struct combining *c, unsigned root) {
    unsigned members = call->team->members;
    unsigned me = (fl_coll_me(call) + members - root) % members; /* counted from the root */
    for (unsigned distance = 1; distance < members; distance *= 2) {
        unsigned at = me % (2 * distance);
        if (at == distance) {
            give(call, c, (me - distance + root) % members);
        } else if (at == 0 && distance < members - me) {
            add_from(call, c, (me + distance + root) % members);
        } else {
            only_count(call, c);
        }
    }
}

void fl_coll_value_combine(struct fl_coll_call *call, void *dst, const void *src, size_t count,
                           const struct fl_coll_combiner *op, unsigned root) {
    size_t window = call->team->window_bytes;
    bool for_all = root == FL_COLL_EVERYBODY;
    bool gets = for_all || root == fl_coll_me(call);
    struct combining c = {.op = op, .bytes = count * op->size};
    if (c.bytes == 0) {
        return;
    }
    c.piece_bytes = op->size > window ? window : window - window % op->size;
    c.whole = op->size > window ? allocate(c.bytes) : NULL;
    c.sum = gets ? dst : allocate(c.bytes);
    if (c.sum != src) {
        memcpy(c.sum, src, c.bytes);
    }
    combine_to(call, &c, for_all ? 0 : root);
    free(c.whole);
    free(gets ? NULL : c.sum);
    if (for_all) {
        fl_coll_value_broadcast(call, dst, c.bytes, 0);
    }
}
