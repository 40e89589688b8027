/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Write tracking. Where the kernel can note first writes itself, a write costs a fraction of a
 * fault; but each end of an interval must scan for them, over pages that have not been written too.
 * So chunks are tracked whose pages take many faults in several epochs, until scans have cost more
 * than they saved; and none while locks end so many intervals that the scans at these ends cost
 * more.
 *
 * A tracked page is writable, and clean until a scan finds it written; its twin is made before it
 * can be written to. A chunk is inaccessible while it changes from one mechanism to the other: a
 * thread that accesses it waits for the chunk's lock in its fault.
 */
#include "dsm/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS_MOST = 8192, /* tracked at a time: each may be a mapping of its own (vm.max_map_count) */
    /* A chunk is tracked after some faults of first writes (FURLONG_DSM_TRACK), which cost about what
     * the change does; in so many epochs, since a host that fills memory for the first time will be
     * its home. Twice as many faults each time that it has not paid, up to ENDED_MOST times. */
    EPOCHS = 2,
    ENDED_MOST = 6,
    /* A chunk ceases to be tracked at a loss of IDLE. The unit is a scan of a chunk whose tracked
     * pages are neighbours; else CALL is the cost for each run of neighbours. TWIN: for a twin,
     * perhaps in vain. FOUND: the gain of a first write found by a scan instead of a fault. */
    IDLE = 512,
    IDLE_IN_TESTS = 2,
    CALL = 5,
    TWIN = 3,
    FOUND = 32,
    LOCKED = 4, /* a scan of a chunk when a lock ends an interval: what it finds is written again */
    /* How much more these scans may cost than those at meetings gain, of which at most SAVED_MOST
     * is kept. Then so many meetings pass without tracking, twice as many the next time. */
    DEBT_MOST = 2048,
    SAVED_MOST = 1 << 16,
    REST_LEAST = 16,
    REST_MOST = 1024,
    RUNS = 64
};

void fl_track_start(void) {
    const char *faults = fl_dsm.setup.faults;
    fl_dsm.track.always = faults && strcmp(faults, FL_FAULT_TRACKING) == 0;
    bool may = !fl_dsm.setup.check && fl_dsm.policies.track_faults > 0 &&
               (!faults || fl_dsm.track.always);
    if (!may || !fl_dsm.map.ops->open_noting ||
        fl_dsm.map.ops->open_noting(&fl_dsm.track.handle) != 0) {
        fl_dsm.track.handle = -1;
    }
    size_t chunks = fl_dsm.map.pages / FL_MAP_CHUNK + 1;
    fl_dsm.track.chunks.pages = fl_dsm_memory(chunks, sizeof(uint32_t));
    fl_dsm.track.wished.pages = fl_dsm_memory(chunks, sizeof(uint32_t));
}

void fl_track_note_fault(uint32_t page) {
    struct fl_dsm_chunk *chunk = fl_dsm_chunk(page);
    fl_assert(fl_page_chunks_held > 0 && chunk->epochs <= EPOCHS);
    if (fl_dsm.track.handle < 0 || fl_dsm.pages[page].fixed || chunk->wished) {
        return;
    }
    /* Relaxed: threads of this host have seen the end of their last barrier. */
    uint32_t epoch = 1 + atomic_load_explicit(&fl_dsm.meet.epoch, memory_order_relaxed);
    if (epoch != chunk->epoch && chunk->epochs < EPOCHS) {
        chunk->epochs++;
    }
    chunk->faults++;
    chunk->epoch = epoch;
    bool many = chunk->epochs == EPOCHS && chunk->faults >= fl_dsm.policies.track_faults << chunk->ended;
    if (many || fl_dsm.track.always) {
        chunk->wished = true;
        fl_mutex_lock(&fl_dsm.track.mutex);
        fl_assert(fl_dsm.track.wished.n <= fl_dsm.map.pages / FL_MAP_CHUNK);
        fl_dsm.track.wished.pages[fl_dsm.track.wished.n++] = page / FL_MAP_CHUNK;
        fl_mutex_unlock(&fl_dsm.track.mutex);
    }
}

void fl_track_add(uint32_t page) {
    struct fl_dsm_chunk *chunk = fl_dsm_chunk(page);
    fl_assert(fl_page_chunks_held > 0 && chunk->on && chunk->wished);
    chunk->tracked |= (uint64_t)1 << page % FL_MAP_CHUNK;
    if (chunk->idle < 2 * IDLE && !fl_dsm.track.always) {
        chunk->idle += TWIN;
    }
}

/* ---- scans for what has been written ---- */

typedef void found_page(uint32_t page);

static FL_COLD _Noreturn void give_up(int error) {
    fl_fatal(FL_CODE_SHARED_MEMORY, "the kernel does not say which pages have been written: %s",
             strerror(-error));
}

static void find(unsigned char *at, unsigned char *end, found_page *act) {
    struct fl_os_run runs[RUNS];
    while (at < end) {
        void *next;
        int n = fl_dsm.map.ops->written(at, (size_t)(end - at), runs, RUNS, &next);
        if (n < 0) {
            give_up(n);
        }
        for (int i = 0; i < n; i++) {
            for (size_t b = 0; b < runs[i].bytes; b += FL_MAP_PAGE) {
                act(fl_map_page(&fl_dsm.map, (uintptr_t)runs[i].address + b));
            }
        }
        at = next;
    }
}

/* The caller holds the chunk. */
static void found_here(uint32_t page) {
    if (fl_track_has(page)) {
        fl_assert(fl_dsm.pages[page].state == FL_PAGE_WRITABLE);
        FL_DSM_ADD(tracked_writes, 1);
        fl_dsm.track.found++;
        fl_page_note_dirty(page);
        uint16_t *idle = &fl_dsm_chunk(page)->idle;
        *idle = (uint16_t)(*idle > FOUND ? *idle - FOUND : 0);
    }
}

static void found_somewhere(uint32_t page) {
    fl_page_lock(page);
    found_here(page);
    fl_page_unlock(page);
}

/* The next run of tracked neighbours in a chunk, from *p_p on: length, perhaps 0, and begin. */
static uint32_t next_run(uint64_t tracked, uint32_t *p_p) {
    uint32_t p = *p_p;
    while (p < FL_MAP_CHUNK && !(tracked >> p & 1)) {
        p++;
    }
    *p_p = p;
    while (p < FL_MAP_CHUNK && tracked >> p & 1) {
        p++;
    }
    return p - *p_p;
}

static unsigned idle_most(void) {
    return fl_dsm.track.always ? IDLE_IN_TESTS : IDLE;
}

/* Scans the tracked chunks. A write that the scan misses, because nothing orders it before or
 * because its chunk changes meanwhile, belongs to a later interval. */
static void look(void) {
    bool always = fl_dsm.track.always;
    unsigned char *from = NULL, *to = NULL;
    for (uint32_t i = 0; i < fl_dsm.track.chunks.n; i++) {
        uint32_t first = fl_dsm.track.chunks.pages[i] * FL_MAP_CHUNK, n;
        struct fl_dsm_chunk *chunk = fl_dsm_chunk(first);
        fl_page_lock(first);
        uint64_t tracked = chunk->tracked;
        fl_assert(chunk->on);
        uint32_t begins = (uint32_t)__builtin_popcountll(tracked & ~(tracked << 1));
        chunk->idle = (uint16_t)(chunk->idle + (begins > 1 && !always ? begins * CALL : 1));
        fl_dsm.track.tired = fl_dsm.track.tired || chunk->idle >= idle_most();
        fl_page_unlock(first);
        for (uint32_t p = 0; (n = next_run(tracked, &p)) > 0; p += n) {
            unsigned char *at = fl_map_address(&fl_dsm.map, first + p);
            if (at != to) {
                find(from, to, found_somewhere);
                from = at;
            }
            to = at + (size_t)n * FL_MAP_PAGE;
        }
    }
    find(from, to, found_somewhere);
}

static void account(int64_t more) {
    fl_dsm.track.saved += more;
    if (fl_dsm.track.saved > SAVED_MOST) {
        fl_dsm.track.saved = SAVED_MOST;
    } else if (fl_dsm.track.saved < -DEBT_MOST && !fl_dsm.track.always) {
        fl_dsm.track.saved = 0;
        fl_dsm.track.tired = fl_dsm.track.all_tired = true;
    }
}

void fl_track_collect(bool meeting) {
    fl_assert(fl_page_chunks_held == 0);
    if (fl_dsm.track.chunks.n == 0) {
        return;
    }
    uint64_t faults = fl_dsm.map.ops->kernel_faults(), before = fl_dsm.track.found;
    if (!meeting || faults != fl_dsm.track.faults) {
        look();
    }
    fl_dsm.track.faults = faults;
    int64_t found = (int64_t)(fl_dsm.track.found - before);
    account(meeting ? found * FOUND : -(int64_t)fl_dsm.track.chunks.n * LOCKED);
}

/* ---- starting and stopping to track chunks ---- */

static void open_door(uint32_t first, size_t bytes) {
    int error = fl_os_memory_protect(fl_map_address(&fl_dsm.map, first), bytes, true, true);
    if (error) {
        give_up(error);
    }
}

/* False: there are too many mappings. */
static bool close_door(uint32_t first, size_t bytes) {
    int error = fl_os_memory_protect(fl_map_address(&fl_dsm.map, first), bytes, false, false);
    if (error && error != -ENOMEM) {
        give_up(error);
    }
    return !error;
}

static void move(uint32_t first, size_t bytes, int from, int to) {
    FL_DSM_ADD(protections, 1);
    int error = fl_dsm.map.ops->move(from, to, fl_map_address(&fl_dsm.map, first), bytes);
    if (error) {
        give_up(error);
    }
}

static void protect(uint32_t first, uint64_t pages) {
    uint32_t n;
    for (uint32_t p = 0; (n = next_run(pages, &p)) > 0; p += n) {
        fl_page_protect(first + p, n);
    }
}

/* The chunk is as if it had had no fault. */
static bool forget(uint32_t first, size_t bytes) {
    (void)bytes;
    struct fl_dsm_chunk *chunk = fl_dsm_chunk(first);
    chunk->on = chunk->wished = false;
    chunk->tracked = 0;
    chunk->epochs = 0;
    chunk->faults = 0;
    return false;
}

static bool begin(uint32_t first, size_t bytes) {
    if (!close_door(first, bytes)) {
        return forget(first, bytes);
    }
    move(first, bytes, fl_dsm.map.handle, fl_dsm.track.handle);
    struct fl_dsm_chunk *chunk = fl_dsm_chunk(first);
    fl_assert(!chunk->on && chunk->wished && chunk->tracked == 0);
    chunk->on = true;
    for (uint32_t p = first; p < first + bytes / FL_MAP_PAGE; p++) {
        if (fl_dsm.pages[p].state == FL_PAGE_READABLE) {
            fl_page_become_readable(p);
        } else if (fl_dsm.pages[p].state == FL_PAGE_WRITABLE) {
            fl_track_add(p);
        }
    }
    chunk->idle = 0;
    protect(first, chunk->tracked);
    open_door(first, bytes);
    return true;
}

static bool end(uint32_t first, size_t bytes) {
    if (!close_door(first, bytes)) {
        return false;
    }
    struct fl_dsm_chunk *chunk = fl_dsm_chunk(first);
    fl_assert(chunk->on && chunk->wished);
    uint64_t clean = 0;
    uint32_t n;
    for (uint32_t p = 0; (n = next_run(chunk->tracked, &p)) > 0; p += n) {
        unsigned char *at = fl_map_address(&fl_dsm.map, first + p);
        find(at, at + (size_t)n * FL_MAP_PAGE, found_here);
    }
    move(first, bytes, fl_dsm.track.handle, fl_dsm.map.handle);
    for (uint32_t p = 0; p < FL_MAP_CHUNK; p++) {
        struct fl_page *page = &fl_dsm.pages[first + p];
        if (chunk->tracked >> p & 1 && !page->listed) {
            if (page->twin) {
                fl_page_drop_twin(first + p);
            } else {
                fl_log_begin(first + p); /* the old one lacks other hosts' diffs since */
            }
            fl_page_become(first + p, FL_PAGE_READABLE);
            clean |= 1ull << p;
        }
    }
    forget(first, bytes);
    chunk->ended = (uint8_t)(chunk->ended + (chunk->ended < ENDED_MOST));
    protect(first, clean);
    open_door(first, bytes);
    return true;
}

/* Calls `act` with the chunk's lock held; returns its result. */
static bool change(uint32_t chunk, bool act(uint32_t first, size_t bytes)) {
    uint32_t first = chunk * FL_MAP_CHUNK;
    const struct fl_map_range *range = fl_map_range_of(&fl_dsm.map, first);
    uint64_t left = range->bytes - (uint64_t)(first - range->first) * FL_MAP_PAGE;
    size_t most = (size_t)FL_MAP_CHUNK * FL_MAP_PAGE;
    fl_page_lock(first);
    bool done = act(first, left < most ? left : most);
    fl_page_unlock(first);
    return done;
}

static bool next_wished(uint32_t *chunk_p) {
    struct fl_dsm_list *wished = &fl_dsm.track.wished;
    fl_mutex_lock(&fl_dsm.track.mutex);
    bool any = wished->n > 0;
    if (any) {
        *chunk_p = wished->pages[--wished->n];
    }
    fl_mutex_unlock(&fl_dsm.track.mutex);
    return any;
}

static void begin_wished(void) {
    struct fl_dsm_list *chunks = &fl_dsm.track.chunks;
    uint32_t chunk, before = chunks->n;
    fl_dsm.track.rest -= fl_dsm.track.rest > 0;
    while (next_wished(&chunk)) {
        bool may = chunks->n < CHUNKS_MOST && fl_dsm.track.rest == 0;
        if (change(chunk, may ? begin : forget)) {
            fl_assert(chunks->n < CHUNKS_MOST);
            fl_dsm_list_add(chunks, chunk);
        }
    }
    if (chunks->n > before) {
        fl_dsm_list_sort(chunks);
    }
}

static void end_tired(void) {
    struct fl_dsm_list *chunks = &fl_dsm.track.chunks;
    bool all = fl_dsm.track.all_tired;
    uint32_t stay = 0;
    for (uint32_t i = 0; i < chunks->n; i++) {
        uint32_t chunk = chunks->pages[i];
        bool tired = all || fl_dsm_chunk(chunk * FL_MAP_CHUNK)->idle >= idle_most();
        if (!tired || !change(chunk, end)) {
            chunks->pages[stay++] = chunk;
        }
    }
    chunks->n = stay;
    if (all) {
        uint32_t next = fl_dsm.track.last_rest < REST_MOST / 2 ? 2 * fl_dsm.track.last_rest : REST_MOST;
        fl_dsm.track.last_rest = fl_dsm.track.rest = next < REST_LEAST ? REST_LEAST : next;
    }
    fl_dsm.track.tired = fl_dsm.track.all_tired = false;
}

void fl_track_settle(bool met) {
    if (fl_dsm.track.tired) {
        end_tired();
    }
    if (met) {
        begin_wished();
    }
}
