/* SPDX-License-Identifier: BSD-3-Clause */
/* See record.h. */
#include "check/record.h"

#include "check/bias.h"
#include "check/clock.h"
#include "check/report.h"

static inline bool conflict(uint64_t old, uint64_t new) {
    unsigned a = check_word_access(old), b = check_word_access(new);
    return check_word_mask(old & new) && ((a | b) & CHECK_WRITE) &&
           (a <= CHECK_WRITE || b <= CHECK_WRITE);
}

/* Whether whatever may race with the old access, which comes before the new one, may race with that
 * one, too: then the old one need not be known any longer. */
static inline bool is_covered(uint64_t old, uint64_t new) {
    unsigned a = check_word_access(old), b = check_word_access(new);
    return (check_word_mask(old) & ~check_word_mask(new)) == 0 &&
           ((b & CHECK_WRITE) || !(a & CHECK_WRITE)) && (b <= CHECK_WRITE || a > CHECK_WRITE);
}

/* Where a new access goes if there is no room: in the place of a read, if there is one. */
static unsigned evicted(const uint64_t *words) {
    unsigned first = check_self.n_evicted++;
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        unsigned at = (first + i) % CHECK_CELL_WORDS;
        if (!(check_word_access(words[at]) & CHECK_WRITE)) {
            return at;
        }
    }
    return first % CHECK_CELL_WORDS;
}

static inline bool is_open(uint64_t word) {
    return check_word_clock(word) == CHECK_OPEN;
}

/* A transfer under way comes before nothing, its thread's accesses neither, but for its own end. */
static inline bool comes_before(uint64_t old, uint64_t new) {
    unsigned thread = check_word_thread(old);
    if (thread != check_self.me) {
        return check_is_ordered(thread, check_word_clock(old));
    }
    return !is_open(old) ||
           (check_self.is_closing && check_word_site(old) == check_word_site(new));
}

/* Whether an access of the same thread and time makes the new one nothing new. */
static inline bool is_known(uint64_t old, uint64_t new) {
    return ((old ^ new) & CHECK_EPOCH_BITS) == 0 && is_covered(new, old) &&
           !(is_open(new) && conflict(old, new));
}

/* Reports what the access races with. The line's shadow is the calling thread's (bias.h), so that
 * all is relaxed: of two accesses at the same moment one sees the other. */
static void record_cell(struct check_chunk *chunk, uint64_t address, uint64_t new) {
    struct check_line_state *state = check_state_of(chunk, address);
    uint64_t words[CHECK_CELL_WORDS];
    unsigned n = check_n_words(state), room = CHECK_CELL_WORDS;
#pragma GCC unroll 3
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        if (i == n) {
            break;
        }
        _Atomic uint64_t *word = check_word_of(chunk, address, i);
        uint64_t old = words[i] = atomic_load_explicit(word, memory_order_relaxed);
        if (is_known(old, new)) {
            return;
        }
        if (old && !comes_before(old, new)) {
            if (conflict(old, new)) {
                check_report_race(address, old, new);
            }
        } else if (!old || is_covered(old, new)) {
            if (room < CHECK_CELL_WORDS) {
                atomic_store_explicit(word, 0, memory_order_relaxed);
            } else {
                room = i;
            }
        }
    }
    if (room == CHECK_CELL_WORDS && n < CHECK_CELL_WORDS) {
        atomic_store_explicit(&state->has_third, true, memory_order_relaxed);
        room = n;
    }
    room = room < CHECK_CELL_WORDS ? room : evicted(words);
    atomic_store_explicit(check_word_of(chunk, address, room), new, memory_order_relaxed);
}

/* The same of a relaxed access to a whole cell of a line that is biased to the thread, so that it
 * races with nothing but the thread's transfers under way; and there are no third words. A write stands for all that was there, and a read for
 * other reads: these come second. */
static inline void record_whole(struct check_chunk *chunk, uint64_t address, uint64_t new) {
    _Atomic uint64_t *first = check_word_of(chunk, address, 0);
    _Atomic uint64_t *second = check_word_of(chunk, address, 1);
    uint64_t old = atomic_load_explicit(second, memory_order_relaxed);
    bool may_race =
        check_self.n_transfers > 0 &&
        (!comes_before(atomic_load_explicit(first, memory_order_relaxed), new) ||
         !comes_before(old, new));
    if (FL_UNLIKELY(may_race)) {
        record_cell(chunk, address, new);
    } else if (check_word_access(new) == CHECK_WRITE) {
        atomic_store_explicit(first, new, memory_order_relaxed);
        atomic_store_explicit(second, 0, memory_order_relaxed);
    } else if (!old || is_covered(old, new)) {
        atomic_store_explicit(second, new, memory_order_relaxed);
    } else {
        record_cell(chunk, address, new);
    }
}

void check_record(uint64_t address, uint64_t word) {
    if (check_self.threads == 1) {
        return;
    }
    struct check_chunk *chunk = check_chunk_of(address);
    check_fetch_line(check_line_of(chunk, address));
    _Atomic uint16_t *bias = &check_state_of(chunk, address)->bias;
    bool is_biased = check_line_enter(bias);
    record_cell(chunk, address, word);
    if (is_biased) {
        check_batch_end();
    } else {
        check_line_unlock(bias);
    }
}

/* What the thread has recorded of a line at its present time: to record it again would change
 * nothing. */
struct recorded_line {
    uint64_t key;               /* line and clock */
    uint64_t accessed, written; /* bytes */
};
enum { RECORDED_LINES = 1 << 12 };
static _Thread_local struct recorded_line recorded[RECORDED_LINES];

/* Those of the bytes of a line that have not been recorded, and are now about to be. */
static inline uint64_t unrecorded(uint64_t address, uint64_t bytes, uint64_t word) {
    uint64_t line = address / UPCR_CHECK_LINE;
    struct recorded_line *known = &recorded[line % RECORDED_LINES];
    uint64_t key = line / RECORDED_LINES << (64 - CHECK_CLOCK_SHIFT) | check_word_clock(word);
    bool writes = check_word_access(word) == CHECK_WRITE;
    if (FL_UNLIKELY(known->key != key)) {
        *known = (struct recorded_line){.key = key};
    }
    bytes &= ~(writes ? known->written : known->accessed);
    if (bytes) {
        known->accessed |= bytes;
        known->written |= writes ? bytes : 0;
    }
    return bytes;
}

/* Any access to bytes of a line; the caller ends the batch. */
static void record_bytes(uint64_t address, uint64_t bytes, uint64_t word) {
    struct check_chunk *chunk = check_chunk_of(address);
    check_fetch_line(check_line_of(chunk, address));
    _Atomic uint16_t *bias = &check_state_of(chunk, address)->bias;
    bool is_biased = check_line_enter(bias);
    bool is_simple = is_biased && check_word_access(word) <= CHECK_WRITE &&
                     check_n_words(check_state_of(chunk, address)) < CHECK_CELL_WORDS;
    for (; bytes; bytes >>= 8, address += 8) {
        uint64_t mask = bytes & 0xff;
        if (is_simple && mask == 0xff) {
            record_whole(chunk, address, word | mask);
        } else if (mask) {
            record_cell(chunk, address, word | mask);
        }
    }
    if (!is_biased) {
        check_line_unlock(bias);
    }
}

static inline void record_line(uint64_t address, uint64_t bytes, uint64_t word) {
    bytes = unrecorded(address, bytes, word);
    if (FL_UNLIKELY(bytes)) {
        record_bytes(address, bytes, word);
    }
}

void check_record_line(uint64_t address, uint64_t bytes, uint64_t word) {
    if (check_self.threads > 1) {
        record_line(address, bytes, word);
    }
}

/* The bytes of a line from `first` to `end`, which is behind the last one. */
static uint64_t bytes_between(uint64_t first, uint64_t end) {
    return ~0ull >> (UPCR_CHECK_LINE - (end - first)) << first;
}

typedef void line_recorder(uint64_t address, uint64_t bytes, uint64_t word);

static inline void each_line(uint64_t address, uint64_t bytes, uint64_t word,
                             line_recorder *record) {
    for (uint64_t end = address + bytes, next; address < end; address = next) {
        uint64_t line = address - address % UPCR_CHECK_LINE;
        next = line + UPCR_CHECK_LINE < end ? line + UPCR_CHECK_LINE : end;
        record(line, bytes_between(address - line, next - line), word);
    }
}

void check_record_range(uint64_t address, uint64_t bytes, uint64_t word) {
    if (check_self.threads > 1) {
        each_line(address, bytes, word, record_bytes);
        check_batch_end();
    }
}

/* Elements that do not lie side by side; those of a line together. */
static void record_strided(uint64_t address, uint64_t stride, uint64_t n, uint64_t bytes,
                           uint64_t word) {
    uint64_t line = address - address % UPCR_CHECK_LINE, of_line = 0;
    for (uint64_t i = 0; i < n; i++, address += stride) {
        for (uint64_t at = address, end = address + bytes, next; at < end; at = next) {
            if (at - line >= UPCR_CHECK_LINE) {
                record_line(line, of_line, word);
                line = at - at % UPCR_CHECK_LINE;
                of_line = 0;
            }
            next = line + UPCR_CHECK_LINE < end ? line + UPCR_CHECK_LINE : end;
            of_line |= bytes_between(at - line, next - line);
        }
    }
    record_line(line, of_line, word);
}

void check_record_sweep(uint64_t address, uint64_t stride, uint64_t n, uint64_t bytes,
                        uint64_t word) {
    if (check_self.threads == 1) {
        return;
    }
    if (stride <= bytes) {
        each_line(address, (n - 1) * stride + bytes, word, record_line);
    } else {
        record_strided(address, stride, n, bytes, word);
    }
    check_batch_end();
}
