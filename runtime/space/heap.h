/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared heaps of a job. Each thread has a local heap in the lower half of its segment, above
 * the static objects; the global heap is the upper half of all segments: a block of it has the
 * same offset in each. A host keeps the local heaps of its threads, and host 0 the global one; any
 * thread of a host may allocate and free in the heaps that the host keeps. The other hosts only
 * count what the global heap takes of their memory.
 *
 * Memory is dealt in granules of 64 KiB. Larger blocks are runs of granules; smaller ones are slots
 * of one granule, all of one size. What is known about a granule stands in a table apart, indexed
 * by its number among those of the host, so that a program that writes past a block destroys its own
 * data but not the heap, and a pointer that cannot be freed is recognised. The table is sparse: it
 * occupies memory only for granules that are used.
 */
#ifndef FL_SPACE_HEAP_H
#define FL_SPACE_HEAP_H

#include "core/mutex.h"
#include "core/status.h"
#include "space/layout.h"
#include "space/space.h"

enum {
    FL_HEAP_LOG2_GRANULE = 16,
    FL_HEAP_GRANULE = 1 << FL_HEAP_LOG2_GRANULE,
    FL_HEAP_ALIGN = 64,
    FL_HEAP_SLOT_MAX = FL_HEAP_GRANULE / 2,
    FL_HEAP_CLASSES = 32, /* slot sizes: see class_of in heap.c */
    FL_HEAP_BINS = 32,    /* free runs by floor(log2(granules)) */
};

enum fl_granule_kind { FL_GRANULE_NONE, FL_GRANULE_FREE, FL_GRANULE_LARGE, FL_GRANULE_SLOTS };

/* Granule numbers are counted from the begin of the host's segments; 0 stands for none, as no heap
 * holds granule 0: the static area does. */
struct fl_granule {
    uint8_t kind; /* of the first granule of a run; the last one of a free run has it too */
    uint8_t slot_class;
    uint16_t used;         /* slots */
    uint32_t granules;     /* of the run, in its first and, if free, last granule */
    uint32_t next, before; /* in the list of its bin or class */
    uint64_t bytes;        /* of a large block, as asked for */
    uint64_t slots[FL_HEAP_GRANULE / FL_HEAP_ALIGN / 64]; /* bit set: in use */
};
_Static_assert(sizeof(struct fl_granule) == 152, "the table's size in memory files depends on it");

/* One heap; in shared memory. */
struct fl_heap_arena {
    _Alignas(FL_CACHE_LINE) struct fl_mutex mutex;
    uint32_t first, limit;             /* granules that may be used */
    uint32_t top;                      /* first granule never used, or free again */
    uint32_t free_runs[FL_HEAP_BINS];  /* first granule of a list */
    uint32_t partial[FL_HEAP_CLASSES]; /* granules with free slots */
    uint64_t kept;                     /* bytes of free runs not given back, or fewer */
    _Atomic uint64_t used;             /* bytes in each segment; rounded */
};

/* What the heaps of a host share; in shared memory. */
struct fl_heap_shared {
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t promised; /* bytes allocated on the host */
    _Atomic int64_t budget; /* bytes that may be promised before the machine is asked again */
};

/* Per process. */
struct fl_heap {
    const struct fl_space *space;
    const struct fl_layout *layout;
    uint64_t static_bytes;  /* in each segment, below the heaps */
    uint64_t segment_limit; /* -shared-heap; 0: none */
    bool overcommit;
    uint32_t align;         /* more than FL_HEAP_ALIGN, up to FL_HEAP_GRANULE; 0: not asked for */
    struct fl_heap_shared *shared;
    struct fl_heap_arena *arenas; /* [thread of the host], then the global heap */
    struct fl_granule *table;
};

/* Bytes of a host's shared memory that its heaps need for themselves; sparse, and zeros at first. */
uint64_t fl_heap_table_bytes(const struct fl_layout *layout);

/* In each process, before use. The static objects lie in the lower half of a segment. */
void fl_heap_attach(struct fl_heap *heap, const struct fl_space *space,
                    const struct fl_layout *layout, void *memory, uint64_t static_bytes);

/* Why an allocation failed, with figures for the message. */
struct fl_heap_failure {
    enum fl_status status; /* FL_ERR_FULL, FL_ERR_MEMORY, FL_ERR_INVALID */
    unsigned host;         /* whose memory it is about */
    uint64_t wanted, used, limit;
};

/* In one process of each host, before any other uses the heaps. False if the static objects already
 * do not fit into the limit or the machine. */
FL_MUST_USE bool fl_heap_init(struct fl_heap *heap, struct fl_heap_failure *failure);

/* Whether an address of shared memory is the global heap's, which host 0 keeps. */
bool fl_heap_is_global(const struct fl_heap *heap, uint64_t address);

/* `bytes` > 0 in the segment of a thread of this host; 0 and *failure on failure. Aligned to
 * FL_HEAP_ALIGN, and to `align` rounded up to a power of two. */
uint64_t fl_heap_alloc_local(struct fl_heap *heap, unsigned thread, uint64_t bytes,
                             struct fl_heap_failure *failure);

/* What has become of each segment's memory by an operation on the global heap. The hosts other than
 * 0 are to repeat it by fl_heap_charge and fl_heap_discharge, in the order of the operations. */
struct fl_heap_effect {
    uint64_t bytes;           /* taken, or returned; 0: nothing was */
    uint64_t offset, punched; /* returned, and so many bytes given back to the machine */
};

/* On host 0: `bytes` > 0 in every segment, at the same offset; the address is that in thread 0's. */
uint64_t fl_heap_alloc_global(struct fl_heap *heap, uint64_t bytes, struct fl_heap_effect *effect,
                              struct fl_heap_failure *failure);

/* FL_ERR_INVALID, and nothing done, if the address is not that of a block in use; *why_p says
 * what it is instead. On the host that keeps it. */
FL_MUST_USE enum fl_status fl_heap_free(struct fl_heap *heap, uint64_t address,
                                        struct fl_heap_effect *effect, const char **why_p);

/* False if this host's limits do not allow what was taken; it is counted even so, for the block to
 * be freed again. */
FL_MUST_USE bool fl_heap_charge(struct fl_heap *heap, const struct fl_heap_effect *effect,
                                struct fl_heap_failure *failure);
void fl_heap_discharge(struct fl_heap *heap, const struct fl_heap_effect *effect);

#endif
