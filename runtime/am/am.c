/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See am.h. A message's words are its arguments and, if it is long, its address. Those that do not
 * fit into the line stand at the end of its piece, whose begin is the payload; a payload that fits
 * into the line behind the words needs no piece.
 */
#include "am/am.h"

#include "core/assert.h"
#include "core/wait.h"

#include <string.h>

enum {
    ADDRESS_WORDS = 2,
    LONG = 0x80,     /* in n_words */
    CANCELLED = 0x40, /* alone in n_words: no message */
    SPILL_BYTES = 32 /* for up to 18 - 10 words */
};
_Static_assert(SPILL_BYTES >= (FL_AM_ARGS + ADDRESS_WORDS - FL_INBOX_WORDS) * sizeof(uint32_t),
               "all words have a place");
_Static_assert(FL_AM_MEDIUM + SPILL_BYTES <= FL_INBOX_PIECE, "the largest message has room");
_Static_assert(offsetof(struct fl_inbox_line, words) % 8 == 0, "payloads are aligned");

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

/* The word of a line at which a payload may begin: aligned to 8 bytes. */
static inline unsigned payload_word(unsigned n_words) {
    return (n_words + 1) & ~1u;
}

static inline bool fits_into_line(const struct fl_am_send *send) {
    return payload_word(send->n_args) * sizeof(uint32_t) + send->bytes <=
               FL_INBOX_WORDS * sizeof(uint32_t) &&
           !send->is_long;
}

/* Where the words are that do not stand in the line. */
static unsigned char *spill(unsigned char *piece, const struct fl_inbox_line *line) {
    fl_assert(line->n_units > 0);
    return piece + line->n_units * FL_CACHE_LINE - SPILL_BYTES;
}

static inline void run(struct fl_am *am, uint8_t handler, const struct fl_am_message *message) {
    fl_assert(am->handlers[handler].run);
    am->handlers[handler].run(am->handlers[handler].context, message);
}

/* A message whose words do not all stand in its line, or whose bytes are elsewhere. */
static __attribute__((noinline)) void deliver_scattered(struct fl_am *am,
                                                        const struct fl_inbox_line *line,
                                                        unsigned char *piece,
                                                        struct fl_am_message *message) {
    uint32_t all[FL_AM_ARGS + ADDRESS_WORDS];
    if (line->n_words == CANCELLED) {
        return;
    }
    unsigned n_words = line->n_words & ~(unsigned)LONG;
    fl_assert(n_words <= FL_AM_ARGS + ADDRESS_WORDS);
    fl_assert(!(line->n_words & LONG) || n_words >= ADDRESS_WORDS);
    unsigned in_line = n_words < FL_INBOX_WORDS ? n_words : FL_INBOX_WORDS;
    memcpy(all, line->words, in_line * sizeof *all);
    if (n_words > in_line) {
        memcpy(&all[in_line], spill(piece, line), (n_words - in_line) * sizeof *all);
    }
    message->args = all;
    if (line->n_words & LONG) {
        n_words -= ADDRESS_WORDS;
        memcpy(&message->payload, &all[n_words], sizeof message->payload);
    }
    message->n_args = n_words;
    run(am, line->handler, message);
}

static inline void deliver(struct fl_am *am, enum fl_am_kind kind,
                           struct fl_inbox_line *line) {
    unsigned char *piece = fl_inbox_piece(&am->inboxes[am->me].kind[kind], line);
    struct fl_am_message message = {
        .am = am,
        .from = line->from,
        .kind = kind,
        .n_args = line->n_words,
        .args = line->words,
        .tag = line->tag,
        .payload = line->n_units == 0
                       ? (unsigned char *)&line->words[payload_word(line->n_words)]
                       : piece,
        .bytes = line->bytes,
    };
    if (FL_LIKELY(line->n_words <= FL_INBOX_WORDS)) {
        run(am, line->handler, &message);
    } else {
        deliver_scattered(am, line, piece, &message);
    }
}

/* Streams: messages in one direction only. A reader that has caught up with one polls seldom, since
 * each poll takes the line away from its writer, which then waits for it; so the reader finds
 * several messages at a time, and the writer claims several lines (a far message takes 35 ns
 * instead of 145). Only where one thread sends and reads, as the counts are its own. */
enum {
    STREAM_LEAST = 16,       /* messages sent without one read in between */
    READ_PER_RELAX = 8,      /* a pause grows with the messages read without one sent, */
    PAUSE_MOST_RELAXES = 100 /* up to about 1 us */
};

static inline void note_read(struct fl_am *am) {
    if (am->one_thread) {
        am->stream.read++;
        am->stream.sent = 0;
    }
}

/* Whether more messages are likely to follow. */
static inline bool note_sent(struct fl_am *am) {
    if (!am->one_thread) {
        return false;
    }
    am->stream.read = 0;
    return ++am->stream.sent > STREAM_LEAST;
}

/* After a poll of empty inboxes: polls without a pause take the line away from its writer. */
static void pause_reading(const struct fl_am *am) {
    uint32_t relaxes = 1 + am->stream.read / READ_PER_RELAX;
    for (uint32_t i = 0; i < relaxes && i < PAUSE_MOST_RELAXES; i++) {
        fl_os_relax();
    }
}

/* Messages of one poll: so that a process that floods another does not keep it from its own
 * work. */
enum { AT_ONCE = 64 };

static unsigned read_inbox(struct fl_am *am, enum fl_am_kind kind) {
    struct fl_inbox *box = &am->inboxes[am->me].kind[kind];
    struct fl_inbox_reader *reader = &am->reading[kind].reader;
    struct fl_inbox_line *line = fl_inbox_peek(box, reader);
    if (!line) {
        return 0;
    }
    _Atomic bool *busy = &am->reading[kind].busy;
    if (!am->one_thread) {
        /* [A1] pairs [A2]: the reader's place is what the thread that read last has left. */
        if (atomic_exchange_explicit(busy, true, memory_order_acquire)) {
            return 0;
        }
        line = fl_inbox_peek(box, reader);
    }
    unsigned count = 0;
    while (line && count < AT_ONCE) {
        note_read(am);
        deliver(am, kind, line);
        fl_inbox_drop(box, reader, line);
        count++;
        line = fl_inbox_peek(box, reader);
    }
    fl_assert(am->one_thread || atomic_load_explicit(busy, memory_order_relaxed));
    atomic_store_explicit(busy, false, memory_order_release); /* [A2] pairs [A1]. */
    return count;
}

unsigned fl_am_poll(struct fl_am *am) {
    unsigned count = read_inbox(am, FL_AM_REPLY) + read_inbox(am, FL_AM_REQUEST);
    if (count == 0) {
        pause_reading(am);
    }
    return count;
}

/* Waits until the receiver has room. */
static FL_COLD void await_room(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                               struct fl_inbox_room *room) {
    fl_wait_begin("room for a message in another process's inbox", NULL, 0);
    fl_wait_note_time();
    do {
        unsigned read = kind == FL_AM_REQUEST ? fl_am_poll(am) : read_inbox(am, FL_AM_REPLY);
        if (read == 0) {
            fl_os_yield();
        }
    } while (fl_inbox_reserve(&am->inboxes[to].kind[kind], bytes, false, room) != FL_OK);
    fl_wait_end();
}

static inline bool reserve(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                           struct fl_inbox_room *room, bool wait) {
    struct fl_inbox *box = &am->inboxes[to].kind[kind];
    if (FL_UNLIKELY(fl_inbox_reserve(box, bytes, note_sent(am), room) != FL_OK)) {
        if (!wait) {
            return false;
        }
        await_room(am, to, kind, bytes, room);
    }
    return true;
}

static void fill_words(struct fl_inbox_room *room, const struct fl_am_send *send) {
    struct fl_inbox_line *line = room->line;
    unsigned n = send->n_args;
    uint32_t all[FL_AM_ARGS + ADDRESS_WORDS];
    memcpy(all, send->args, n * sizeof *all);
    if (send->is_long) {
        memcpy(&all[n], &send->address, sizeof send->address);
        n += ADDRESS_WORDS;
    }
    unsigned in_line = n < FL_INBOX_WORDS ? n : FL_INBOX_WORDS;
    memcpy(line->words, all, in_line * sizeof *all);
    if (n > in_line) {
        memcpy(spill(room->piece, line), &all[in_line], (n - in_line) * sizeof *all);
    }
    line->n_words = (uint8_t)(n | (send->is_long ? LONG : 0));
}

static FL_COLD void ring(struct fl_am_inboxes *inboxes) {
    /* [A3] pairs [A4]: a sender that took the mark away rings after the sleeper has read the bell,
     * so the sleeper's value is old by then, or it is woken. */
    atomic_fetch_add_explicit(&inboxes->bell, 1, memory_order_release);
    fl_os_futex_wake(&inboxes->bell, INT32_MAX);
}

static inline void publish(struct fl_am *am, unsigned to, struct fl_inbox_room *room,
                           const struct fl_am_send *send) {
    room->line->from = (uint16_t)am->me;
    room->line->handler = send->handler;
    room->line->bytes = send->bytes & ((1ull << 56) - 1);
    room->line->tag = send->tag;
    fl_inbox_publish(room);
    if (FL_UNLIKELY(room->marked)) {
        ring(&am->inboxes[to]);
    }
}

static inline void fill_line(struct fl_inbox_line *line, const struct fl_am_send *send) {
    for (unsigned i = 0; i < send->n_args; i++) {
        line->words[i] = send->args[i];
    }
    if (send->bytes) {
        memcpy(&line->words[payload_word(send->n_args)], send->payload, send->bytes);
    }
    line->n_words = send->n_args;
}

static void call_in_place(struct fl_am *am, enum fl_am_kind kind, const struct fl_am_send *send) {
    struct fl_am_message message = {
        .am = am,
        .from = am->me,
        .kind = kind,
        .n_args = send->n_args,
        .args = send->args,
        .tag = send->tag,
        .payload = (void *)(uintptr_t)send->payload,
        .bytes = send->bytes,
    };
    if (send->is_long) {
        if (send->bytes) {
            memmove(send->address, send->payload, send->bytes);
        }
        message.payload = send->address;
    }
    run(am, send->handler, &message);
}

static __attribute__((noinline)) bool send_scattered(struct fl_am *am, unsigned to,
                                                     enum fl_am_kind kind,
                                                     const struct fl_am_send *send, bool wait) {
    unsigned n_words = send->n_args + (send->is_long ? (unsigned)ADDRESS_WORDS : 0);
    uint64_t piece_bytes = (send->is_long ? 0 : send->bytes) +
                           (n_words > FL_INBOX_WORDS ? SPILL_BYTES : 0);
    if (send->is_long && send->bytes && send->address != send->payload) {
        fl_am_copy(&am->copy, send->address, send->payload, send->bytes);
    }
    struct fl_inbox_room room;
    if (!reserve(am, to, kind, piece_bytes, &room, wait)) {
        return false;
    }
    if (!send->is_long && send->bytes) {
        fl_am_copy(&am->copy, room.piece, send->payload, send->bytes);
    }
    fill_words(&room, send);
    publish(am, to, &room, send);
    return true;
}

static inline bool send_message(struct fl_am *am, unsigned to, enum fl_am_kind kind,
                                const struct fl_am_send *send, bool wait) {
    if (to == am->me && wait) {
        call_in_place(am, kind, send);
        return true;
    }
    if (FL_UNLIKELY(!fits_into_line(send))) {
        return send_scattered(am, to, kind, send, wait);
    }
    struct fl_inbox_room room;
    if (!reserve(am, to, kind, 0, &room, wait)) {
        return false;
    }
    fill_line(room.line, send);
    publish(am, to, &room, send);
    return true;
}

void fl_am_request(struct fl_am *am, unsigned to, const struct fl_am_send *send) {
    (void)send_message(am, to, FL_AM_REQUEST, send, true);
}

bool fl_am_request_try(struct fl_am *am, unsigned to, const struct fl_am_send *send) {
    return send_message(am, to, FL_AM_REQUEST, send, false);
}

void fl_am_reply(const struct fl_am_message *message, const struct fl_am_send *send) {
    (void)send_message(message->am, message->from, FL_AM_REPLY, send, true);
}

void fl_am_prepare(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                   struct fl_am_room *room) {
    room->to = to;
    (void)reserve(am, to, kind, SPILL_BYTES + bytes, &room->inbox, true);
    room->payload = room->inbox.piece;
}

bool fl_am_prepare_try(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                       struct fl_am_room *room) {
    room->to = to;
    bool has_room = reserve(am, to, kind, SPILL_BYTES + bytes, &room->inbox, false);
    room->payload = room->inbox.piece;
    return has_room;
}

void fl_am_commit(struct fl_am *am, struct fl_am_room *room, const struct fl_am_send *send) {
    fl_assert(send->is_long ||
              send->bytes + SPILL_BYTES <= (uint64_t)room->inbox.line->n_units * FL_CACHE_LINE);
    fill_words(&room->inbox, send);
    publish(am, room->to, &room->inbox, send);
}

void fl_am_cancel(struct fl_am *am, struct fl_am_room *room) {
    room->inbox.line->n_words = CANCELLED;
    publish(am, room->to, &room->inbox, &(struct fl_am_send){.handler = 0});
}

void fl_am_sleep(struct fl_am *am, uint64_t timeout_ns) {
    struct fl_am_inboxes *mine = &am->inboxes[am->me];
    /* [A4] pairs [A3]: before the marks. */
    uint32_t bell = atomic_load_explicit(&mine->bell, memory_order_acquire);
    for (unsigned kind = 0; kind < FL_AM_KINDS; kind++) {
        if (!fl_inbox_mark(&mine->kind[kind], &am->reading[kind].reader)) {
            return;
        }
    }
    fl_os_futex_wait_timeout(&mine->bell, bell, timeout_ns);
}

void fl_am_wake(struct fl_am *am, unsigned proc) {
    ring(&am->inboxes[proc]);
}
