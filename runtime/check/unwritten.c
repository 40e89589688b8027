/* SPDX-License-Identifier: BSD-3-Clause */
/* See unwritten.h. */
#include "check/unwritten.h"

#include "check/objects.h"
#include "check/race.h"
#include "check/report.h"

/* No small number, no pointer, and rare as the word of a larger value. */
#define PATTERN 0xa7b3d5e9u
enum {
    WORD = sizeof(uint32_t),
    FILLED_MOST = 64 << 20, /* bytes at a thread: larger objects may never be touched as a whole */
    LOOKED_AT_MOST = 128,   /* elements at each end of a loop's accesses */
};

typedef uint32_t __attribute__((may_alias)) word_of_program;

void check_unwritten_fill(uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; bytes <= FILLED_MOST && at + WORD <= address + bytes; at += WORD) {
        *(word_of_program *)at = PATTERN;
    }
}

static inline bool has_pattern(uint64_t address) {
    return *(const volatile word_of_program *)(address & ~(uint64_t)(WORD - 1)) == PATTERN;
}

static inline bool is_unwritten(uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes; at += WORD) {
        if (FL_LIKELY(!has_pattern(at))) {
            return false;
        }
    }
    return bytes > 0 && has_pattern(address + bytes - 1);
}

/* A static object's word that happens to be the pattern has been written. */
static FL_COLD void report(uint64_t address, uint32_t site) {
    const struct fl_space *space = &upc_process.space;
    uint32_t number = check_owner(address, fl_space_offset(space, address));
    const struct check_object *object = &check_memory.objects[number];
    if (number == 0 || object->is_freed || check_object_is_static(number) ||
        !check_is_new(FL_CODE_UNWRITTEN, site, 0)) {
        return;
    }
    check_say(FL_CODE_UNWRITTEN, "%s: thread %u reads %s, to which nobody has written",
              check_place_of(site).text, check_self.me, check_name_of(address).text);
}

void check_unwritten_read(uint64_t address, uint64_t bytes, uint32_t site) {
    if (FL_UNLIKELY(is_unwritten(address, bytes))) {
        report(address, site);
    }
}

/* What the elements are is not known: of eight bytes that were read, all must have the pattern. */
void check_unwritten_line(uint64_t address, uint64_t bytes, uint32_t site) {
    for (; bytes; bytes >>= 8, address += 8) {
        unsigned mask = bytes & 0xff;
        bool first = (mask & 0x0f) == 0x0f, second = (mask & 0xf0) == 0xf0;
        if ((first || second) && (!first || has_pattern(address)) &&
            (!second || has_pattern(address + WORD))) {
            report(first ? address : address + WORD, site);
            return;
        }
    }
}

struct swept {
    uint64_t address, stride, n, bytes;
    uint32_t site;
};
enum { SWEPT_MOST = 64 }; /* of those between two synchronisations the last ones are known */
static _Thread_local struct {
    struct swept of[SWEPT_MOST];
    unsigned n;
} sweeps;

void check_unwritten_sweep(uint64_t address, uint64_t stride, uint64_t n, uint64_t bytes,
                           uint32_t site) {
    sweeps.of[sweeps.n++ % SWEPT_MOST] = (struct swept){address, stride, n, bytes, site};
}

static void look_at(const struct swept *swept) {
    for (uint64_t i = 0; i < swept->n; i++) {
        uint64_t at = swept->address + i * swept->stride;
        if (FL_UNLIKELY(is_unwritten(at, swept->bytes))) {
            report(at, swept->site);
            return;
        }
        if (i == LOOKED_AT_MOST && swept->n > 2 * LOOKED_AT_MOST) {
            i = swept->n - LOOKED_AT_MOST;
        }
    }
}

void check_unwritten_swept(void) {
    unsigned n = sweeps.n < SWEPT_MOST ? sweeps.n : SWEPT_MOST;
    sweeps.n = 0;
    for (unsigned i = 0; i < n; i++) {
        look_at(&sweeps.of[i]);
    }
}
