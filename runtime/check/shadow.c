/* SPDX-License-Identifier: BSD-3-Clause */
/* See shadow.h; and where the checker's memory is. */
#include "check/shadow.h"

#include "check/bias.h"
#include "check/objects.h"
#include "core/fatal.h"
#include "platform/os.h"

#include <stdlib.h>
#include <string.h>

struct check_memory check_memory;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { LOG2_CHUNKS = 16 }; /* sanitizers leave fewer addresses */
#else
enum { LOG2_CHUNKS = 21 }; /* of 128 GB */
#endif

static uint64_t take(uint64_t *at, uint64_t bytes) {
    uint64_t begin = *at;
    *at = fl_round_up(begin + bytes, 4096);
    return begin;
}

static void place(struct check_memory *memory, char *base, uint64_t *bytes_p) {
    const struct fl_space *space = &upc_process.space;
    uint64_t threads = space->threads, at = 0;
    uint64_t granules = (space->here_bytes >> FL_HEAP_LOG2_GRANULE) + 1;
    memory->shared = (void *)(base + take(&at, sizeof *memory->shared));
    memory->barrier = (void *)(base + take(&at, CHECK_PHASES * threads * sizeof(uint32_t)));
    memory->batches = (void *)(base + take(&at, threads * sizeof *memory->batches));
    memory->sync = (void *)(base + take(&at, CHECK_SYNC_OBJECTS * threads * sizeof(uint32_t)));
    memory->sites = (void *)(base + take(&at, CHECK_MAX_SITES * sizeof *memory->sites));
    memory->texts = base + take(&at, CHECK_TEXT_BYTES);
    memory->pairs = (void *)(base + take(&at, CHECK_PAIRS * sizeof *memory->pairs));
    memory->orders = (void *)(base + take(&at, CHECK_PAIRS * sizeof *memory->orders));
    memory->locks = (void *)(base + take(&at, CHECK_LOCKS * sizeof *memory->locks));
    memory->objects = (void *)(base + take(&at, CHECK_MAX_OBJECTS * sizeof *memory->objects));
    memory->granules = (void *)(base + take(&at, granules * sizeof *memory->granules));
    memory->chunks = base + take(&at, sizeof(struct check_chunk) << LOG2_CHUNKS);
    *bytes_p = at;
}

void check_start(void) {
    const struct fl_space *space = &upc_process.space;
    if (upc_process.layout.hosts > 1) {
        fl_fatal(FL_CODE_ONE_HOST_ONLY,
                 "the program was compiled with upcc -check, which looks for mistakes on one host, "
                 "but the job has %u; run it on one, or compile it without -check",
                 upc_process.layout.hosts);
    }
    if (space->threads > CHECK_MAX_THREADS) {
        fl_fatal(FL_CODE_ONE_HOST_ONLY,
                 "upcc -check knows %d threads, but the job has %u; run the program with fewer, or "
                 "compile it without -check",
                 CHECK_MAX_THREADS, space->threads);
    }
    uint64_t bytes, begin = space->here_bytes + space->job_area_bytes;
    void *memory;
    place(&check_memory, NULL, &bytes);
    int error = fl_os_memory_grow(space->fd, begin + bytes);
    if (!error) {
        error = fl_os_memory_map(space->fd, begin, bytes, &memory);
    }
    if (error) {
        fl_fatal(FL_CODE_SHARED_MEMORY, "cannot map the memory of upcc -check: %s",
                 strerror(-error));
    }
    place(&check_memory, memory, &bytes);
    check_objects_start();
}

struct check_chunk *check_chunk_make(struct check_granule *granule) {
    uint32_t none = 0;
    /* Relaxed: only a number. One that is lost to another thread stays unused. */
    uint32_t new =
        atomic_fetch_add_explicit(&check_memory.shared->n_chunks, 1, memory_order_relaxed) + 1;
    if (new >= 1u << LOG2_CHUNKS) {
        fl_fatal(FL_CODE_MEMORY_EXHAUSTED,
                 "upcc -check has no room for more shadow: the program uses more than %llu GB of "
                 "shared memory; run it with a smaller problem",
                 1ull << (LOG2_CHUNKS + FL_HEAP_LOG2_GRANULE - 30));
    }
    /* [C2] pairs [C1]. */
    if (atomic_compare_exchange_strong_explicit(&granule->chunk, &none, new, memory_order_acq_rel,
                                                memory_order_acquire)) {
        none = new;
    }
    return (struct check_chunk *)check_memory.chunks + none;
}

/* Allocated objects have lines of their own. */
static void clear_lines(struct check_chunk *chunk, uint64_t address, uint64_t bytes) {
    for (uint64_t end = address + bytes; address < end; address += FL_HEAP_ALIGN) {
        struct check_line_state *state = check_state_of(chunk, address);
        for (unsigned i = 0; i < check_n_words(state); i++) {
            memset((void *)check_word_of(chunk, address, i), 0, FL_HEAP_ALIGN);
        }
        /* Relaxed: the memory is nobody's. */
        atomic_store_explicit(&state->has_third, false, memory_order_relaxed);
        atomic_store_explicit(&state->bias, 0, memory_order_relaxed);
    }
}

/* The pages of a whole chunk go back to the machine. */
static void clear_granule(uint32_t chunk) {
    char *begin = (char *)((struct check_chunk *)check_memory.chunks + chunk);
    uint64_t at = (uint64_t)(begin - (char *)check_memory.shared);
    const struct fl_space *space = &upc_process.space;
    if (fl_os_memory_punch(space->fd, space->here_bytes + space->job_area_bytes + at,
                           sizeof(struct check_chunk))) {
        memset(begin, 0, sizeof(struct check_chunk));
    }
}

void check_shadow_clear(uint64_t address, uint64_t bytes) {
    for (uint64_t end = address + bytes, next; address < end; address = next) {
        next = (address | (FL_HEAP_GRANULE - 1)) + 1;
        next = next < end ? next : end;
        uint32_t chunk =
            atomic_load_explicit(&check_granule_of(address)->chunk, memory_order_relaxed);
        if (chunk && next - address == FL_HEAP_GRANULE) {
            clear_granule(chunk);
        } else if (chunk) {
            clear_lines((struct check_chunk *)check_memory.chunks + chunk, address, next - address);
        }
    }
}
