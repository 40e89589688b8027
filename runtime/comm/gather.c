/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers: elements of one size from any process. A message to each process has the list of
 * addresses, and its answer the elements in that order.
 */
#include "comm/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 2048,          /* elements that are sorted by process at a time */
    GATHERED = 32 << 10,   /* bytes of an answer, at most */
    PREFETCHED = 8         /* elements ahead */
};

/* Where an answer's elements go. */
struct elements {
    char *to;
    size_t bytes;
    size_t n;
    uint16_t at[];
};
_Static_assert(CHUNK <= UINT16_MAX, "an element's number fits");

static void *allocate(size_t bytes) {
    return FL_ALLOCATED(malloc(bytes), "reads from other hosts");
}

/* A chunk, and its elements by process: a list for each. */
struct chunk {
    char *to;
    const uint64_t *from;
    size_t bytes;
    uint32_t n_procs;
    uint16_t next[CHUNK]; /* + 1; 0: the last */
    struct {
        uint16_t first, last, n; /* the first two + 1 */
    } of[];
};

static void ask(const struct chunk *chunk, unsigned proc, uint16_t *first, size_t n,
                struct fl_comm_op *op) {
    struct elements *elements = allocate(sizeof *elements + n * sizeof *elements->at);
    uint64_t list[CHUNK];
    uint16_t i = *first;
    elements->to = chunk->to;
    elements->bytes = chunk->bytes;
    elements->n = n;
    for (size_t k = 0; k < n; k++, i = chunk->next[i - 1]) {
        fl_assert(i > 0 && i <= CHUNK);
        elements->at[k] = (uint16_t)(i - 1);
        list[k] = chunk->from[i - 1];
    }
    *first = i;
    uint32_t charge = fl_comm_cost(n * (chunk->bytes + sizeof *list));
    fl_comm_enter_in_order(proc, charge);
    struct fl_comm_request *request = fl_comm_request_new(proc, FL_COMM_KIND_GATHER, charge, op);
    request->to = elements;
    struct fl_comm_message m = {.kind = FL_COMM_KIND_GATHER,
                                .n_words = 1,
                                .cookie = fl_comm_cookie(request),
                                .words = {chunk->bytes}};
    fl_comm_send(proc, &m, list, n * sizeof *list, false);
    fl_comm_leave();
}

static void ask_all(struct chunk *chunk, unsigned proc, struct fl_comm_op *op) {
    size_t most = GATHERED / chunk->bytes;
    size_t payload_most = fl_comm_state.payload_most / sizeof(uint64_t);
    most = most < payload_most ? most : payload_most;
    uint16_t first = chunk->of[proc].first;
    for (size_t left = chunk->of[proc].n; left > 0;) {
        size_t n = left < most ? left : most;
        ask(chunk, proc, &first, n, op);
        left -= n;
    }
}

static void sort(struct chunk *chunk, size_t n) {
    memset(chunk->of, 0, chunk->n_procs * sizeof *chunk->of);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = chunk->from[i];
        if (fl_comm_is_here(from)) {
            fl_comm_copy_small(chunk->to + i * chunk->bytes, (const void *)(uintptr_t)from,
                         chunk->bytes);
            continue;
        }
        unsigned proc = fl_comm_find_proc(from);
        uint16_t number = (uint16_t)(i + 1);
        chunk->next[i] = 0;
        if (chunk->of[proc].n++ == 0) {
            chunk->of[proc].first = number;
        } else {
            chunk->next[chunk->of[proc].last - 1] = number;
        }
        chunk->of[proc].last = number;
        fl_assert(proc < chunk->n_procs && chunk->of[proc].n <= number);
    }
}

void fl_comm_gather_nb(void *to, const uint64_t *from, size_t n, size_t bytes,
                       struct fl_comm_op *op) {
    uint32_t procs = fl_comm_state.procs;
    struct chunk *chunk = allocate(sizeof *chunk + procs * sizeof *chunk->of);
    chunk->bytes = bytes;
    chunk->n_procs = procs;
    for (size_t done = 0, now; done < n; done += now) {
        now = n - done < CHUNK ? n - done : CHUNK;
        chunk->to = (char *)to + done * bytes;
        chunk->from = from + done;
        sort(chunk, now);
        for (unsigned proc = 0; proc < procs; proc++) {
            if (chunk->of[proc].n) {
                ask_all(chunk, proc, op);
            }
        }
    }
    free(chunk);
}

/* ---- at the target, and back ---- */

static uint64_t address_at(const char *list, size_t i) {
    uint64_t address;
    memcpy(&address, list + i * sizeof address, sizeof address);
    return address;
}

void fl_comm_serve_gather(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    unsigned char all[GATHERED];
    size_t each = m->words[0], n = bytes / sizeof(uint64_t);
    if (each == 0 || each > FL_COMM_ELEMENT || n > GATHERED / each) {
        fl_comm_bad(m, "it asks for too much at once");
    }
    for (size_t i = 0; i < n; i++) {
        size_t ahead = i + PREFETCHED < n ? i + PREFETCHED : i;
        __builtin_prefetch((const void *)(uintptr_t)address_at(payload, ahead));
        fl_comm_copy_small(all + i * each, fl_comm_checked(m, address_at(payload, i), each), each);
    }
    struct fl_comm_message answer = {.kind = FL_COMM_KIND_ELEMENTS, .cookie = m->cookie};
    fl_comm_send(m->from, &answer, all, n * each, false);
}

void fl_comm_serve_elements(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct fl_comm_request *request = fl_comm_request_of(m, FL_COMM_KIND_GATHER);
    struct elements *elements = request->to;
    if (bytes != elements->n * elements->bytes) {
        fl_comm_bad(m, "it has other bytes than were asked for");
    }
    for (size_t i = 0; i < elements->n; i++) {
        fl_comm_copy_small(elements->to + elements->at[i] * elements->bytes,
                     (const char *)payload + i * elements->bytes, elements->bytes);
    }
    free(elements);
    fl_comm_request_end(request);
}
