/* SPDX-License-Identifier: BSD-3-Clause */
/* See race.h. */
#include "check/race.h"

#include "check/lines.h"
#include "check/report.h"

#include <stdio.h>

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

static inline bool comes_before(uint64_t old) {
    unsigned thread = check_word_thread(old);
    return thread == check_self.me || check_is_ordered(thread, check_word_clock(old));
}

/* Reports what the access races with, and says where its word may go; CHECK_CELL_WORDS: nowhere, as
 * one stands for it. */
static inline unsigned look(const struct check_cell *cell, uint64_t *words, uint64_t address,
                            uint64_t new) {
    unsigned room = CHECK_CELL_WORDS;
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        uint64_t old = words[i] = atomic_load_explicit(&cell->words[i], memory_order_relaxed);
        if (((old ^ new) & CHECK_EPOCH_BITS) == 0 && is_covered(new, old)) {
            return CHECK_CELL_WORDS;
        }
        if (old && !comes_before(old)) {
            if (conflict(old, new)) {
                check_report_race(address, old, new);
            }
        } else if (room == CHECK_CELL_WORDS && (!old || is_covered(old, new))) {
            room = i;
        }
    }
    return room < CHECK_CELL_WORDS ? room : evicted(words);
}

/* After the word has been put into the cell: reports what has come meanwhile, and takes away what the
 * new word stands for. */
static inline void look_again(struct check_cell *cell, const uint64_t *words, unsigned room,
                              uint64_t address, uint64_t new) {
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        /* [R1] pairs itself. */
        uint64_t now = atomic_load_explicit(&cell->words[i], memory_order_seq_cst);
        if (i == room || !now) {
            continue;
        }
        if (!comes_before(now)) {
            if (now != words[i] && conflict(now, new)) {
                check_report_race(address, now, new);
            }
        } else if (is_covered(now, new)) {
            /* Relaxed: a word that has come meanwhile stays. */
            (void)atomic_compare_exchange_strong_explicit(&cell->words[i], &now, 0,
                                                          memory_order_relaxed,
                                                          memory_order_relaxed);
        }
    }
}

/* Two threads that record accesses at the same moment may both see no other: each looks again after
 * it has put its word there, and both puts are in one order with what they load then [R1]. */
static void record_among(struct check_cell *cell, uint64_t address, uint64_t new) {
    uint64_t words[CHECK_CELL_WORDS];
    unsigned room;
    do {
        room = look(cell, words, address, new);
        if (room == CHECK_CELL_WORDS) {
            return;
        }
        /* [R1] pairs itself. */
    } while (!atomic_compare_exchange_strong_explicit(&cell->words[room], &words[room], new,
                                                      memory_order_seq_cst, memory_order_relaxed));
    look_again(cell, words, room, address, new);
}

/* A cell that no other thread has accessed has nothing to race with. False: another thread has come. */
static inline bool record_alone(struct check_cell *cell, uint64_t address, uint64_t new) {
    uint64_t words[CHECK_CELL_WORDS];
    unsigned room = CHECK_CELL_WORDS;
    bool has_more = false;
#pragma GCC unroll 3
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        uint64_t old = words[i] = atomic_load_explicit(&cell->words[i], memory_order_relaxed);
        if (!old) {
            room = room == CHECK_CELL_WORDS ? i : room;
            continue;
        }
        if ((old ^ new) & CHECK_THREAD_BITS) {
            return false;
        }
        if (((old ^ new) & CHECK_EPOCH_BITS) == 0 && is_covered(new, old)) {
            return true;
        }
        if (is_covered(old, new)) {
            has_more |= room < CHECK_CELL_WORDS;
            room = room == CHECK_CELL_WORDS ? i : room;
        }
    }
    room = room == CHECK_CELL_WORDS ? evicted(words) : room;
    /* [R1] pairs itself. */
    if (!atomic_compare_exchange_strong_explicit(&cell->words[room], &words[room], new,
                                                 memory_order_seq_cst, memory_order_relaxed)) {
        return false;
    }
    words[room] = new;
#pragma GCC unroll 3
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        /* [R1] pairs itself. */
        uint64_t now = atomic_load_explicit(&cell->words[i], memory_order_seq_cst);
        has_more |= now != words[i];
    }
    if (FL_UNLIKELY(has_more)) {
        look_again(cell, words, room, address, new);
    }
    return true;
}

/* One thread has nothing to race with: of its accesses only the bounds are looked at. */
static inline bool may_race(void) {
    return check_self.threads > 1;
}

void check_record(struct check_cell *cell, uint64_t address, uint64_t new) {
    if (may_race() && !record_alone(cell, address, new)) {
        record_among(cell, address, new);
    }
}

void check_access(uint64_t address, uint64_t bytes, unsigned access, const char *file, int line) {
    uint32_t site = check_site(file, line, NULL);
    if (address % 8 + bytes > 8) {
        check_range(address, bytes, access, site);
        return;
    }
    if (!check_is_here(address)) {
        return; /* the access itself fails */
    }
    if (!check_bounds(address, bytes, access, site)) {
        return;
    }
    if (check_is_behind()) {
        check_tick();
    }
    struct check_cell *cell = check_cell_of(check_chunk_of(address), address);
    check_fetch_line(cell);
    check_record(cell, address,
                 check_word(access, site) | ((1u << bytes) - 1) << address % 8);
    check_lines_open(address, access, file, line);
}

void check_record_line(uint64_t address, uint64_t bytes, uint64_t word) {
    struct check_cell *cell = check_cell_of(check_chunk_of(address), address);
    if (!may_race()) {
        return;
    }
    check_fetch_line(cell);
    for (; bytes; bytes >>= 8, address += 8, cell++) {
        uint64_t new = word | (bytes & 0xff);
        if ((bytes & 0xff) && !record_alone(cell, address, new)) {
            record_among(cell, address, new);
        }
    }
}

typedef void cell_visitor(struct check_cell *cell, uint64_t address, uint64_t word);

static void each_cell(uint64_t address, uint64_t bytes, uint64_t word,
                      cell_visitor *visit) {
    for (uint64_t end = address + bytes, next; address < end; address = next) {
        next = (address | 7) + 1;
        next = next < end ? next : end;
        uint64_t mask = ((1u << (next - address)) - 1) << address % 8;
        visit(check_cell_of(check_chunk_of(address), address), address, word | mask);
    }
}

static void record_range(uint64_t address, uint64_t bytes, unsigned access, uint32_t site,
                         uint64_t clock) {
    if (bytes == 0 || !check_is_here(address) || !check_bounds(address, bytes, access, site)) {
        return;
    }
    if (check_is_behind()) {
        check_tick();
    }
    if (may_race()) {
        each_cell(address, bytes, check_word(access, site) | clock << CHECK_CLOCK_SHIFT,
                  check_record);
    }
}

void check_range(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    record_range(address, bytes, access, site, 0);
}

void check_range_open(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    record_range(address, bytes, access, site, CHECK_OPEN);
}

static void only_look(struct check_cell *cell, uint64_t address, uint64_t new) {
    for (unsigned i = 0; i < CHECK_CELL_WORDS; i++) {
        uint64_t old = atomic_load_explicit(&cell->words[i], memory_order_relaxed);
        unsigned thread = check_word_thread(old);
        if (old && thread != check_self.me && !check_is_ordered(thread, check_word_clock(old))) {
            check_report_race(address, old, new);
            return;
        }
    }
}

/* Granules without shadow have not been accessed. */
void check_freed_range(uint64_t address, uint64_t bytes, uint32_t site) {
    for (uint64_t end = address + bytes, next; address < end; address = next) {
        next = (address | (FL_HEAP_GRANULE - 1)) + 1;
        next = next < end ? next : end;
        if (atomic_load_explicit(&check_granule_of(address)->chunk, memory_order_relaxed)) {
            each_cell(address, next - address, check_word(CHECK_WRITE, site), only_look);
        }
    }
}

static void outside(uint64_t address, uint64_t bytes, uint32_t number, char *text, size_t room) {
    const struct fl_space *space = &upc_process.space;
    uint64_t offset = fl_space_offset(space, address);
    unsigned thread = fl_space_thread(space, address);
    const struct check_object *object = &check_memory.objects[number];
    uint64_t end = object->start + check_object_share(object, thread);
    const struct check_name name = check_object_name(number);
    if (object->is_freed) {
        snprintf(text, room, "%s, which was freed at %s", check_name_of(address).text,
                 check_place_of(object->freed_at).text);
    } else if (end == object->start) {
        snprintf(text, room, "%s, of which thread %u has no part", name.text, thread);
    } else if (offset < object->start) {
        snprintf(text, room, "%llu bytes before the begin of %s at thread %u",
                 (unsigned long long)(object->start - offset), name.text, thread);
    } else if (offset < end) {
        snprintf(text, room, "%s, of which the last %llu are past the end",
                 check_name_of(address).text, (unsigned long long)(offset + bytes - end));
    } else {
        snprintf(text, room, "%llu bytes past the end of %s at thread %u",
                 (unsigned long long)(offset - end), name.text, thread);
    }
}

bool check_bounds_slow(uint64_t address, uint64_t bytes, unsigned access, uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    uint64_t offset = fl_space_offset(space, address);
    unsigned thread = fl_space_thread(space, address);
    uint32_t number = check_owner(address, offset);
    const struct check_object *object = &check_memory.objects[number];
    uint64_t share = number && !object->is_freed ? check_object_share(object, thread) : 0;
    uint64_t within = offset - object->start;
    if (within < share && bytes <= share - within) {
        return true;
    }
    char text[2600];
    number = number ? number : check_nearest(address);
    if (number) {
        outside(address, bytes, number, text, sizeof text);
    } else {
        snprintf(text, sizeof text, "offset 0x%llx at thread %u, where there is no object",
                 (unsigned long long)offset, thread);
    }
    check_report_bounds(site, access, bytes, text);
    return false;
}
