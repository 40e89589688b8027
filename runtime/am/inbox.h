/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A queue of messages in memory that several processes share: any thread of any of them sends, the
 * owner's process reads. Knows nothing of handlers, or of who may wait for whom.
 *
 * A message is one line of a ring, and perhaps a piece of a second ring for what does not fit into
 * it, where the reader uses it in place. So a short message moves one cache line. A sender reserves
 * both by one exchange on `tail`, fills them, and publishes the line by its turn. A word that holds
 * turns never holds anything else, so no payload can look like one.
 *
 * The reader gives room back rarely (`head`), a quarter of what is in use at a time: senders look at that
 * line for each message, and it should stay in their caches. The largest piece is at most a quarter
 * of its ring: it fits once all before it has been read, whatever is not given back yet or is left
 * over at the end of the ring. While the reader keeps up, pieces come around in the first
 * quarter of that ring, whose lines the two caches then hold: 16 KiB there and back take 0.54 us on
 * Zen 5, and 0.60 by way of all the ring. So a quarter of the room is there for sure.
 *
 * A reader that wants to sleep marks `tail`. The sender whose reservation takes the mark away is
 * told to wake it after publishing, so neither needs a fence. tests/litmus/inbox.pml is the model.
 */
#ifndef FL_AM_INBOX_H
#define FL_AM_INBOX_H

#include "core/assert.h"
#include "core/status.h"
#include "platform/os.h"
#include <stdatomic.h>
#include <stddef.h>

enum {
    FL_INBOX_LINES = 1024,
    FL_INBOX_UNITS = 16384, /* of the ring of pieces; a cache line each */
    FL_INBOX_USUAL = 4096,  /* of them: pieces stay there while the reader keeps up */
    FL_INBOX_PIECE = FL_INBOX_UNITS / 8 * FL_CACHE_LINE, /* the largest, in bytes */
    FL_INBOX_WORDS = 10,   /* in a line */
    FL_INBOX_ASLEEP = 1,   /* in `tail`; so positions go in twos */
    FL_INBOX_CLAIM = 16,   /* lines that a sender of many messages claims at once */
};

struct fl_inbox_line {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t turn; /* position + 2 once published */
    uint32_t unit; /* where the piece begins; behind it the ring is free when this has been read */
    uint16_t n_units; /* of the piece; 0: there is none, and `unit` means nothing */
    _Atomic uint8_t claim; /* written, never read */
    uint8_t n_words;
    uint16_t from;
    uint8_t handler;
    uint8_t tag; /* of the sender's choice */
    uint64_t bytes; /* of payload */
    uint32_t words[FL_INBOX_WORDS];
};
_Static_assert(sizeof(struct fl_inbox_line) == FL_CACHE_LINE, "a short message is one line");

/* Starts as zeros. Positions and units wrap at 2^32. */
struct fl_inbox {
    /* Units reserved << 32 | position reserved | FL_INBOX_ASLEEP. */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t tail;
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t head; /* units given back << 32 | position */
    struct fl_inbox_line lines[FL_INBOX_LINES];
    _Alignas(FL_CACHE_LINE) unsigned char pieces[FL_INBOX_UNITS][FL_CACHE_LINE];
};

/* Room for one message. The sender fills `piece` before it writes to `line`, of which the publication
 * fills the rest: the reader polls the line, and takes it away from a sender that waits for the lines of
 * the piece in between, so that the line comes and goes twice. */
struct fl_inbox_room {
    struct fl_inbox_line *line;
    unsigned char *piece; /* aligned to a cache line; null for 0 bytes */
    uint32_t turn, unit; /* of the line; n_units as well */
    uint16_t n_units;
    bool marked; /* the reader must be woken */
};

/* The reader's own place; starts as zeros. One thread at a time changes it. */
struct fl_inbox_reader {
    _Atomic uint32_t position;            /* read so far; relaxed: others only guess by it */
    uint32_t units;                       /* likewise, of the other ring */
    uint32_t given_position, given_units; /* of that, known to senders */
};

static inline uint32_t fl_inbox_position(const struct fl_inbox_reader *reader) {
    return atomic_load_explicit(&reader->position, memory_order_relaxed);
}

/* Takes lines out of the reader's cache, many at a time, before they are needed: an exchange waits
 * until all earlier stores have their lines, so that each message would wait for its own. Prefetching
 * for writing does not do that everywhere: virtual Zen 4 fetches for reading. */
static inline void fl_inbox_claim(struct fl_inbox *box, uint32_t position) {
    for (uint32_t i = 0; i < FL_INBOX_CLAIM; i++) {
        /* Relaxed: no thread reads it. */
        atomic_store_explicit(&box->lines[(position / 2 + i) % FL_INBOX_LINES].claim, 0,
                              memory_order_relaxed);
    }
}

/* Reserves a line and `bytes` <= FL_INBOX_PIECE of the other ring. FL_AGAIN if there is no room.
 * `many`: more messages will follow. The sender must publish the room soon: all later messages wait
 * for it. Any thread. */
static inline enum fl_status fl_inbox_reserve(struct fl_inbox *box, uint64_t bytes, bool many,
                                              struct fl_inbox_room *room) {
    uint32_t size = (uint32_t)((bytes + FL_CACHE_LINE - 1) / FL_CACHE_LINE);
    /* Relaxed: the exchange below decides whether it was right. */
    uint64_t tail = atomic_load_explicit(&box->tail, memory_order_relaxed);
    /* The exchange lets no write past it: without this each message waits for its line. */
    if (size == 0) {
        fl_os_prefetch_write(&box->lines[(uint32_t)tail / 2 % FL_INBOX_LINES]);
    }
    if (many && (uint32_t)tail / 2 % FL_INBOX_CLAIM == 0) {
        fl_inbox_claim(box, (uint32_t)tail);
    }
    uint64_t next;
    uint32_t position, unit;
    do {
        position = (uint32_t)tail & ~(uint32_t)FL_INBOX_ASLEEP;
        unit = (uint32_t)(tail >> 32);
        /* [I1] pairs [I2]: else this message overwrites one that is being read. */
        uint64_t head = atomic_load_explicit(&box->head, memory_order_acquire);
        if (size > 0) {
            uint32_t at = unit % FL_INBOX_UNITS, to_end = FL_INBOX_UNITS - at;
            bool keeps_up = unit - (uint32_t)(head >> 32) <= FL_INBOX_USUAL / 2;
            unit += size > to_end || (at >= FL_INBOX_USUAL && keeps_up) ? to_end : 0;
            if (FL_UNLIKELY(unit + size - (uint32_t)(head >> 32) > FL_INBOX_UNITS)) {
                return FL_AGAIN;
            }
        }
        if (FL_UNLIKELY(position - (uint32_t)head >= 2 * FL_INBOX_LINES)) {
            return FL_AGAIN;
        }
        next = (uint64_t)(unit + size) << 32 | (uint32_t)(position + 2);
        /* [I3] pairs [I4]: what the reader did before it marked the word comes before this. */
    } while (!atomic_compare_exchange_weak_explicit(&box->tail, &tail, next, memory_order_acq_rel,
                                                    memory_order_relaxed));
    room->line = &box->lines[position / 2 % FL_INBOX_LINES];
    room->turn = position + 2;
    room->marked = tail & FL_INBOX_ASLEEP;
    room->n_units = (uint16_t)size;
    room->unit = unit;
    fl_assert(size == 0 || unit % FL_INBOX_UNITS + size <= FL_INBOX_UNITS);
    room->piece = size > 0 ? box->pieces[unit % FL_INBOX_UNITS] : NULL;
    return FL_OK;
}

/* Whether the line has had the message before that of the turn, or none: it has been read then. */
static inline bool fl_inbox_is_free(const struct fl_inbox_line *line, uint32_t turn) {
    /* Relaxed: [I1] has seen it read. */
    uint32_t before = atomic_load_explicit(&line->turn, memory_order_relaxed);
    return before == 0 || before + 2 * FL_INBOX_LINES == turn;
}

/* Shows the message to the reader. If the room was marked the sender wakes it after that. */
static inline void fl_inbox_publish(const struct fl_inbox_room *room) {
    fl_assert(fl_inbox_is_free(room->line, room->turn));
    room->line->unit = room->unit;
    room->line->n_units = room->n_units;
    /* [I5] pairs [I6]: the reader sees the whole message. */
    atomic_store_explicit(&room->line->turn, room->turn, memory_order_release);
}

/* The next message, or null. It stays where it is until it is dropped. Only a hint for a thread
 * that is not the reader. */
static inline struct fl_inbox_line *fl_inbox_peek(struct fl_inbox *box,
                                                  const struct fl_inbox_reader *reader) {
    uint32_t position = fl_inbox_position(reader);
    struct fl_inbox_line *line = &box->lines[position / 2 % FL_INBOX_LINES];
    /* [I6] pairs [I5]. */
    uint32_t turn = atomic_load_explicit(&line->turn, memory_order_acquire);
    return turn == position + 2 ? line : NULL;
}

/* Where the message's piece is. */
static inline unsigned char *fl_inbox_piece(struct fl_inbox *box,
                                            const struct fl_inbox_line *line) {
    return box->pieces[line->unit % FL_INBOX_UNITS];
}

/* The message that was peeked has been read. */
static inline void fl_inbox_drop(struct fl_inbox *box, struct fl_inbox_reader *reader,
                                 const struct fl_inbox_line *line) {
    uint32_t position = fl_inbox_position(reader) + 2;
    fl_assert(fl_inbox_peek(box, reader) == line);
    atomic_store_explicit(&reader->position, position, memory_order_relaxed);
    if (line->n_units > 0) {
        fl_assert(line->unit - reader->units < FL_INBOX_UNITS);
        fl_assert(line->n_units <= FL_INBOX_UNITS / 8);
        reader->units = line->unit + line->n_units;
    }
    if (FL_UNLIKELY(position - reader->given_position >= 2 * FL_INBOX_LINES / 4 ||
                    reader->units - reader->given_units >= FL_INBOX_USUAL / 4)) {
        reader->given_position = position;
        reader->given_units = reader->units;
        /* [I2] pairs [I1]. */
        atomic_store_explicit(&box->head, (uint64_t)reader->units << 32 | position,
                              memory_order_release);
    }
}

/* Whether the next sender will wake this reader, which then may sleep. False: a sender has reserved
 * room already. Any thread of the reader's process. */
static inline bool fl_inbox_mark(struct fl_inbox *box, const struct fl_inbox_reader *reader) {
    uint32_t position = fl_inbox_position(reader);
    /* Relaxed: the exchange decides whether it was right. */
    uint64_t tail = atomic_load_explicit(&box->tail, memory_order_relaxed);
    while (((uint32_t)tail & ~(uint32_t)FL_INBOX_ASLEEP) == position) {
        /* [I4] pairs [I3]. */
        if (atomic_compare_exchange_weak_explicit(&box->tail, &tail, tail | FL_INBOX_ASLEEP,
                                                  memory_order_acq_rel, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

#endif
