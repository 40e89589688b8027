/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of small transfers: gets to a process share a message, as puts do by aggregation. */
#include "comm/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    LARGE_GET = 4 << 10,
    PLACES = 512,          /* of one message of gets */
    ONE_BY_ONE = 16,       /* pieces that may be one-sided gets */
    GATHERED = 32 << 10    /* bytes that it asks for */
};

/* A message of gets is a list of these. */
struct entry {
    uint64_t address, bytes;
};

void fl_comm_put_pieces_nb(const struct fl_comm_piece *pieces, size_t n, struct fl_comm_op *op) {
    for (size_t i = 0; i < n; i++) {
        fl_comm_put_soon_nb(pieces[i].address, pieces[i].memory, pieces[i].bytes, op);
    }
    fl_comm_flush_own();
}

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
    fl_comm_enter_in_order(proc, charge);
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

/* How many of the pieces, all of one process, are read without its CPU. Long lists are faster in one
 * message. */
static size_t begin_one_sided(const struct fl_comm_piece *pieces, size_t n,
                              struct fl_comm_op *op) {
    size_t i = 0;
    while (i < n && n <= ONE_BY_ONE &&
           fl_comm_try_one_sided(&(struct fl_comm_transfer){.address = pieces[i].address,
                                                            .to = pieces[i].memory,
                                                            .bytes = pieces[i].bytes,
                                                            .op = op}) == pieces[i].bytes) {
        i++;
    }
    return i;
}

void fl_comm_get_pieces_nb(const struct fl_comm_piece *pieces, size_t n, struct fl_comm_op *op) {
    for (size_t i = 0; i < n;) {
        const struct fl_comm_piece *piece = &pieces[i];
        bool alone = piece->bytes == 0 || fl_comm_is_here(piece->address);
        unsigned proc = alone ? 0 : fl_comm_proc_of(piece->address);
        size_t together = alone ? 0 : count_together(piece, n - i, proc);
        size_t begun = together > 1 ? begin_one_sided(piece, together, op) : 0;
        if (begun > 0) {
            i += begun;
        } else if (together > 1) {
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

/* Copies memory that its owner may be writing: a read cache that fetches ahead by a stride of many
 * kilobytes may ask for memory of threads whose data its own thread does not read. It drops that
 * unread at the thread's next synchronisation. */
#if defined(__SANITIZE_THREAD__)
__attribute__((no_sanitize_thread)) static void copy_unordered(void *to, const void *from, size_t n) {
    volatile char *out = to;
    for (const volatile char *in = from, *end = in + n; in < end; in++) {
        *out++ = *in;
    }
}
#else
static void copy_unordered(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
}
#endif

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
        copy_unordered(all + filled, from, entry.bytes);
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
    fl_assert(next == (const char *)payload + bytes);
    free(places);
    fl_comm_request_end(request);
}
