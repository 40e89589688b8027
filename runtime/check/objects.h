/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The objects in shared memory: static objects, whose descriptors emitted code has, and allocated
 * ones. An object with blocks is at the same offset in each segment.
 */
#ifndef FL_CHECK_OBJECTS_H
#define FL_CHECK_OBJECTS_H

#include "check/shadow.h"

#define CHECK_EVERYWHERE UINT32_MAX

struct check_object {
    uint64_t start; /* offset in the segment */
    uint64_t bytes; /* the least that any thread has; 0 if it is freed */
    uint64_t total, block; /* bytes of all threads, and of a block, which are dealt in turn */
    uint32_t home; /* the thread that has it; CHECK_EVERYWHERE */
    uint32_t site, freed_at;
    bool is_freed;
};

/* Numbers the static objects. */
void check_objects_start(void);

/* A new block that the allocator gave at an address, of `local` bytes where it is. */
void check_object_add(uint64_t address, uint64_t local, const struct check_object *object);
/* Before it is given back; false if the address is not that of an object. */
bool check_object_end(uint64_t address, uint32_t site);

/* The number of the object that an address of this host belongs to, or belonged to; or 0. */
FL_COLD uint32_t check_static_owner(uint64_t address, uint64_t offset);

static inline uint32_t check_owner(uint64_t address, uint64_t offset) {
    struct check_granule *granule = check_granule_of(address);
    /* Relaxed: the operation by which a thread learns of an object orders its number as well. */
    uint32_t owner = atomic_load_explicit(&granule->owner, memory_order_relaxed);
    if (FL_LIKELY(owner)) {
        return owner;
    }
    uint32_t chunk = atomic_load_explicit(&granule->chunk, memory_order_relaxed);
    if (FL_LIKELY(chunk)) {
        struct check_chunk *shadow = (struct check_chunk *)check_memory.chunks + chunk;
        owner = atomic_load_explicit(&shadow->owners[address % FL_HEAP_GRANULE / FL_HEAP_ALIGN],
                                     memory_order_relaxed);
    }
    return FL_LIKELY(owner) || offset >= upc_process.heap.static_bytes
               ? owner
               : check_static_owner(address, offset);
}

/* One past the largest number that has been given to an object. */
uint32_t check_objects_end(void);
bool check_object_is_static(uint32_t number);

/* Bytes of an object at a thread. */
uint64_t check_object_share(const struct check_object *object, unsigned thread);

struct check_name {
    char text[1200];
};
/* "`a[17]`", or "byte 40 at thread 2 of the 100 bytes of a.upc:7 (upc_all_alloc)". */
struct check_name check_name_of(uint64_t address);
/* "`a`", or "the 100 bytes of a.upc:7 (upc_all_alloc)". */
struct check_name check_object_name(uint32_t number);
/* The object nearest to an address that belongs to none; 0 if there is none in that segment. */
uint32_t check_nearest(uint64_t address);

#endif
