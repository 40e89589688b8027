/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory allocators. All memory spaces are the machine's memory; traits decide about alignment, size
 * of the pool, and what happens when it is used up. A header before each block names its allocator.
 * OpenMP 5.1 §2.13, §3.13.
 */
#include "core/fatal.h"
#include "omp/spans.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ALLOCATOR = 0, DEFAULT_ALLOCATOR = 1, LAST_PREDEFINED = 255 /* clang has some beyond 8 */ };

/* As <omp.h> numbers traits and their values. */
enum { TRAIT_ALIGNMENT = 2, TRAIT_POOL_SIZE = 4, TRAIT_FALLBACK = 5, TRAIT_FALLBACK_DATA = 6 };
enum { FALLBACK_DEFAULT = 11, FALLBACK_NULL = 12, FALLBACK_ABORT = 13, FALLBACK_ALLOCATOR = 14 };
#define VALUE_DEFAULT UINTPTR_MAX

struct trait {
    uint32_t key;
    uintptr_t value;
};

struct allocator {
    uintptr_t alignment, pool, fallback, fallback_data;
    _Atomic uintptr_t used;
};

struct block {
    void *base;
    uintptr_t allocator;
    size_t bytes; /* that were asked for */
};

static const struct allocator predefined = {
    .alignment = 1, .pool = UINTPTR_MAX, .fallback = FALLBACK_NULL};

static const struct allocator *known(uintptr_t handle) {
    return handle <= LAST_PREDEFINED ? &predefined : (const struct allocator *)handle;
}

/* Takes `bytes` of the pool, if it has so many left. Relaxed: a count, nothing more. */
static bool reserve(uintptr_t handle, size_t bytes) {
    if (known(handle)->pool == UINTPTR_MAX) {
        return true;
    }
    struct allocator *own = (struct allocator *)handle;
    struct fl_atomic_op op = {.at = &own->used};
    bool fits;
    enum fl_omp_far_atomic begun = fl_omp_atomic_begin(&op);
    uintptr_t used = atomic_load_explicit(&own->used, memory_order_relaxed);
    do {
        fits = bytes <= own->pool - used;
    } while (fits && !atomic_compare_exchange_weak_explicit(&own->used, &used, used + bytes,
                                                            memory_order_relaxed,
                                                            memory_order_relaxed));
    fl_omp_atomic_end(begun, &op);
    return fits;
}

static void give_back(uintptr_t handle, size_t bytes) {
    if (known(handle)->pool != UINTPTR_MAX) {
        struct allocator *own = (struct allocator *)handle;
        struct fl_atomic_op op = {.at = &own->used};
        enum fl_omp_far_atomic begun = fl_omp_atomic_begin(&op);
        atomic_fetch_sub_explicit(&own->used, bytes, memory_order_relaxed);
        fl_omp_atomic_end(begun, &op);
    }
}

/* Allocates a block whose bytes have been reserved. */
static void *place(uintptr_t handle, size_t alignment, size_t bytes, bool zeros) {
    size_t extra = sizeof(struct block) + alignment, all;
    if (__builtin_add_overflow(bytes, extra, &all)) {
        return NULL;
    }
    bool here = !fl_omp_spread(); /* where calloc knows what is zero already */
    char *base = here && zeros ? calloc(1, all) : fl_omp_program_memory(all, _Alignof(max_align_t));
    if (!base) {
        return NULL;
    }
    if (zeros && !here) {
        memset(base, 0, all);
    }
    char *at = (char *)fl_round_up((uintptr_t)base + sizeof(struct block), alignment);
    ((struct block *)at)[-1] = (struct block){base, handle, bytes};
    return at;
}

static void *get(uintptr_t handle, size_t alignment, size_t bytes, bool zeros) {
    if (!reserve(handle, bytes)) {
        return NULL;
    }
    void *block = place(handle, alignment, bytes, zeros);
    if (!block) {
        give_back(handle, bytes);
    }
    return block;
}

static size_t alignment_of(uintptr_t handle) {
    size_t alignment = known(handle)->alignment;
    return alignment > _Alignof(max_align_t) ? alignment : _Alignof(max_align_t);
}

static void *allocate(uintptr_t handle, size_t alignment, size_t bytes, bool zeros) {
    if (handle == NO_ALLOCATOR) {
        handle = fl_omp_self()->task->icvs.allocator;
    }
    if (bytes == 0 || (alignment & (alignment - 1))) {
        return NULL;
    }
    const struct allocator *allocator = known(handle);
    size_t least = alignment_of(handle);
    alignment = alignment > least ? alignment : least;
    void *block = get(handle, alignment, bytes, zeros);
    if (block) {
        return block;
    }
    switch (allocator->fallback) {
    case FALLBACK_DEFAULT:
        return get(DEFAULT_ALLOCATOR, alignment, bytes, zeros);
    case FALLBACK_ALLOCATOR:
        return allocate(allocator->fallback_data, alignment, bytes, zeros);
    case FALLBACK_ABORT:
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "an OpenMP allocator with the trait abort_fb has no %zu bytes",
                 bytes);
    default:
        return NULL;
    }
}

static void release(void *address) {
    if (address) {
        struct block block = ((struct block *)address)[-1];
        give_back(block.allocator, block.bytes);
        free(block.base);
    }
}

/* Moves a block to one of another size in its pool, of which only the difference is reserved; null:
 * there is no room. */
static void *resize(void *address, size_t bytes) {
    struct block old = ((struct block *)address)[-1];
    size_t more = bytes > old.bytes ? bytes - old.bytes : 0;
    if (!reserve(old.allocator, more)) {
        return NULL;
    }
    void *now = place(old.allocator, alignment_of(old.allocator), bytes, false);
    if (!now) {
        give_back(old.allocator, more);
        return NULL;
    }
    give_back(old.allocator, old.bytes + more - bytes);
    memcpy(now, address, bytes < old.bytes ? bytes : old.bytes);
    free(old.base);
    return now;
}

/* ---- what programs call ---- */

FL_OMP_API void *omp_aligned_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
    return allocate(allocator, alignment, bytes, false);
}

FL_OMP_API void *omp_alloc(size_t bytes, uintptr_t allocator) {
    return allocate(allocator, 1, bytes, false);
}

FL_OMP_API void *omp_aligned_calloc(size_t alignment, size_t n, size_t bytes, uintptr_t allocator) {
    size_t all;
    return __builtin_mul_overflow(n, bytes, &all) ? NULL
                                                  : allocate(allocator, alignment, all, true);
}

FL_OMP_API void *omp_calloc(size_t n, size_t bytes, uintptr_t allocator) {
    return omp_aligned_calloc(1, n, bytes, allocator);
}

FL_OMP_API void omp_free(void *address, uintptr_t allocator) {
    (void)allocator; /* the block knows */
    release(address);
}

FL_OMP_API void *omp_realloc(void *address, size_t bytes, uintptr_t allocator,
                             uintptr_t free_allocator) {
    if (!address) {
        return omp_alloc(bytes, allocator);
    }
    if (bytes == 0) {
        omp_free(address, free_allocator);
        return NULL;
    }
    struct block old = ((struct block *)address)[-1];
    bool stays = !allocator || allocator == old.allocator;
    void *now = stays ? resize(address, bytes) : NULL;
    if (now) {
        return now;
    }
    now = omp_alloc(bytes, stays ? old.allocator : allocator);
    if (now) {
        memcpy(now, address, bytes < old.bytes ? bytes : old.bytes);
        release(address);
    }
    return now;
}

/* For the allocate clause and directive, which must not fail. */
FL_OMP_API void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
    return FL_ALLOCATED(allocate(allocator, alignment, bytes ? bytes : 1, false),
                        "%zu bytes that an allocate clause asks for", bytes);
}

FL_OMP_API void GOMP_free(void *address, uintptr_t allocator) {
    omp_free(address, allocator);
}

/* Applies a trait; false: its value is invalid. */
static bool apply(struct allocator *allocator, struct trait trait) {
    bool standard = trait.value == VALUE_DEFAULT;
    switch (trait.key) {
    case TRAIT_ALIGNMENT:
        allocator->alignment = standard ? 1 : trait.value;
        return allocator->alignment && !(allocator->alignment & (allocator->alignment - 1));
    case TRAIT_POOL_SIZE:
        allocator->pool = standard ? UINTPTR_MAX : trait.value;
        return true;
    case TRAIT_FALLBACK:
        allocator->fallback = standard ? FALLBACK_DEFAULT : trait.value;
        return allocator->fallback >= FALLBACK_DEFAULT && allocator->fallback <= FALLBACK_ALLOCATOR;
    case TRAIT_FALLBACK_DATA:
        allocator->fallback_data = standard ? DEFAULT_ALLOCATOR : trait.value;
        return true;
    default:
        return true; /* how it is accessed, where it lies: hints, for memory that is all alike */
    }
}

FL_OMP_API uintptr_t omp_init_allocator(uintptr_t space, int n, const struct trait *traits) {
    (void)space;
    struct allocator *allocator = fl_omp_program_memory(sizeof *allocator, _Alignof(max_align_t));
    if (!allocator) {
        return NO_ALLOCATOR;
    }
    *allocator = (struct allocator){.alignment = 1,
                                    .pool = UINTPTR_MAX,
                                    .fallback = FALLBACK_DEFAULT,
                                    .fallback_data = DEFAULT_ALLOCATOR};
    for (int i = 0; i < n; i++) {
        if (!apply(allocator, traits[i])) {
            free(allocator);
            return NO_ALLOCATOR;
        }
    }
    return (uintptr_t)allocator;
}

FL_OMP_API void omp_destroy_allocator(uintptr_t allocator) {
    if (allocator > LAST_PREDEFINED) {
        free((struct allocator *)allocator);
    }
}

FL_OMP_API void omp_set_default_allocator(uintptr_t allocator) {
    fl_omp_self()->task->icvs.allocator = allocator ? allocator : DEFAULT_ALLOCATOR;
}

FL_OMP_API uintptr_t omp_get_default_allocator(void) {
    return fl_omp_self()->task->icvs.allocator;
}

/* ---- Fortran: arguments by address; integers may have 8 bytes ---- */

FL_OMP_API uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *n,
                                         const struct trait *traits) {
    return omp_init_allocator(*space, *n, traits);
}

FL_OMP_API uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *n,
                                           const struct trait *traits) {
    return omp_init_allocator(*space, (int)*n, traits);
}

FL_OMP_API void omp_destroy_allocator_(const uintptr_t *allocator) {
    omp_destroy_allocator(*allocator);
}

FL_OMP_API void omp_set_default_allocator_(const uintptr_t *allocator) {
    omp_set_default_allocator(*allocator);
}

FL_OMP_ALIAS(uintptr_t, omp_get_default_allocator_, (void), omp_get_default_allocator);
