/* SPDX-License-Identifier: BSD-3-Clause */
/* See buffers.h. */
#include "check/buffers.h"

#include "check/report.h"
#include "check/sites.h"
#include "platform/os.h"

#include <string.h>

/* Of transfers under way, how many of the newest a new one is compared with. */
enum { COMPARED_MOST = 1024 };

static bool writes(const struct check_transfer *transfer) {
    return transfer->read != 0;
}

static const char *verb(const struct check_transfer *transfer) {
    return writes(transfer) ? "writes" : "reads";
}

static void check_room(const struct check_transfer *transfer) {
    struct check_room room = check_self.room;
    check_self.room = (struct check_room){0};
    if (room.buffer == transfer->buffer && transfer->bytes > room.bytes &&
        check_is_new(FL_CODE_BOUNDS, transfer->site, 1)) {
        check_say(FL_CODE_BOUNDS,
                  "%s: thread %u %s %zu bytes of a private buffer that has room for %zu",
                  check_place_of(transfer->site).text, check_self.me, verb(transfer),
                  transfer->bytes, room.bytes);
    }
}

static bool overlap(const struct check_transfer *a, const struct check_transfer *b) {
    uint64_t at = (uint64_t)a->buffer, other = (uint64_t)b->buffer;
    return at < other + b->bytes && other < at + a->bytes;
}

static void check_others(const struct check_transfer *transfer) {
    unsigned n = check_self.n_transfers, least = n > COMPARED_MOST ? n - COMPARED_MOST : 0;
    for (unsigned i = n; i-- > least;) {
        const struct check_transfer *other = &check_self.transfers[i];
        if (other->buffer && overlap(transfer, other) && (writes(transfer) || writes(other)) &&
            check_is_new(FL_CODE_CHECK, transfer->site, other->site)) {
            check_say(FL_CODE_CHECK,
                      "%s: thread %u %s a private buffer that the transfer begun at %s %s; wait for "
                      "that one before",
                      check_place_of(transfer->site).text, check_self.me, verb(transfer),
                      check_place_of(other->site).text, verb(other));
        }
    }
}

void check_buffer_begin(const struct check_transfer *transfer) {
    if (transfer->buffer && transfer->bytes > 0) {
        check_room(transfer);
        check_others(transfer);
    }
}

static uint64_t added(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

/* A sum in which each byte counts, and where it is. Words of four sums do not wait for each other. */
static uint64_t sum_of(const void *buffer, size_t bytes) {
    enum { LANES = 4 };
    const char *at = buffer;
    uint64_t sums[LANES] = {1, 2, 3, 4}, words[LANES], sum = bytes;
    for (; bytes >= sizeof words; at += sizeof words, bytes -= sizeof words) {
        memcpy(words, at, sizeof words);
        for (unsigned i = 0; i < LANES; i++) {
            sums[i] = added(sums[i], words[i]);
        }
    }
    memset(words, 0, sizeof words);
    memcpy(words, at, bytes);
    for (unsigned i = 0; i < LANES; i++) {
        sum = added(added(sum, sums[i]), words[i]);
    }
    return sum;
}

void check_buffer_keep(struct check_transfer *transfer) {
    if (transfer->buffer) {
        transfer->sum = sum_of(transfer->buffer, transfer->bytes);
    }
}

void check_buffer_end(const struct check_transfer *transfer, uint32_t site) {
    if (!transfer->buffer || transfer->bytes == 0) {
        return;
    }
    bool is_there = fl_os_memory_is_mapped(transfer->buffer, transfer->bytes);
    if ((!is_there || sum_of(transfer->buffer, transfer->bytes) != transfer->sum) &&
        check_is_new(FL_CODE_CHECK, site, transfer->site)) {
        check_say(FL_CODE_CHECK,
                  "%s: thread %u has %s the private buffer of the transfer begun at %s, which %s it "
                  "until it is synchronised",
                  check_place_of(site).text, check_self.me, is_there ? "changed" : "freed",
                  check_place_of(transfer->site).text, verb(transfer));
    }
}
