/* SPDX-License-Identifier: BSD-3-Clause */
/* See slice.h. Slots of one size in granules, larger blocks as runs of granules (space/runs.h). */
#include "spread/slice.h"

#include "platform/os.h"
#include "space/runs.h"

#include <string.h>

/* 16, 32 … 128; then four sizes for each doubling, up to half a granule. */
static unsigned class_of(size_t bytes) {
    if (bytes <= 128) {
        return bytes <= 16 ? 0 : (unsigned)((bytes + 15) / 16) - 1;
    }
    unsigned log2 = fl_log2_floor(bytes - 1);
    return 8 + (log2 - 7) * 4 + (unsigned)((bytes - 1) >> (log2 - 2) & 3);
}

static uint32_t class_bytes(unsigned slot_class) {
    if (slot_class < 8) {
        return (slot_class + 1) * 16;
    }
    unsigned log2 = 7 + (slot_class - 8) / 4;
    return (1u << log2) + (((slot_class - 8) % 4 + 1) << (log2 - 2));
}

static uint32_t class_slots(unsigned slot_class) {
    return FL_HEAP_GRANULE / class_bytes(slot_class);
}

bool fl_slice_start(struct fl_slice *slice, uintptr_t base, uint64_t bytes) {
    uint64_t granules = bytes >> FL_HEAP_LOG2_GRANULE;
    *slice = (struct fl_slice){.base = base, .bytes = bytes};
    slice->table = fl_os_memory_private(granules * sizeof *slice->table);
    slice->used = fl_os_memory_private(granules * sizeof *slice->used);
    slice->arena.first = slice->arena.top = slice->never = 1; /* 0 stands for none */
    slice->arena.limit = (uint32_t)granules;
    return slice->table && slice->used;
}

static uintptr_t address_of(const struct fl_slice *slice, uint32_t run) {
    return slice->base + ((uintptr_t)run << FL_HEAP_LOG2_GRANULE);
}

static uint32_t run_of(const struct fl_slice *slice, const void *block) {
    return (uint32_t)(((uintptr_t)block - slice->base) >> FL_HEAP_LOG2_GRANULE);
}

/* ---- the caller holds the mutex ---- */

/* Granules behind the top so far have never been used. */
static uint32_t take_run(struct fl_slice *slice, uint64_t granules, bool *fresh_p) {
    uint32_t fresh = slice->never;
    uint32_t run =
        granules < UINT32_MAX ? fl_runs_take(slice->table, &slice->arena, (uint32_t)granules) : 0;
    *fresh_p = run >= fresh;
    uint32_t end = run + (uint32_t)granules;
    slice->never = run && end > fresh ? end : fresh;
    return run;
}

static uint32_t take_slots(struct fl_slice *slice, unsigned slot_class) {
    bool fresh;
    uint32_t run = take_run(slice, 1, &fresh);
    if (run) {
        struct fl_granule *granule = &slice->table[run];
        granule->kind = FL_GRANULE_SLOTS;
        granule->slot_class = (uint8_t)slot_class;
        granule->used = 0;
        granule->bytes = 0; /* words that are full: so many at least */
        memset(slice->used[run], 0, sizeof slice->used[run]);
        fl_runs_link(slice->table, &slice->partial[slot_class], run);
    }
    return run;
}

static void *take_slot(struct fl_slice *slice, unsigned slot_class) {
    uint32_t run = slice->partial[slot_class];
    if (!run) {
        run = take_slots(slice, slot_class);
    }
    if (!run) {
        return NULL;
    }
    struct fl_granule *granule = &slice->table[run];
    uint64_t *used = slice->used[run];
    unsigned word = (unsigned)granule->bytes;
    while (used[word] == UINT64_MAX) {
        word++;
    }
    granule->bytes = word;
    unsigned bit = (unsigned)__builtin_ctzll(~used[word]);
    used[word] |= 1ull << bit;
    if (++granule->used == class_slots(slot_class)) {
        fl_runs_unlink(slice->table, &slice->partial[slot_class], run);
    }
    return (void *)(address_of(slice, run) + (uintptr_t)(word * 64 + bit) * class_bytes(slot_class));
}

/* A run that begins at a multiple of so many granules: the excess on both sides is given back. */
static uint32_t take_aligned_run(struct fl_slice *slice, uint64_t granules, uint64_t multiple,
                                 bool *fresh_p) {
    uint32_t run = take_run(slice, granules + multiple - 1, fresh_p);
    if (!run || multiple == 1) {
        return run;
    }
    uint32_t before = (uint32_t)(-(address_of(slice, run) >> FL_HEAP_LOG2_GRANULE) & (multiple - 1));
    uint32_t block = run + before, end = block + (uint32_t)granules;
    uint32_t behind = (uint32_t)multiple - 1 - before;
    slice->table[block].granules = (uint32_t)granules;
    if (behind > 0) {
        slice->table[end].granules = behind;
        fl_runs_return(slice->table, &slice->arena, end);
    }
    if (before > 0) {
        slice->table[run].granules = before;
        fl_runs_return(slice->table, &slice->arena, run);
    }
    return block;
}

static void *take_granules(struct fl_slice *slice, size_t bytes, size_t align, bool *fresh_p) {
    uint64_t granules = bytes / FL_HEAP_GRANULE + (bytes % FL_HEAP_GRANULE != 0 || bytes == 0);
    uint64_t multiple = align > FL_HEAP_GRANULE ? align / FL_HEAP_GRANULE : 1;
    uint32_t run = take_aligned_run(slice, granules, multiple, fresh_p);
    if (!run) {
        return NULL;
    }
    slice->table[run].kind = FL_GRANULE_LARGE;
    slice->table[run].bytes = bytes;
    return (void *)address_of(slice, run);
}

/* The slot that a block is; false if no block begins there. */
static bool find_slot(const struct fl_slice *slice, uint32_t run, const void *block,
                      uint32_t *slot_p) {
    uint32_t bytes = class_bytes(slice->table[run].slot_class);
    uint32_t offset = (uint32_t)((uintptr_t)block - address_of(slice, run));
    *slot_p = offset / bytes;
    return offset % bytes == 0 && *slot_p < class_slots(slice->table[run].slot_class) &&
           slice->used[run][*slot_p / 64] >> *slot_p % 64 & 1;
}

static bool give_slot(struct fl_slice *slice, uint32_t run, const void *block) {
    struct fl_granule *granule = &slice->table[run];
    uint32_t slot;
    if (!find_slot(slice, run, block, &slot)) {
        return false;
    }
    uint32_t *partial = &slice->partial[granule->slot_class];
    slice->used[run][slot / 64] &= ~(1ull << slot % 64);
    granule->bytes = slot / 64 < granule->bytes ? slot / 64 : granule->bytes;
    if (granule->used-- == class_slots(granule->slot_class)) {
        fl_runs_link(slice->table, partial, run);
    }
    /* One empty granule stays for the next block, unless there are others with room. */
    if (granule->used == 0 && (granule->next || granule->before)) {
        fl_runs_unlink(slice->table, partial, run);
        fl_runs_return(slice->table, &slice->arena, run);
    }
    return true;
}

/* ---- entry points ---- */

void *fl_slice_take(struct fl_slice *slice, size_t bytes, size_t align, bool *fresh_p) {
    *fresh_p = false;
    bool small = bytes <= FL_HEAP_SLOT_MAX && align <= FL_HEAP_SLOT_MAX;
    if (align > 16 && small) {
        /* A slot whose size is a power of two is aligned to it; larger blocks are to a granule. */
        bytes = 1ull << fl_log2_ceil(bytes < align ? align : bytes);
    }
    fl_mutex_lock(&slice->arena.mutex);
    void *block = small ? take_slot(slice, class_of(bytes))
                        : take_granules(slice, bytes, align, fresh_p);
    fl_mutex_unlock(&slice->arena.mutex);
    return block;
}

struct fl_slice_size fl_slice_size(struct fl_slice *slice, const void *block) {
    uint32_t run = run_of(slice, block), slot;
    const struct fl_granule *granule = &slice->table[run];
    struct fl_slice_size size = {0, 0};
    fl_mutex_lock(&slice->arena.mutex);
    if (granule->kind == FL_GRANULE_SLOTS && find_slot(slice, run, block, &slot)) {
        size.bytes = size.asked = class_bytes(granule->slot_class);
    } else if (granule->kind == FL_GRANULE_LARGE && (uintptr_t)block == address_of(slice, run)) {
        size.bytes = (size_t)granule->granules << FL_HEAP_LOG2_GRANULE;
        size.asked = granule->bytes;
    }
    fl_mutex_unlock(&slice->arena.mutex);
    return size;
}

bool fl_slice_give(struct fl_slice *slice, void *block) {
    uint32_t run = run_of(slice, block);
    bool good = false;
    fl_mutex_lock(&slice->arena.mutex);
    if (slice->table[run].kind == FL_GRANULE_SLOTS) {
        good = give_slot(slice, run, block);
    } else if (slice->table[run].kind == FL_GRANULE_LARGE &&
               (uintptr_t)block == address_of(slice, run)) {
        fl_runs_return(slice->table, &slice->arena, run);
        good = true;
    }
    fl_mutex_unlock(&slice->arena.mutex);
    return good;
}
