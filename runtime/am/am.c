/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See am.h. A message's words are its arguments and, if it is long, its address. A piece begins
 * with room for the words that do not fit into the line, then comes the payload.
 */
#include "am/am.h"

#include "core/wait.h"

#include <string.h>

enum {
    ADDRESS_WORDS = 2,
    LONG = 0x80,     /* in n_words */
    SPILL_BYTES = 32 /* for up to 18 - 10 words; keeps the payload aligned */
};
_Static_assert(SPILL_BYTES >= (FL_AM_ARGS + ADDRESS_WORDS - FL_INBOX_WORDS) * sizeof(uint32_t),
               "all words have a place");

uint64_t fl_am_bytes(unsigned procs) {
    return procs * sizeof(struct fl_am_inboxes);
}

void fl_am_attach(struct fl_am *am, void *memory, unsigned procs, unsigned me) {
    memset(am, 0, sizeof *am);
    am->procs = procs;
    am->me = me;
    am->inboxes = memory;
}

void fl_am_register(struct fl_am *am, uint8_t handler, fl_am_handler *run, void *context) {
    am->handlers[handler].run = run;
    am->handlers[handler].context = context;
}

/* Of the piece, for `bytes` of payload. */
static uint64_t piece_bytes(unsigned n_words, uint64_t bytes) {
    return bytes || n_words > FL_INBOX_WORDS ? SPILL_BYTES + bytes : 0;
}

static void run(struct fl_am *am, uint8_t handler, const struct fl_am_message *message) {
    am->handlers[handler].run(am->handlers[handler].context, message);
}

static void deliver(struct fl_am *am, enum fl_am_kind kind, const struct fl_inbox_line *line) {
    unsigned n_words = line->n_words & ~(unsigned)LONG;
    unsigned char *piece = fl_inbox_piece(&am->inboxes[am->me].kind[kind], line);
    const uint32_t *words = line->words;
    uint32_t all[FL_AM_ARGS + ADDRESS_WORDS];
    if (FL_UNLIKELY(n_words > FL_INBOX_WORDS)) {
        memcpy(all, line->words, sizeof line->words);
        memcpy(&all[FL_INBOX_WORDS], piece, (n_words - FL_INBOX_WORDS) * sizeof *all);
        words = all;
    }
    struct fl_am_message message = {
        .am = am,
        .from = line->from,
        .kind = kind,
        .n_args = n_words,
        .args = words,
        .payload = piece + SPILL_BYTES,
        .bytes = line->bytes,
    };
    if (line->n_words & LONG) {
        message.n_args -= ADDRESS_WORDS;
        memcpy(&message.payload, &words[message.n_args], sizeof message.payload);
    }
    run(am, line->handler, &message);
}

/* A bound, so that whoever floods a process does not keep it from its own work. */
enum { AT_ONCE = 64 };

static unsigned read_inbox(struct fl_am *am, enum fl_am_kind kind) {
    struct fl_inbox *box = &am->inboxes[am->me].kind[kind];
    struct fl_inbox_reader *reader = &am->reading[kind].reader;
    if (!fl_inbox_peek(box, reader)) {
        return 0;
    }
    _Atomic bool *busy = &am->reading[kind].busy;
    /* [A1] pairs [A2]: the reader's place is what the thread that read last has left. */
    if (atomic_exchange_explicit(busy, true, memory_order_acquire)) {
        return 0;
    }
    unsigned count = 0;
    const struct fl_inbox_line *line;
    while (count < AT_ONCE && (line = fl_inbox_peek(box, reader))) {
        deliver(am, kind, line);
        fl_inbox_drop(box, reader, line);
        count++;
    }
    atomic_store_explicit(busy, false, memory_order_release); /* [A2] pairs [A1]. */
    return count;
}

unsigned fl_am_poll(struct fl_am *am) {
    return read_inbox(am, FL_AM_REPLY) + read_inbox(am, FL_AM_REQUEST);
}

/* Until the receiver has room. */
static FL_COLD void await_room(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                               struct fl_inbox_room *room) {
    fl_wait_begin("room for a message in another process's inbox", NULL, 0);
    fl_wait_note_time();
    do {
        unsigned read = kind == FL_AM_REQUEST ? fl_am_poll(am) : read_inbox(am, FL_AM_REPLY);
        if (read == 0) {
            fl_os_yield();
        }
    } while (fl_inbox_reserve(&am->inboxes[to].kind[kind], bytes, room) != FL_OK);
    fl_wait_end();
}

static void reserve(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                    struct fl_inbox_room *room) {
    if (FL_UNLIKELY(fl_inbox_reserve(&am->inboxes[to].kind[kind], bytes, room) != FL_OK)) {
        await_room(am, to, kind, bytes, room);
    }
}

static void fill_words(struct fl_inbox_room *room, const struct fl_am_send *send) {
    struct fl_inbox_line *line = room->line;
    unsigned n = send->n_args;
    if (FL_LIKELY(!send->address && n <= FL_INBOX_WORDS)) {
        for (unsigned i = 0; i < n; i++) {
            line->words[i] = send->args[i];
        }
        line->n_words = (uint8_t)n;
        return;
    }
    uint32_t all[FL_AM_ARGS + ADDRESS_WORDS];
    memcpy(all, send->args, n * sizeof *all);
    if (send->address) {
        memcpy(&all[n], &send->address, sizeof send->address);
        n += ADDRESS_WORDS;
    }
    unsigned in_line = n < FL_INBOX_WORDS ? n : FL_INBOX_WORDS;
    memcpy(line->words, all, in_line * sizeof *all);
    memcpy(room->piece, &all[in_line], (n - in_line) * sizeof *all);
    line->n_words = (uint8_t)(n | (send->address ? LONG : 0));
}

static FL_COLD void ring(struct fl_am_inboxes *inboxes) {
    /* [A3] pairs [A4]: whoever took the mark away has not rung yet when the sleeper counts, so its
     * count is old by now, or it is woken. */
    atomic_fetch_add_explicit(&inboxes->bell, 1, memory_order_release);
    fl_os_futex_wake(&inboxes->bell, INT32_MAX);
}

static void fill_and_publish(struct fl_am *am, unsigned to, struct fl_inbox_room *room,
                             const struct fl_am_send *send) {
    fill_words(room, send);
    room->line->from = (uint16_t)am->me;
    room->line->handler = send->handler;
    room->line->bytes = send->bytes;
    fl_inbox_publish(room);
    if (FL_UNLIKELY(room->marked)) {
        ring(&am->inboxes[to]);
    }
}

static void call_in_place(struct fl_am *am, enum fl_am_kind kind, const struct fl_am_send *send) {
    struct fl_am_message message = {
        .am = am,
        .from = am->me,
        .kind = kind,
        .n_args = send->n_args,
        .args = send->args,
        .payload = (void *)(uintptr_t)send->payload,
        .bytes = send->bytes,
    };
    if (send->address) {
        memmove(send->address, send->payload, send->bytes);
        message.payload = send->address;
    }
    run(am, send->handler, &message);
}

static void send_message(struct fl_am *am, unsigned to, enum fl_am_kind kind,
                         const struct fl_am_send *send) {
    if (to == am->me) {
        call_in_place(am, kind, send);
        return;
    }
    struct fl_inbox_room room;
    if (send->address) {
        memcpy(send->address, send->payload, send->bytes);
        reserve(am, to, kind, piece_bytes(send->n_args + ADDRESS_WORDS, 0), &room);
    } else {
        reserve(am, to, kind, piece_bytes(send->n_args, send->bytes), &room);
        if (send->bytes) {
            memcpy(room.piece + SPILL_BYTES, send->payload, send->bytes);
        }
    }
    fill_and_publish(am, to, &room, send);
}

void fl_am_request(struct fl_am *am, unsigned to, const struct fl_am_send *send) {
    send_message(am, to, FL_AM_REQUEST, send);
}

void fl_am_reply(const struct fl_am_message *message, const struct fl_am_send *send) {
    send_message(message->am, message->from, FL_AM_REPLY, send);
}

void fl_am_prepare(struct fl_am *am, unsigned to, uint64_t bytes, struct fl_am_room *room) {
    room->to = to;
    reserve(am, to, FL_AM_REQUEST, SPILL_BYTES + bytes, &room->inbox);
    room->payload = room->inbox.piece + SPILL_BYTES;
}

void fl_am_commit(struct fl_am *am, struct fl_am_room *room, const struct fl_am_send *send) {
    fill_and_publish(am, room->to, &room->inbox, send);
}

void fl_am_sleep(struct fl_am *am) {
    struct fl_am_inboxes *mine = &am->inboxes[am->me];
    /* [A4] pairs [A3]: before the marks. */
    uint32_t bell = atomic_load_explicit(&mine->bell, memory_order_acquire);
    for (unsigned kind = 0; kind < FL_AM_KINDS; kind++) {
        if (!fl_inbox_mark(&mine->kind[kind], &am->reading[kind].reader)) {
            return;
        }
    }
    fl_os_futex_wait(&mine->bell, bell);
}
