/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See am.h. A message's words are its arguments and, if it is long, its address. Those that do not
 * fit into the line stand at the end of its piece, whose begin is the payload; a payload that fits
 * into the line behind the words needs no piece.
 */
#include "am/am.h"

#include "core/assert.h"
#include "core/wait.h"

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

void fl_am_attach(struct fl_am *am, void *memory, unsigned procs, unsigned me,
                  fl_am_deliver *deliver) {
    memset(am, 0, sizeof *am);
    am->procs = procs;
    am->me = me;
    am->inboxes = memory;
    am->deliver = deliver;
    atomic_init(&am->recent, &am->inboxes[me]);
    /* Relaxed: others compute the address as long as they see 0. */
    atomic_store_explicit(&am->inboxes[me].owner, me + 1, memory_order_relaxed);
    for (unsigned kind = 0; kind < FL_AM_KINDS; kind++) {
        am->reading[kind].kind = (enum fl_am_kind)kind;
        am->reading[kind].box = &am->inboxes[me].kind[kind];
    }
}

/* Where the words are that do not stand in the line. */
static unsigned char *spill(unsigned char *piece, unsigned n_units) {
    fl_assert(n_units > 0);
    return piece + n_units * FL_CACHE_LINE - SPILL_BYTES;
}

static inline struct fl_am_head head_of(const struct fl_inbox_line *line, enum fl_am_kind kind) {
    return (struct fl_am_head){line->from, line->handler, line->tag, kind};
}

/* A message whose words do not all stand in its line, or whose bytes are elsewhere. */
static __attribute__((noinline)) void deliver_scattered(struct fl_am *am,
                                                        const struct fl_am_reading *reading,
                                                        const struct fl_inbox_line *line) {
    unsigned char *piece = fl_inbox_piece(reading->box, line);
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
        memcpy(&all[in_line], spill(piece, line->n_units), (n_words - in_line) * sizeof *all);
    }
    void *payload = piece;
    if (line->n_words & LONG) {
        n_words -= ADDRESS_WORDS;
        memcpy(&payload, &all[n_words], sizeof payload);
    }
    am->deliver(am, head_of(line, reading->kind), all, n_words, payload, line->bytes);
}

static inline void deliver(struct fl_am *am, const struct fl_am_reading *reading,
                           struct fl_inbox_line *line) {
    unsigned n_words = line->n_words;
    if (FL_UNLIKELY(n_words > FL_INBOX_WORDS)) {
        deliver_scattered(am, reading, line);
        return;
    }
    void *payload = line->n_units ? (void *)fl_inbox_piece(reading->box, line)
                                  : (void *)&line->words[fl_am_payload_word(n_words)];
    am->deliver(am, head_of(line, reading->kind), line->words, n_words, payload, line->bytes);
}

/* Streams: messages in one direction only. A reader that has caught up with one polls seldom, since
 * each poll takes the line away from its writer, which then waits for it; so the reader finds
 * several messages at a time, and the writer claims several lines (a far message takes 35 ns
 * instead of 145). Only where one thread sends and reads, as the counts are its own. */
enum {
    READ_PER_RELAX = 8,      /* a pause grows with the messages read without one sent, */
    PAUSE_MOST_RELAXES = 100 /* up to about 1 us */
};

static inline void note_read(struct fl_am *am) {
    if (am->one_thread) {
        am->stream.read++;
        am->stream.sent = 0;
    }
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

/* `line` has been peeked; to peek it again would be a second branch that waits for it. */
static __attribute__((noinline)) unsigned read_messages(struct fl_am *am,
                                                        struct fl_am_reading *reading,
                                                        struct fl_inbox_line *line) {
    if (!am->one_thread) {
        /* [A1] pairs [A2]: the reader's place is what the thread that read last has left. */
        if (atomic_exchange_explicit(&reading->busy, true, memory_order_acquire)) {
            return 0;
        }
        line = fl_inbox_peek(reading->box, &reading->reader);
    }
    unsigned count = 0;
    while (line && count < AT_ONCE) {
        deliver(am, reading, line);
        fl_inbox_drop(reading->box, &reading->reader, line);
        note_read(am);
        count++;
        line = fl_inbox_peek(reading->box, &reading->reader);
    }
    if (!am->one_thread) {
        fl_assert(atomic_load_explicit(&reading->busy, memory_order_relaxed));
        atomic_store_explicit(&reading->busy, false, memory_order_release); /* [A2] pairs [A1]. */
    }
    return count;
}

/* An empty inbox takes a call less: a waiting process polls again the sooner. */
static inline unsigned read_inbox(struct fl_am *am, enum fl_am_kind kind) {
    struct fl_am_reading *reading = &am->reading[kind];
    struct fl_inbox_line *line = fl_inbox_peek(reading->box, &reading->reader);
    return line ? read_messages(am, reading, line) : 0;
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
    if (FL_UNLIKELY(fl_inbox_reserve(box, bytes, fl_am_sends_stream(am), room) != FL_OK)) {
        if (!wait) {
            return false;
        }
        await_room(am, to, kind, bytes, room);
    }
    return true;
}

static void fill_words(struct fl_inbox_room *room, struct fl_am_send send) {
    struct fl_inbox_line *line = room->line;
    unsigned n = send.n_args;
    uint32_t all[FL_AM_ARGS + ADDRESS_WORDS];
    memcpy(all, send.args, n * sizeof *all);
    if (send.is_long) {
        memcpy(&all[n], &send.address, sizeof send.address);
        n += ADDRESS_WORDS;
    }
    unsigned in_line = n < FL_INBOX_WORDS ? n : FL_INBOX_WORDS;
    memcpy(line->words, all, in_line * sizeof *all);
    if (n > in_line) {
        memcpy(spill(room->piece, room->n_units), &all[in_line], (n - in_line) * sizeof *all);
    }
    line->n_words = (uint8_t)(n | (send.is_long ? LONG : 0));
}

void fl_am_ring(struct fl_am_inboxes *inboxes) {
    /* [A3] pairs [A4]: a sender that took the mark away rings after the sleeper has read the bell,
     * so the sleeper's value is old by then, or it is woken. */
    atomic_fetch_add_explicit(&inboxes->bell, 1, memory_order_release);
    fl_os_futex_wake(&inboxes->bell, INT32_MAX);
}

static void call_in_place(struct fl_am *am, enum fl_am_kind kind, struct fl_am_send send) {
    void *payload = (void *)(uintptr_t)send.payload;
    if (send.is_long) {
        if (send.bytes) {
            memmove(send.address, send.payload, send.bytes);
        }
        payload = send.address;
    }
    struct fl_am_head head = {(uint16_t)am->me, send.handler, send.tag, kind};
    am->deliver(am, head, send.args, send.n_args, payload, send.bytes);
}

static bool send_scattered(struct fl_am *am, unsigned to, enum fl_am_kind kind,
                           struct fl_am_send send, bool wait) {
    unsigned n_words = send.n_args + (send.is_long ? (unsigned)ADDRESS_WORDS : 0);
    uint64_t piece_bytes = (send.is_long ? 0 : send.bytes) +
                           (n_words > FL_INBOX_WORDS ? SPILL_BYTES : 0);
    if (send.is_long && send.bytes && send.address != send.payload) {
        fl_am_copy(&am->copy, send.address, send.payload, send.bytes);
    }
    struct fl_inbox_room room;
    if (!reserve(am, to, kind, piece_bytes, &room, wait)) {
        return false;
    }
    if (!send.is_long && send.bytes) {
        fl_am_copy(&am->copy, room.piece, send.payload, send.bytes);
    }
    fill_words(&room, send);
    fl_am_publish(am, &am->inboxes[to], &room, send);
    return true;
}

bool fl_am_send_slowly(struct fl_am *am, unsigned to, enum fl_am_kind kind, struct fl_am_send send,
                       bool wait) {
    if (to == am->me && wait) {
        call_in_place(am, kind, send);
        return true;
    }
    if (!fl_am_fits_into_line(send)) {
        return send_scattered(am, to, kind, send, wait);
    }
    struct fl_inbox_room room;
    if (!reserve(am, to, kind, 0, &room, wait)) {
        return false;
    }
    fl_am_fill_line(room.line, send);
    fl_am_publish(am, &am->inboxes[to], &room, send);
    return true;
}

bool fl_am_request_try(struct fl_am *am, unsigned to, struct fl_am_send send) {
    return fl_am_send_slowly(am, to, FL_AM_REQUEST, send, false);
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

void fl_am_commit(struct fl_am *am, struct fl_am_room *room, struct fl_am_send send) {
    fl_assert(send.is_long ||
              send.bytes + SPILL_BYTES <= (uint64_t)room->inbox.n_units * FL_CACHE_LINE);
    fill_words(&room->inbox, send);
    fl_am_publish(am, &am->inboxes[room->to], &room->inbox, send);
}

void fl_am_cancel(struct fl_am *am, struct fl_am_room *room) {
    room->inbox.line->n_words = CANCELLED;
    fl_am_publish(am, &am->inboxes[room->to], &room->inbox, (struct fl_am_send){.handler = 0});
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
    fl_am_ring(&am->inboxes[proc]);
}
