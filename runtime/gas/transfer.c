/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided transfers: contiguous, and of many pieces: vector, indexed and strided. */
#include "gas/inside.h"

#include <string.h>

static uint64_t number(const void *address) {
    return (uint64_t)(uintptr_t)address;
}

gas_event_t gas_put_nb(void *to, const void *from, size_t bytes, gas_event_t *local) {
    gas_event_t event = GAS_EVENT_DONE;
    gas_event_t left = GAS_EVENT_DONE; /* the local event */
    if (gas_is_here(to)) {
        memcpy(to, from, bytes);
    } else {
        struct gas_event *put = gas_event_new();
        fl_comm_put_nb(number(to), from, bytes, &put->op);
        if (bytes > FL_COMM_COPIED && local == GAS_EVENT_NOW) {
            fl_comm_wait(&put->op);
        } else if (bytes > FL_COMM_COPIED && local != GAS_EVENT_DEFER) {
            left = gas_event_local(put);
        }
        event = gas_event_started(put);
    }
    if (local != GAS_EVENT_NOW && local != GAS_EVENT_DEFER) {
        *local = left;
    }
    return event;
}

void fl_gas_put_nbi(void *to, const void *from, size_t bytes) {
    fl_comm_put_soon_nb(number(to), from, bytes, gas_nbi_op(GAS_NBI_PUT));
}

void fl_gas_get_nbi(void *to, const void *from, size_t bytes) {
    fl_comm_get_nb(to, number(from), bytes, gas_nbi_op(GAS_NBI_GET));
}

gas_event_t gas_get_nb(void *to, const void *from, size_t bytes) {
    if (gas_is_here(from)) {
        memcpy(to, from, bytes);
        return GAS_EVENT_DONE;
    }
    struct gas_event *get = gas_event_new();
    fl_comm_get_nb(to, number(from), bytes, &get->op);
    return gas_event_started(get);
}

/* ---- many pieces: two lists walked together, each move ends where either piece ends ---- */

enum { BATCH = 64 }; /* pieces in one call of comm */

struct walk {
    const struct gas_piece *pieces; /* the list; null: `addresses` is the list */
    void *const *addresses;
    size_t each;                    /* bytes at each address */
    size_t n;                       /* remaining pieces */
    char *at;                       /* position in the current piece, .. */
    size_t left;                    /* .. of which so many bytes remain */
};

static bool next_piece(struct walk *walk) {
    while (walk->left == 0) {
        if (walk->n == 0) {
            return false;
        }
        walk->n--;
        if (walk->pieces) {
            walk->at = walk->pieces->address;
            walk->left = walk->pieces->bytes;
            walk->pieces++;
        } else {
            walk->at = *walk->addresses++;
            walk->left = walk->each;
        }
    }
    return true;
}

struct batch {
    bool is_put;
    size_t n;
    struct gas_event *event; /* null: no piece has gone to another host */
    struct fl_comm_piece pieces[BATCH];
};

static void flush(struct batch *batch) {
    if (batch->n == 0) {
        return;
    }
    batch->event = batch->event ? batch->event : gas_event_new();
    if (batch->is_put) {
        fl_comm_put_pieces_nb(batch->pieces, batch->n, &batch->event->op);
    } else {
        fl_comm_get_pieces_nb(batch->pieces, batch->n, &batch->event->op);
    }
    batch->n = 0;
}

static void move(struct batch *batch, char *to, char *from, size_t bytes) {
    void *shared = batch->is_put ? to : from;
    if (gas_is_here(shared)) {
        memcpy(to, from, bytes);
        return;
    }
    if (batch->n == BATCH) {
        flush(batch);
    }
    batch->pieces[batch->n++] =
        (struct fl_comm_piece){number(shared), batch->is_put ? from : to, bytes};
}

static gas_event_t finish(struct batch *batch) {
    flush(batch);
    return batch->event ? gas_event_started(batch->event) : GAS_EVENT_DONE;
}

static gas_event_t move_pieces(bool is_put, struct walk to, struct walk from) {
    struct batch batch = {.is_put = is_put};
    while (next_piece(&to)) {
        if (!next_piece(&from)) {
            gas_misuse("a transfer of pieces: more bytes are to be written than read");
        }
        size_t bytes = to.left < from.left ? to.left : from.left;
        move(&batch, to.at, from.at, bytes);
        to.at += bytes;
        from.at += bytes;
        to.left -= bytes;
        from.left -= bytes;
    }
    if (next_piece(&from)) {
        gas_misuse("a transfer of pieces: fewer bytes are to be written than read");
    }
    return finish(&batch);
}

gas_event_t gas_put_vector_nb(const struct gas_piece *to, size_t n_to,
                              const struct gas_piece *from, size_t n_from) {
    return move_pieces(true, (struct walk){.pieces = to, .n = n_to},
                       (struct walk){.pieces = from, .n = n_from});
}

gas_event_t gas_get_vector_nb(const struct gas_piece *to, size_t n_to,
                              const struct gas_piece *from, size_t n_from) {
    return move_pieces(false, (struct walk){.pieces = to, .n = n_to},
                       (struct walk){.pieces = from, .n = n_from});
}

static struct walk indexed(const void *addresses, size_t n, size_t bytes) {
    return (struct walk){.addresses = (void *const *)addresses, .n = n, .each = bytes};
}

gas_event_t gas_put_indexed_nb(void *const *to, size_t n_to, size_t to_bytes,
                               const void *const *from, size_t n_from, size_t from_bytes) {
    return move_pieces(true, indexed(to, n_to, to_bytes), indexed(from, n_from, from_bytes));
}

gas_event_t gas_get_indexed_nb(void *const *to, size_t n_to, size_t to_bytes,
                               const void *const *from, size_t n_from, size_t from_bytes) {
    return move_pieces(false, indexed(to, n_to, to_bytes), indexed(from, n_from, from_bytes));
}

/* Recurses over `levels` dimensions, the outermost first; level 0 is one contiguous piece. */
static void move_box(struct batch *batch, char *to, const ptrdiff_t *to_strides, char *from,
                     const ptrdiff_t *from_strides, const size_t *count, unsigned levels) {
    if (levels == 0) {
        move(batch, to, from, count[0]);
        return;
    }
    for (size_t i = 0; i < count[levels]; i++) {
        move_box(batch, to, to_strides, from, from_strides, count, levels - 1);
        to += to_strides[levels - 1];
        from += from_strides[levels - 1];
    }
}

gas_event_t gas_put_strided_nb(void *to, const ptrdiff_t *to_strides, const void *from,
                               const ptrdiff_t *from_strides, const size_t *count,
                               unsigned levels) {
    struct batch batch = {.is_put = true};
    move_box(&batch, to, to_strides, (char *)(uintptr_t)from, from_strides, count, levels);
    return finish(&batch);
}

gas_event_t gas_get_strided_nb(void *to, const ptrdiff_t *to_strides, const void *from,
                               const ptrdiff_t *from_strides, const size_t *count,
                               unsigned levels) {
    struct batch batch = {.is_put = false};
    move_box(&batch, to, to_strides, (char *)(uintptr_t)from, from_strides, count, levels);
    return finish(&batch);
}
