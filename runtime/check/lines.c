/* SPDX-License-Identifier: BSD-3-Clause */
/* See lines.h. */
#include "check/lines.h"

#include "check/bias.h"
#include "check/race.h"
#include "check/record.h"
#include "check/unwritten.h"

_Thread_local struct upcr_checked_line upcr_checked_lines[UPCR_CHECK_LINES];

_Static_assert(UPCR_CHECK_LINES == 1 << 11, "as many as upcr_check_find numbers");

/* The places in use. */
static _Thread_local struct {
    uint16_t at[UPCR_CHECK_LINES];
    unsigned n;
} opened;

enum {
    ACCESS_SHIFT = 41, /* as upcr_check_key has them */
    SOURCE_SHIFT = 42,
};

static uint64_t address_of(const struct upcr_checked_line *known) {
    return (known->key & ((1ull << ACCESS_SHIFT) - 1)) * UPCR_CHECK_LINE;
}

/* Memory that has been freed meanwhile is no longer an object's. */
static void record(struct upcr_checked_line *known) {
    uint64_t begin = address_of(known);
    unsigned access = known->key >> ACCESS_SHIFT & 1;
    uint32_t site = check_site(known->file, (int)(known->key >> SOURCE_SHIFT), NULL);
    uint64_t bytes = known->bytes, first = (uint64_t)__builtin_ctzl(bytes);
    known->bytes = 0;
    if (!check_bounds(begin + first, 1, access, site)) {
        return;
    }
    check_record_line(begin, bytes, check_word(access, site));
    if (access == CHECK_READ) {
        check_unwritten_line(begin, bytes, site);
    }
}

/* The bytes of an address's line that are of the same object at the same thread. */
static uint64_t inside(uint64_t address) {
    const struct fl_space *space = &upc_process.space;
    unsigned thread = fl_space_thread(space, address);
    uint64_t offset = fl_space_offset(space, address);
    const struct check_object *object = &check_memory.objects[check_owner(address, offset)];
    uint64_t share = offset - object->start < object->bytes ? object->bytes
                                                            : check_object_share(object, thread);
    uint64_t line = offset - offset % UPCR_CHECK_LINE, end = object->start + share - line;
    uint64_t bytes = end < UPCR_CHECK_LINE ? (1ull << end) - 1 : ~0ull;
    return object->start > line ? bytes & ~0ull << (object->start - line) : bytes;
}

void check_lines_open(uint64_t address, unsigned access, const char *file, int line) {
    if (access > CHECK_WRITE || line <= 0 || line >= 1 << (64 - SOURCE_SHIFT)) {
        return;
    }
    struct upcr_checked_line *known =
        &upcr_checked_lines[upcr_check_find(address, (int)access, line)];
    if (known->bytes) {
        record(known);
        check_batch_end();
    }
    if (!known->key) {
        opened.at[opened.n++] = (uint16_t)(known - upcr_checked_lines);
    }
    *known = (struct upcr_checked_line){upcr_check_key(address, (int)access, line), file,
                                        inside(address), 0};
}

void check_lines_record(void) {
    while (opened.n > 0) {
        struct upcr_checked_line *known = &upcr_checked_lines[opened.at[--opened.n]];
        if (known->bytes) {
            record(known);
        }
        known->key = known->inside = 0;
    }
    check_unwritten_swept();
    check_batch_end();
}
