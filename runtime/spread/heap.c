/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * malloc and its like. The program's blocks are coherent memory, which each host allocates from its
 * own slice; a block may be freed on any host, and returns to its slice at the next meeting: only
 * then do all hosts know the last write to it. Blocks of others than the program are the C library's.
 */
#include "spread/inside.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* glibc's own, under names on which no library interposes. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);
void __libc_free(void *block);

/* Blocks of another host, freed here since the last meeting; or of this host, freed elsewhere. */
struct freed {
    struct freed *next;
    uint64_t meeting;
    unsigned n;
    void *blocks[509];
};
static struct {
    struct fl_mutex mutex;
    struct freed **there; /* [host] */
    struct freed *here;
} freed;

/* ---- the program's heap ---- */

bool fl_heap_has(const void *block) {
    return (uintptr_t)block - FL_SPREAD_HEAP < fl_spread.slice_bytes * fl_spread_hosts();
}

static unsigned owner_of(const void *block) {
    return (unsigned)(((uintptr_t)block - FL_SPREAD_HEAP) / fl_spread.slice_bytes);
}

static uintptr_t slice_of(unsigned host) {
    return FL_SPREAD_HEAP + host * fl_spread.slice_bytes;
}

static void start_slice(unsigned host) {
    if (!fl_slice_start(&fl_spread.slice, slice_of(host), fl_spread.slice_bytes)) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the tables of the heap");
    }
}

void fl_heap_prepare(void) {
    int error = fl_os_memory_private_at(FL_SPREAD_HEAP, FL_SPREAD_EARLY);
    if (error) {
        fl_fatal(FL_CODE_ADDRESS_SPACE, "the addresses of the coherent heap (0x%llx and above) "
                 "cannot be taken: %s", FL_SPREAD_HEAP, strerror(-error));
    }
    start_slice(0);
    fl_spread.slice.arena.limit = FL_SPREAD_EARLY >> FL_HEAP_LOG2_GRANULE;
    freed.there = fl_os_memory_private(fl_spread_hosts() * sizeof *freed.there);
}

/* Blocks of host 0's constructors become coherent; other hosts' constructors lose theirs. */
void fl_heap_go_on(void) {
    if (fl_spread_me() > 0) {
        start_slice(fl_spread_me());
    }
    fl_spread.slice.arena.limit = (uint32_t)(fl_spread.slice_bytes >> FL_HEAP_LOG2_GRANULE);
}

static void *take(size_t bytes, size_t align, bool zeros) {
    bool fresh;
    void *block = fl_slice_take(&fl_spread.slice, bytes, align, &fresh);
    if (!block) {
        errno = ENOMEM;
    } else if (zeros && !fresh) {
        memset(block, 0, bytes);
    }
    return block;
}

void *fl_heap_program(size_t bytes, size_t align) {
    return take(bytes, align, false);
}

size_t fl_heap_whole_pages(size_t bytes) {
    return bytes > SIZE_MAX - 4095 ? SIZE_MAX : fl_round_up(bytes, 4096);
}

/* A slot has the number of pages only if the block fills it. */
void *fl_heap_take_pages(size_t bytes) {
    size_t pages = fl_heap_whole_pages(bytes);
    return take(pages, pages & (pages - 1) ? FL_HEAP_GRANULE : 4096, true);
}

static void free_elsewhere(void *block) {
    unsigned host = owner_of(block);
    fl_mutex_lock(&freed.mutex);
    struct freed *some = freed.there[host];
    if (!some || some->n == sizeof some->blocks / sizeof some->blocks[0]) {
        struct freed *more = __libc_calloc(1, sizeof *more);
        if (!more) {
            fl_mutex_unlock(&freed.mutex);
            return; /* the block is never used again */
        }
        more->next = some;
        freed.there[host] = some = more;
    }
    some->blocks[some->n++] = block;
    fl_mutex_unlock(&freed.mutex);
}

static FL_COLD _Noreturn void bad_free(const void *block) {
    fl_fatal(FL_CODE_BAD_FREE, "free(%p): no block of the heap begins there, or it is free already",
             block);
}

void fl_heap_give(void *block) {
    if (!fl_slice_holds(&fl_spread.slice, block)) {
        if (fl_spread_together()) {
            free_elsewhere(block);
        }
    } else if (!fl_slice_give(&fl_spread.slice, block)) {
        bad_free(block);
    }
}

static struct fl_slice_size find_size(void *block) {
    if (fl_slice_holds(&fl_spread.slice, block)) {
        return fl_slice_size(&fl_spread.slice, block);
    }
    struct fl_comm_answer answer = {0};
    fl_comm_ask(owner_of(block), FL_COMM_SPREAD,
                FL_MESSAGE_WORDS(fl_spread, size, .block = (uintptr_t)block), NULL, 0, &answer);
    return (struct fl_slice_size){answer.words[0], answer.words[1]};
}

bool fl_heap_is_pages(void *block, size_t bytes) {
    return bytes > 0 && find_size(block).asked == fl_heap_whole_pages(bytes);
}

static size_t size_of(void *block) {
    size_t bytes = find_size(block).bytes;
    if (!bytes) {
        bad_free(block);
    }
    return bytes;
}

void fl_spread_serve_size(const struct fl_comm_call *call,
                          const struct fl_spread_size_message *asked) {
    void *block = (void *)(uintptr_t)asked->block;
    struct fl_slice_size size = {0, 0};
    if (fl_slice_holds(&fl_spread.slice, block)) {
        size = fl_slice_size(&fl_spread.slice, block);
    }
    const uint64_t words[2] = {size.bytes, size.asked};
    fl_comm_answer(call->asker, words, 2, NULL, 0);
}

/* ---- blocks of other hosts ---- */

static uint64_t meeting_now(void) {
    /* Relaxed: one thread of the host meets others, and the host's other threads wait for it. */
    return atomic_load_explicit(&fl_spread.meeting, memory_order_relaxed);
}

void fl_heap_tell_freed(void) {
    for (unsigned host = 0; host < fl_spread_hosts(); host++) {
        fl_mutex_lock(&freed.mutex);
        struct freed *some = freed.there[host];
        freed.there[host] = NULL;
        fl_mutex_unlock(&freed.mutex);
        for (struct freed *next; some; some = next) {
            next = some->next;
            fl_comm_tell(host, FL_COMM_SPREAD,
                         FL_MESSAGE_WORDS(fl_spread, free, .meeting = meeting_now()), some->blocks,
                         some->n * sizeof *some->blocks);
            __libc_free(some);
        }
    }
}

void fl_spread_serve_free(const struct fl_comm_call *call,
                          const struct fl_spread_free_message *words) {
    struct freed *some = __libc_calloc(1, sizeof *some);
    if (!some || call->bytes > sizeof some->blocks) {
        __libc_free(some);
        return; /* the blocks are never used again */
    }
    some->meeting = words->meeting;
    some->n = (unsigned)(call->bytes / sizeof *some->blocks);
    memcpy(some->blocks, call->payload, call->bytes);
    fl_mutex_lock(&freed.mutex);
    some->next = freed.here;
    freed.here = some;
    fl_mutex_unlock(&freed.mutex);
}

/* Blocks from hosts that are one meeting ahead stay until the next one. */
void fl_heap_take_freed(void) {
    fl_mutex_lock(&freed.mutex);
    struct freed *all = freed.here, *next;
    freed.here = NULL;
    fl_mutex_unlock(&freed.mutex);
    for (; all; all = next) {
        next = all->next;
        if (all->meeting >= meeting_now()) {
            fl_mutex_lock(&freed.mutex);
            all->next = freed.here;
            freed.here = all;
            fl_mutex_unlock(&freed.mutex);
            continue;
        }
        for (unsigned i = 0; i < all->n; i++) {
            /* No block: it was allocated by constructors of the host that has freed it. */
            if (!fl_slice_give(&fl_spread.slice, all->blocks[i])) {
                continue;
            }
        }
        __libc_free(all);
    }
}

/* ---- malloc and its like ---- */

_Thread_local bool fl_heap_own, fl_heap_lent;

/* Handlers of page faults, whose stacks are not coherent, may come while it is. */
static bool is_lent(const void *pc) {
    return (!fl_spread_together() || fl_spread_is_coherent(__builtin_frame_address(0))) &&
           fl_object_is_c_library(pc);
}

bool fl_heap_is_program(const void *pc) {
    if (FL_UNLIKELY(fl_spread_phase() == FL_SPREAD_ALONE)) {
        return false;
    }
    enum fl_object_kind kind = fl_object_of(pc);
    return kind == FL_OBJECT_PROGRAM || (kind == FL_OBJECT_LIBRARY && !fl_heap_own) ||
           (FL_UNLIKELY(fl_heap_lent) && is_lent(pc));
}
#define CALLED_BY_PROGRAM fl_heap_is_program(__builtin_return_address(0))

static void *take_own(size_t bytes, const void *pc) {
    void *place = fl_streams_take(bytes, pc);
    return FL_UNLIKELY(place != NULL) ? place : __libc_malloc(bytes);
}

FL_EXPORT void *malloc(size_t bytes) {
    return CALLED_BY_PROGRAM ? take(bytes, 16, false)
                             : take_own(bytes, __builtin_return_address(0));
}

FL_EXPORT void free(void *block) {
    if (fl_heap_has(block)) {
        fl_heap_give(block);
    } else if (!fl_streams_give(block)) {
        __libc_free(block);
    }
}

FL_EXPORT void *calloc(size_t n, size_t size) {
    size_t bytes;
    if (!CALLED_BY_PROGRAM) {
        return __libc_calloc(n, size);
    }
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return take(bytes, 16, true);
}

static void *resize(void *block, size_t bytes) {
    size_t old = size_of(block);
    /* A block that is much too large is copied, so that its memory comes free. */
    if (bytes <= old && (old <= 64 || bytes > old / 2)) {
        return block;
    }
    /* A large block that grows will grow again: with room, or each step would copy all of it. */
    size_t room = old >= FL_HEAP_GRANULE && bytes > old && bytes < SIZE_MAX / 2 ? bytes / 4 : 0;
    void *larger = take(bytes + room, 16, false);
    larger = larger || room == 0 ? larger : take(bytes, 16, false);
    if (larger) {
        memcpy(larger, block, old < bytes ? old : bytes);
        fl_heap_give(block);
    }
    return larger;
}

static void *reallocate(void *block, size_t bytes, bool by_program) {
    if (!block) {
        return by_program ? take(bytes, 16, false) : __libc_malloc(bytes);
    }
    if (!fl_heap_has(block)) {
        return __libc_realloc(block, bytes);
    }
    if (bytes == 0) {
        fl_heap_give(block);
        return NULL;
    }
    return resize(block, bytes);
}

FL_EXPORT void *realloc(void *block, size_t bytes) {
    return reallocate(block, bytes, CALLED_BY_PROGRAM);
}

FL_EXPORT void *reallocarray(void *block, size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate(block, bytes, CALLED_BY_PROGRAM);
}

static void *aligned(size_t align, size_t bytes, bool by_program) {
    return by_program ? take(bytes, align, false) : __libc_memalign(align, bytes);
}

FL_EXPORT void *memalign(size_t align, size_t bytes) {
    return aligned(align, bytes, CALLED_BY_PROGRAM);
}

FL_EXPORT void *aligned_alloc(size_t align, size_t bytes) {
    return aligned(align, bytes, CALLED_BY_PROGRAM);
}

FL_EXPORT int posix_memalign(void **block_p, size_t align, size_t bytes) {
    if (align < sizeof(void *) || (align & (align - 1)) != 0) {
        return EINVAL;
    }
    void *block = aligned(align, bytes, CALLED_BY_PROGRAM);
    if (!block) {
        return ENOMEM;
    }
    *block_p = block;
    return 0;
}

FL_EXPORT void *valloc(size_t bytes) {
    return aligned(4096, bytes, CALLED_BY_PROGRAM);
}

FL_EXPORT void *pvalloc(size_t bytes) {
    return aligned(4096, fl_heap_whole_pages(bytes), CALLED_BY_PROGRAM);
}

FL_EXPORT size_t malloc_usable_size(void *block) {
    return fl_heap_has(block) ? size_of(block) : FL_NEXT(malloc_usable_size)(block);
}
