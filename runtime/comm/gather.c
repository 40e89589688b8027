/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many small transfers in few messages. Small puts to a process are gathered until the next message
 * to it, or until somebody polls, waits, or has filled the batch: so they keep their place in the
 * order of what is sent there. Gets are gathered within one call.
 */
#include "comm/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 8 << 10,       /* bytes of one message of puts */
    LARGE_PUT = 1 << 10,   /* goes alone */
    LARGE_GET = 4 << 10,
    PLACES = 512,          /* of one message of gets */
    GATHERED = 32 << 10    /* bytes that it asks for */
};

/* Precedes the bytes of each put, which are followed by what makes them a multiple of 8; a message
 * of gets is a list of these. */
struct entry {
    uint64_t address, bytes;
};

struct fl_comm_batch {
    struct fl_comm_batch *next; /* that also holds some */
    struct fl_comm_request *request;
    unsigned proc;
    uint32_t bytes;
    _Alignas(8) unsigned char room[BATCH];
};

uint64_t fl_comm_batch_bytes(void) {
    return sizeof(struct fl_comm_batch);
}

/* ---- puts ---- */

static void flush(struct fl_comm_batch *batch) {
    struct fl_comm_message m = {.kind = FL_COMM_KIND_PUTS,
                                .cookie = fl_comm_cookie(batch->request)};
    uint32_t bytes = batch->bytes;
    batch->bytes = 0;
    fl_comm_send(batch->proc, &m, batch->room, bytes, false);
}

void fl_comm_flush_batch(struct fl_comm_batch *batch) {
    struct fl_comm_batch **link = &fl_comm_state.batched;
    while (*link != batch) {
        link = &(*link)->next;
    }
    *link = batch->next;
    fl_comm_state.peers[batch->proc].batch = NULL;
    flush(batch);
    batch->next = fl_comm_state.spare;
    fl_comm_state.spare = batch;
}

void fl_comm_flush_batches(void) {
    while (fl_comm_state.batched) {
        fl_comm_flush_batch(fl_comm_state.batched);
    }
}

static struct fl_comm_batch *new_batch(unsigned proc, struct fl_comm_op *op) {
    struct fl_comm_batch *batch = fl_comm_state.spare;
    if (batch) {
        fl_comm_state.spare = batch->next;
    } else if (!(batch = malloc(sizeof *batch))) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for writes to other hosts");
    }
    batch->proc = proc;
    batch->bytes = 0;
    batch->request = fl_comm_request_new(proc, FL_COMM_KIND_PUT, fl_comm_cost(BATCH), op);
    batch->next = fl_comm_state.batched;
    fl_comm_state.batched = batch;
    fl_comm_state.peers[proc].batch = batch;
    fl_comm_wake_progress();
    return batch;
}

static void append(struct fl_comm_batch *batch, uint64_t to, const void *from, size_t bytes) {
    struct entry entry = {to, bytes};
    memcpy(batch->room + batch->bytes, &entry, sizeof entry);
    memcpy(batch->room + batch->bytes + sizeof entry, from, bytes);
    batch->bytes += (uint32_t)(sizeof entry + fl_round_up(bytes, 8));
}

void fl_comm_put_gathered(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op) {
    unsigned proc = fl_comm_proc_of(to);
    fl_comm_enter_with_room(proc, fl_comm_cost(BATCH));
    struct fl_comm_batch *batch = fl_comm_state.peers[proc].batch;
    if (batch && (batch->request->op != op ||
                  batch->bytes + sizeof(struct entry) + fl_round_up(bytes, 8) > BATCH)) {
        fl_comm_flush_batch(batch);
        batch = NULL;
    }
    append(batch ? batch : new_batch(proc, op), to, from, bytes);
    fl_comm_leave();
}

void fl_comm_serve_puts(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    const char *next = payload;
    while (bytes >= sizeof(struct entry)) {
        struct entry entry;
        memcpy(&entry, next, sizeof entry);
        next += sizeof entry;
        bytes -= sizeof entry;
        if (entry.bytes > bytes) {
            fl_comm_bad(m, "its list of writes ends too early");
        }
        memcpy(fl_comm_checked(m, entry.address, entry.bytes), next, entry.bytes);
        uint64_t step = fl_round_up(entry.bytes, 8);
        next += step;
        bytes -= step < bytes ? step : bytes;
    }
    fl_comm_send_ended(m);
}

void fl_comm_put_pieces_nb(const struct fl_comm_piece *pieces, size_t n, struct fl_comm_op *op) {
    for (size_t i = 0; i < n; i++) {
        const struct fl_comm_piece *piece = &pieces[i];
        if (piece->bytes > LARGE_PUT || piece->bytes == 0 || fl_comm_is_here(piece->address)) {
            fl_comm_put_nb(piece->address, piece->memory, piece->bytes, op);
        } else {
            fl_read_cache_write(piece->address, NULL, piece->bytes);
            fl_comm_put_gathered(piece->address, piece->memory, piece->bytes, op);
        }
    }
    fl_comm_enter();
    fl_comm_flush_batches();
    fl_comm_leave();
}

void fl_comm_put_relaxed(uint64_t to, const void *from, size_t bytes) {
    if (bytes > FL_COMM_COPIED) {
        fl_comm_put(to, from, bytes);
    } else if (FL_LIKELY(fl_comm_is_here(to))) {
        memcpy((void *)(uintptr_t)to, from, bytes);
    } else if (bytes > 0) {
        fl_read_cache_write(to, from, bytes);
        fl_comm_put_gathered(to, from, bytes, fl_comm_relaxed());
    }
}

/* ---- gets ---- */

/* Where the answer's bytes go. */
struct places {
    size_t n;
    struct {
        void *memory;
        size_t bytes;
    } at[];
};

static size_t sum(const struct fl_comm_piece *pieces, size_t n) {
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        bytes += pieces[i].bytes;
    }
    return bytes;
}

static void ask(unsigned proc, const struct fl_comm_piece *pieces, size_t n,
                struct fl_comm_op *op) {
    struct places *places = malloc(sizeof *places + n * sizeof *places->at);
    struct entry list[PLACES];
    size_t bytes = sum(pieces, n);
    if (!places) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for reads from other hosts");
    }
    places->n = n;
    for (size_t i = 0; i < n; i++) {
        list[i] = (struct entry){pieces[i].address, pieces[i].bytes};
        places->at[i].memory = pieces[i].memory;
        places->at[i].bytes = pieces[i].bytes;
    }
    uint32_t charge = fl_comm_cost(bytes + n * sizeof *list);
    fl_comm_enter_with_room(proc, charge);
    struct fl_comm_request *request = fl_comm_request_new(proc, FL_COMM_KIND_GETS, charge, op);
    request->to = places;
    request->bytes = request->all = bytes;
    struct fl_comm_message m = {.kind = FL_COMM_KIND_GETS, .cookie = fl_comm_cookie(request)};
    fl_comm_send(proc, &m, list, n * sizeof *list, false);
    fl_comm_leave();
}

/* How many of the pieces, of which the first is away and small, are of one process and go into one
 * message. */
static size_t count_together(const struct fl_comm_piece *pieces, size_t n, unsigned proc) {
    size_t most = fl_comm_state.payload_most < GATHERED ? fl_comm_state.payload_most : GATHERED;
    size_t bytes = 0;
    size_t i = 0;
    for (; i < n && i < PLACES; i++) {
        bytes += pieces[i].bytes;
        if (bytes > most || pieces[i].bytes > LARGE_GET || pieces[i].bytes == 0 ||
            fl_comm_is_here(pieces[i].address) || fl_comm_proc_of(pieces[i].address) != proc) {
            break;
        }
    }
    return i;
}

void fl_comm_get_pieces_nb(const struct fl_comm_piece *pieces, size_t n, struct fl_comm_op *op) {
    for (size_t i = 0; i < n;) {
        const struct fl_comm_piece *piece = &pieces[i];
        bool alone = piece->bytes == 0 || fl_comm_is_here(piece->address);
        unsigned proc = alone ? 0 : fl_comm_proc_of(piece->address);
        size_t together = alone ? 0 : count_together(piece, n - i, proc);
        if (together > 1) {
            ask(proc, piece, together, op);
            i += together;
        } else {
            fl_comm_get_nb(piece->memory, piece->address, piece->bytes, op);
            i++;
        }
    }
}

void fl_comm_get_pieces_relaxed(const struct fl_comm_piece *pieces, unsigned n) {
    bool fits = fl_read_cache != NULL;
    for (unsigned i = 0; i < n; i++) {
        fits = fits && pieces[i].bytes <= FL_READ_CACHED && !fl_comm_is_here(pieces[i].address);
    }
    if (fits) {
        fl_read_cache_get(pieces, n);
        return;
    }
    struct fl_comm_op op = {0};
    fl_comm_get_pieces_nb(pieces, n, &op);
    fl_comm_wait(&op);
}

void fl_comm_serve_gets(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    unsigned char all[GATHERED];
    size_t filled = 0;
    for (size_t at = 0; at + sizeof(struct entry) <= bytes; at += sizeof(struct entry)) {
        struct entry entry;
        memcpy(&entry, (const char *)payload + at, sizeof entry);
        const void *from = fl_comm_checked(m, entry.address, entry.bytes);
        if (entry.bytes > GATHERED - filled) {
            fl_comm_bad(m, "it asks for too much at once");
        }
        memcpy(all + filled, from, entry.bytes);
        filled += entry.bytes;
    }
    struct fl_comm_message data = {.kind = FL_COMM_KIND_PIECES, .cookie = m->cookie};
    fl_comm_send(m->from, &data, all, filled, false);
}

void fl_comm_serve_pieces(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct fl_comm_request *request = fl_comm_request_of(m, FL_COMM_KIND_GETS);
    struct places *places = request->to;
    if (bytes != request->all) {
        fl_comm_bad(m, "it has other bytes than were asked for");
    }
    const char *next = payload;
    for (size_t i = 0; i < places->n; i++) {
        memcpy(places->at[i].memory, next, places->at[i].bytes);
        next += places->at[i].bytes;
    }
    free(places);
    fl_comm_request_end(request);
}
