/* SPDX-License-Identifier: BSD-3-Clause */
/* See heap.h. This file: slots, accounting, entry points; runs of granules are in runs.c. */
#include "space/heap.h"

#include "core/assert.h"
#include "platform/os.h"
#include "space/runs.h"

enum { SLOT_WORDS = FL_HEAP_GRANULE / FL_HEAP_ALIGN / 64 };

/* 64, 128 … 512 by 64; then four sizes for each doubling: 640, 768, 896, 1024 … 32768. */
static unsigned class_of(uint64_t bytes) {
    if (bytes <= 512) {
        return (unsigned)((bytes + 63) / 64) - 1;
    }
    unsigned log2 = fl_log2_floor(bytes - 1);
    return 8 + (log2 - 9) * 4 + (unsigned)((bytes - 1) >> (log2 - 2) & 3);
}

static uint32_t class_bytes(unsigned slot_class) {
    if (slot_class < 8) {
        return (slot_class + 1) * 64;
    }
    unsigned log2 = 9 + (slot_class - 8) / 4;
    return (1u << log2) + (((slot_class - 8) % 4 + 1) << (log2 - 2));
}

static uint32_t class_slots(unsigned slot_class) {
    return FL_HEAP_GRANULE / class_bytes(slot_class);
}

uint64_t fl_heap_table_bytes(const struct fl_layout *layout) {
    uint64_t threads = fl_layout_my_threads(layout);
    uint64_t segment = 1ull << (FL_SPACE_LOG2 - fl_log2_ceil(layout->threads));
    uint64_t granules =
        threads * ((segment + fl_space_stagger(layout->threads)) >> FL_HEAP_LOG2_GRANULE);
    return sizeof(struct fl_heap_shared) + (threads + 1) * sizeof(struct fl_heap_arena) +
           granules * sizeof(struct fl_granule);
}

void fl_heap_attach(struct fl_heap *heap, const struct fl_space *space,
                    const struct fl_layout *layout, void *memory, uint64_t static_bytes) {
    heap->space = space;
    heap->layout = layout;
    heap->static_bytes = static_bytes;
    heap->shared = memory;
    heap->arenas = (struct fl_heap_arena *)(heap->shared + 1);
    heap->table = (struct fl_granule *)(heap->arenas + fl_layout_my_threads(layout) + 1);
}

static struct fl_heap_arena *global_arena(const struct fl_heap *heap) {
    return &heap->arenas[fl_layout_my_threads(heap->layout)];
}

static struct fl_heap_arena *local_arena(const struct fl_heap *heap, unsigned thread) {
    return &heap->arenas[thread - fl_layout_my_first(heap->layout)];
}

/* Of granule 0. */
static uint64_t base(const struct fl_heap *heap) {
    return fl_space_address(heap->space, fl_layout_my_first(heap->layout), 0);
}

static uint64_t address_of(const struct fl_heap *heap, uint32_t run) {
    return base(heap) + ((uint64_t)run << FL_HEAP_LOG2_GRANULE);
}

/* ---- what may still be allocated ---- */

static bool fail(const struct fl_heap *heap, struct fl_heap_failure *failure, enum fl_status status,
                 uint64_t wanted, uint64_t used, uint64_t limit) {
    *failure = (struct fl_heap_failure){status, heap->layout->my_host, wanted, used, limit};
    return false;
}

/* Whether every segment concerned stays within -shared-heap. */
static bool within_limit(struct fl_heap *heap, const struct fl_heap_arena *arena, uint64_t bytes,
                         struct fl_heap_failure *failure) {
    if (heap->segment_limit == 0) {
        return true;
    }
    const struct fl_heap_arena *global = global_arena(heap);
    const struct fl_heap_arena *first = arena == global ? heap->arenas : arena;
    const struct fl_heap_arena *end = arena == global ? global : arena + 1;
    /* Relaxed: the limit is a courtesy, which threads that allocate at once may miss by a bit. */
    uint64_t everywhere =
        heap->static_bytes + atomic_load_explicit(&global->used, memory_order_relaxed);
    for (const struct fl_heap_arena *a = first; a < end; a++) {
        uint64_t used = everywhere + atomic_load_explicit(&a->used, memory_order_relaxed);
        if (used + bytes > heap->segment_limit) {
            return fail(heap, failure, FL_ERR_FULL, bytes, used, heap->segment_limit);
        }
    }
    return true;
}

/* Asks the machine. What is promised and not yet touched must fit into what is available. */
static FL_COLD bool renew_budget(struct fl_heap *heap, uint64_t bytes,
                                 struct fl_heap_failure *failure) {
    uint64_t promised = atomic_load_explicit(&heap->shared->promised, memory_order_relaxed);
    uint64_t resident = fl_os_memory_resident(heap->space->fd);
    uint64_t available = fl_os_memory_available();
    uint64_t untouched = promised > resident ? promised - resident : 0;
    if (untouched + bytes > available) {
        return fail(heap, failure, FL_ERR_MEMORY, bytes, untouched, available);
    }
    uint64_t spare = (available - untouched - bytes) / 16;
    atomic_store_explicit(&heap->shared->budget, (int64_t)spare, memory_order_relaxed);
    return true;
}

/* Whether the machine has so much. Relaxed: the figures steer when to ask it, nothing is published
 * by them. */
static bool within_machine(struct fl_heap *heap, uint64_t bytes, struct fl_heap_failure *failure) {
    int64_t left =
        atomic_fetch_sub_explicit(&heap->shared->budget, (int64_t)bytes, memory_order_relaxed);
    return left >= (int64_t)bytes || heap->overcommit || renew_budget(heap, bytes, failure);
}

static void promise(struct fl_heap *heap, uint64_t bytes) {
    atomic_fetch_add_explicit(&heap->shared->promised, bytes, memory_order_relaxed);
}

static void unpromise(struct fl_heap *heap, uint64_t bytes) {
    uint64_t promised =
        atomic_fetch_sub_explicit(&heap->shared->promised, bytes, memory_order_relaxed);
    fl_assert(promised >= bytes);
}

bool fl_heap_init(struct fl_heap *heap, struct fl_heap_failure *failure) {
    uint32_t segment = (uint32_t)(fl_space_segment_bytes(heap->space) >> FL_HEAP_LOG2_GRANULE);
    uint32_t stride = (uint32_t)(heap->space->stride >> FL_HEAP_LOG2_GRANULE);
    uint32_t statics =
        (uint32_t)((heap->static_bytes + FL_HEAP_GRANULE - 1) >> FL_HEAP_LOG2_GRANULE);
    statics += statics == 0; /* granule 0 stands for none */
    unsigned threads = fl_layout_my_threads(heap->layout);
    for (unsigned t = 0; t < threads; t++) {
        struct fl_heap_arena *arena = &heap->arenas[t];
        arena->first = arena->top = t * stride + statics;
        arena->limit = t * stride + segment / 2;
    }
    if (heap->layout->my_host == 0) {
        struct fl_heap_arena *global = global_arena(heap);
        global->first = global->top = segment / 2;
        global->limit = segment;
    }
    uint64_t per_thread = heap->static_bytes;
    if (heap->segment_limit && per_thread > heap->segment_limit) {
        return fail(heap, failure, FL_ERR_FULL, per_thread, 0, heap->segment_limit);
    }
    if (!within_machine(heap, per_thread * threads, failure)) {
        return false;
    }
    promise(heap, per_thread * threads);
    return true;
}

/* Segments of this host that a block of this arena occupies. */
static uint64_t width(const struct fl_heap *heap, const struct fl_heap_arena *arena) {
    return arena == global_arena(heap) ? fl_layout_my_threads(heap->layout) : 1;
}

/* Counts what is taken of the segments. */
static void count(struct fl_heap *heap, struct fl_heap_arena *arena, uint64_t bytes) {
    promise(heap, bytes * width(heap, arena));
    atomic_fetch_add_explicit(&arena->used, bytes, memory_order_relaxed);
}

static void uncount(struct fl_heap *heap, struct fl_heap_arena *arena, uint64_t bytes) {
    uint64_t used = atomic_fetch_sub_explicit(&arena->used, bytes, memory_order_relaxed);
    fl_assert(used >= bytes);
    unpromise(heap, bytes * width(heap, arena));
}

static void punch(const struct fl_heap *heap, const struct fl_heap_arena *arena, uint64_t address,
                  uint64_t bytes) {
    unsigned first = fl_space_thread(heap->space, address);
    for (unsigned i = 0; i < width(heap, arena); i++) {
        fl_space_punch(heap->space, first + i, fl_space_offset(heap->space, address), bytes);
    }
}

/* ---- runs, with accounting ---- */

static uint32_t take_run(struct fl_heap *heap, struct fl_heap_arena *arena, uint64_t granules,
                         uint64_t bytes, struct fl_heap_effect *effect,
                         struct fl_heap_failure *failure) {
    uint64_t total;
    if (__builtin_mul_overflow(bytes, width(heap, arena), &total) || total > INT64_MAX) {
        fail(heap, failure, FL_ERR_INVALID, bytes, 0, 0);
        return 0;
    }
    if (!within_limit(heap, arena, bytes, failure) || !within_machine(heap, total, failure)) {
        return 0;
    }
    uint32_t run = granules < UINT32_MAX ? fl_runs_take(heap->table, arena, (uint32_t)granules) : 0;
    if (!run) {
        uint64_t all = (uint64_t)(arena->limit - arena->first) << FL_HEAP_LOG2_GRANULE;
        fail(heap, failure, FL_ERR_INVALID, bytes, 0, all);
        return 0;
    }
    uint64_t taken = granules << FL_HEAP_LOG2_GRANULE;
    arena->kept -= taken < arena->kept ? taken : arena->kept;
    count(heap, arena, bytes);
    effect->bytes = bytes;
    return run;
}

/* Free memory is given back, but not all: a program that frees a buffer and soon takes another
 * should not pay for a system call and a page fault every 4 KB. */
enum { KEEP_MOST = 32 << 20, PUNCH_GRANULES = 16 };

static void return_run(struct fl_heap *heap, struct fl_heap_arena *arena, uint32_t run,
                       uint64_t bytes, struct fl_heap_effect *effect) {
    uint32_t granules = heap->table[run].granules;
    fl_assert(bytes > 0 && bytes <= (uint64_t)granules << FL_HEAP_LOG2_GRANULE);
    uint64_t freed = (uint64_t)granules << FL_HEAP_LOG2_GRANULE;
    *effect = (struct fl_heap_effect){
        .bytes = bytes, .offset = fl_space_offset(heap->space, address_of(heap, run))};
    if (arena->kept + freed <= KEEP_MOST) {
        arena->kept += freed;
    } else if (granules >= PUNCH_GRANULES) {
        effect->punched = freed;
        punch(heap, arena, address_of(heap, run), freed);
    }
    fl_runs_return(heap->table, arena, run);
    uncount(heap, arena, bytes);
}

/* ---- slots ---- */

static uint32_t new_slots(struct fl_heap *heap, struct fl_heap_arena *arena, unsigned slot_class,
                          struct fl_heap_effect *effect, struct fl_heap_failure *failure) {
    uint32_t run = take_run(heap, arena, 1, FL_HEAP_GRANULE, effect, failure);
    if (!run) {
        return 0;
    }
    struct fl_granule *granule = &heap->table[run];
    granule->kind = FL_GRANULE_SLOTS;
    granule->slot_class = (uint8_t)slot_class;
    granule->used = 0;
    for (unsigned i = 0; i < SLOT_WORDS; i++) {
        granule->slots[i] = 0;
    }
    fl_runs_link(heap->table, &arena->partial[slot_class], run);
    return run;
}

static uint64_t alloc_slot(struct fl_heap *heap, struct fl_heap_arena *arena, uint64_t bytes,
                           struct fl_heap_effect *effect, struct fl_heap_failure *failure) {
    unsigned slot_class = class_of(bytes);
    uint32_t run = arena->partial[slot_class];
    if (!run) {
        run = new_slots(heap, arena, slot_class, effect, failure);
        if (!run) {
            return 0;
        }
    }
    struct fl_granule *granule = &heap->table[run];
    unsigned word = 0;
    fl_assert(granule->kind == FL_GRANULE_SLOTS && granule->slot_class == slot_class);
    fl_assert(granule->used < class_slots(slot_class));
    while (granule->slots[word] == UINT64_MAX) {
        word++;
    }
    unsigned bit = (unsigned)__builtin_ctzll(~granule->slots[word]);
    fl_assert(word * 64 + bit < class_slots(slot_class));
    granule->slots[word] |= 1ull << bit;
    granule->used++;
    if (granule->used == class_slots(slot_class)) {
        fl_runs_unlink(heap->table, &arena->partial[slot_class], run);
    }
    return address_of(heap, run) + (uint64_t)(word * 64 + bit) * class_bytes(slot_class);
}

static bool no_slot_is_used(const struct fl_granule *granule) {
    uint64_t used = 0;
    for (unsigned i = 0; i < SLOT_WORDS; i++) {
        used |= granule->slots[i];
    }
    return used == 0;
}

static const char *free_slot(struct fl_heap *heap, struct fl_heap_arena *arena, uint32_t run,
                             uint32_t offset, struct fl_heap_effect *effect) {
    struct fl_granule *granule = &heap->table[run];
    unsigned slot_class = granule->slot_class;
    uint32_t slot = offset / class_bytes(slot_class);
    if (offset % class_bytes(slot_class) != 0 || slot >= class_slots(slot_class)) {
        return "points into a block, not to its start";
    }
    uint64_t bit = 1ull << slot % 64;
    if (!(granule->slots[slot / 64] & bit)) {
        return "is free already";
    }
    fl_assert(granule->used > 0 && granule->used <= class_slots(slot_class));
    granule->slots[slot / 64] &= ~bit;
    if (granule->used == class_slots(slot_class)) {
        fl_runs_link(heap->table, &arena->partial[slot_class], run);
    }
    granule->used--;
    /* One empty granule stays for the next allocation, unless there are others with room. */
    if (granule->used == 0 && (granule->next || granule->before)) {
        fl_assert(no_slot_is_used(granule));
        fl_runs_unlink(heap->table, &arena->partial[slot_class], run);
        return_run(heap, arena, run, FL_HEAP_GRANULE, effect);
    }
    return NULL;
}

/* ---- entry points ---- */

static uint64_t alloc_large(struct fl_heap *heap, struct fl_heap_arena *arena, uint64_t bytes,
                            struct fl_heap_effect *effect, struct fl_heap_failure *failure) {
    uint64_t granules = bytes / FL_HEAP_GRANULE + (bytes % FL_HEAP_GRANULE != 0);
    uint32_t run = take_run(heap, arena, granules, bytes, effect, failure);
    if (!run) {
        return 0;
    }
    heap->table[run].kind = FL_GRANULE_LARGE;
    heap->table[run].bytes = bytes;
    return address_of(heap, run);
}

static uint64_t alloc(struct fl_heap *heap, struct fl_heap_arena *arena, uint64_t bytes,
                      struct fl_heap_effect *effect, struct fl_heap_failure *failure) {
    if (heap->align > FL_HEAP_ALIGN && bytes <= FL_HEAP_SLOT_MAX) {
        /* A slot whose size is a power of two is aligned to it; larger blocks are to a granule. */
        bytes = 1ull << fl_log2_ceil(bytes < heap->align ? heap->align : bytes);
    }
    *effect = (struct fl_heap_effect){0};
    fl_mutex_lock(&arena->mutex);
    uint64_t address = bytes <= FL_HEAP_SLOT_MAX ? alloc_slot(heap, arena, bytes, effect, failure)
                                                 : alloc_large(heap, arena, bytes, effect, failure);
    fl_mutex_unlock(&arena->mutex);
    return address;
}

uint64_t fl_heap_alloc_local(struct fl_heap *heap, unsigned thread, uint64_t bytes,
                             struct fl_heap_failure *failure) {
    struct fl_heap_effect effect;
    return alloc(heap, local_arena(heap, thread), bytes, &effect, failure);
}

uint64_t fl_heap_alloc_global(struct fl_heap *heap, uint64_t bytes, struct fl_heap_effect *effect,
                              struct fl_heap_failure *failure) {
    return alloc(heap, global_arena(heap), bytes, effect, failure);
}

static const char *free_in(struct fl_heap *heap, struct fl_heap_arena *arena, uint32_t run,
                           uint32_t offset, struct fl_heap_effect *effect) {
    struct fl_granule *granule = &heap->table[run];
    if (run < arena->first || run >= arena->top) {
        return run < arena->first ? "belongs to a static object"
                                  : "is free already, or was never allocated";
    }
    switch ((enum fl_granule_kind)granule->kind) {
    case FL_GRANULE_SLOTS:
        return free_slot(heap, arena, run, offset, effect);
    case FL_GRANULE_LARGE:
        if (offset != 0) {
            return "points into a block, not to its start";
        }
        return_run(heap, arena, run, granule->bytes, effect);
        return NULL;
    case FL_GRANULE_FREE:
        return "is free already, or was never allocated";
    case FL_GRANULE_NONE:
        break;
    }
    return "points into a block, not to its start, or is free already";
}

bool fl_heap_is_global(const struct fl_heap *heap, uint64_t address) {
    return fl_space_offset(heap->space, address) >= fl_space_segment_bytes(heap->space) / 2;
}

enum fl_status fl_heap_free(struct fl_heap *heap, uint64_t address, struct fl_heap_effect *effect,
                            const char **why_p) {
    *effect = (struct fl_heap_effect){0};
    if (!fl_space_holds(heap->space, address)) {
        *why_p = "is not in shared memory";
        return FL_ERR_INVALID;
    }
    unsigned thread = fl_space_thread(heap->space, address);
    bool is_global = fl_heap_is_global(heap, address);
    if (is_global && thread != 0) {
        *why_p = "points into a block, not to its start";
        return FL_ERR_INVALID;
    }
    struct fl_heap_arena *arena = is_global ? global_arena(heap) : local_arena(heap, thread);
    fl_mutex_lock(&arena->mutex);
    const char *why =
        free_in(heap, arena, (uint32_t)((address - base(heap)) >> FL_HEAP_LOG2_GRANULE),
                (uint32_t)(address % FL_HEAP_GRANULE), effect);
    fl_mutex_unlock(&arena->mutex);
    *why_p = why;
    return why ? FL_ERR_INVALID : FL_OK;
}

/* ---- the global heap's memory on hosts other than 0 ---- */

bool fl_heap_charge(struct fl_heap *heap, const struct fl_heap_effect *effect,
                    struct fl_heap_failure *failure) {
    struct fl_heap_arena *arena = global_arena(heap);
    bool good = within_limit(heap, arena, effect->bytes, failure) &&
                within_machine(heap, effect->bytes * width(heap, arena), failure);
    count(heap, arena, effect->bytes);
    return good;
}

void fl_heap_discharge(struct fl_heap *heap, const struct fl_heap_effect *effect) {
    struct fl_heap_arena *arena = global_arena(heap);
    if (effect->punched) {
        punch(heap, arena, base(heap) + effect->offset, effect->punched);
    }
    uncount(heap, arena, effect->bytes);
}
