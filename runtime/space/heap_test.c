/* SPDX-License-Identifier: BSD-3-Clause */
/* The heaps: blocks never overlap, are reused, merge, and bad frees are told. */
#include "space/heap.h"

#include "core/test.h"
#include "platform/os.h"

enum { THREADS = 5, SLOTS = 400, STEPS = 20000 };

static struct fl_space space;
static struct fl_heap heap;

static uint64_t alloc_global(uint64_t bytes, struct fl_heap_failure *failure) {
    struct fl_heap_effect effect;
    return fl_heap_alloc_global(&heap, bytes, &effect, failure);
}

static enum fl_status free_block(uint64_t address, const char **why_p) {
    struct fl_heap_effect effect;
    return fl_heap_free(&heap, address, &effect, why_p);
}

static uint64_t random_next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Sizes of all scales, most of them small. */
static uint64_t random_size(uint64_t *state) {
    uint64_t bits = random_next(state) % 20 + 1;
    return random_next(state) % (1ull << bits) + 1;
}

struct block {
    uint64_t address, bytes;
    unsigned char fill;
};

/* First and last bytes: writing whole blocks would take the memory of the machine. */
static void fill(const struct block *b) {
    memset((void *)b->address, b->fill, b->bytes < 64 ? b->bytes : 64);
    ((unsigned char *)b->address)[b->bytes - 1] = b->fill;
}

static bool intact(const struct block *b) {
    const unsigned char *bytes = (const unsigned char *)b->address;
    for (uint64_t i = 0; i < b->bytes && i < 63; i++) {
        if (bytes[i] != b->fill) {
            return false;
        }
    }
    return bytes[b->bytes - 1] == b->fill;
}

static bool churn(unsigned me, void *context) {
    (void)context;
    uint64_t state = 88172645463325252u + me;
    static _Thread_local struct block blocks[SLOTS];
    memset(blocks, 0, sizeof blocks);
    for (int i = 0; i < STEPS; i++) {
        struct block *b = &blocks[random_next(&state) % SLOTS];
        const char *why;
        if (b->address) {
            if (!intact(b) || free_block(b->address, &why) != FL_OK) {
                return false;
            }
            b->address = 0;
            continue;
        }
        struct fl_heap_failure failure;
        b->bytes = random_size(&state);
        b->fill = (unsigned char)(random_next(&state) | 1);
        b->address = i % 3 ? fl_heap_alloc_local(&heap, me % THREADS, b->bytes, &failure)
                           : alloc_global(b->bytes, &failure);
        if (!b->address || b->address % FL_HEAP_ALIGN) {
            return false;
        }
        fill(b);
    }
    for (int i = 0; i < SLOTS; i++) {
        const char *why;
        if (blocks[i].address && free_block(blocks[i].address, &why) != FL_OK) {
            return false;
        }
    }
    return true;
}

/* No block overlaps another, checked by address ranges rather than contents. */
static void ranges(void) {
    static struct block blocks[3000];
    uint64_t state = 7;
    struct fl_heap_failure failure;
    for (int i = 0; i < 3000; i++) {
        blocks[i].bytes = random_size(&state);
        blocks[i].address = fl_heap_alloc_local(&heap, 1, blocks[i].bytes, &failure);
    }
    bool apart = true;
    for (int i = 0; i < 3000; i++) {
        for (int j = 0; j < i; j++) {
            apart &= blocks[i].address >= blocks[j].address + blocks[j].bytes ||
                     blocks[j].address >= blocks[i].address + blocks[i].bytes;
        }
    }
    CHECK(apart, "3000 blocks do not overlap");
    bool freed = true;
    const char *why;
    for (int i = 0; i < 3000; i++) {
        freed &= free_block(blocks[i * 7 % 3000].address, &why) == FL_OK;
    }
    CHECK(freed, "they can be freed in any order");
}

static void reuse(void) {
    struct fl_heap_failure failure;
    const char *why;
    uint64_t first = fl_heap_alloc_local(&heap, 2, 50 << 20, &failure);
    bool same = true;
    for (int i = 0; i < 1000; i++) {
        same &= free_block(first, &why) == FL_OK;
        same &= fl_heap_alloc_local(&heap, 2, 50 << 20, &failure) == first;
    }
    CHECK(same, "a freed block is used again");
    uint64_t before = fl_os_memory_resident(space.fd);
    memset((void *)first, 1, 50 << 20);
    uint64_t during = fl_os_memory_resident(space.fd);
    same = free_block(first, &why) == FL_OK;
    uint64_t after = fl_os_memory_resident(space.fd);
    CHECK(during - before >= 50 << 20 && after - before < 1 << 20, "and its memory is given back");
    uint64_t a = fl_heap_alloc_local(&heap, 2, 1 << 20, &failure);
    uint64_t b = fl_heap_alloc_local(&heap, 2, 1 << 20, &failure);
    uint64_t c = fl_heap_alloc_local(&heap, 2, 1 << 20, &failure);
    uint64_t d = fl_heap_alloc_local(&heap, 2, 1 << 20, &failure);
    same = free_block(a, &why) == FL_OK && free_block(c, &why) == FL_OK &&
           free_block(b, &why) == FL_OK;
    CHECK(same && fl_heap_alloc_local(&heap, 2, 3 << 20, &failure) == a, "neighbours merge");
    CHECK(free_block(a, &why) == FL_OK && free_block(d, &why) == FL_OK,
          "and can be freed");
}

static bool bad(uint64_t address, const char *expected) {
    const char *why = "";
    return free_block(address, &why) == FL_ERR_INVALID && strstr(why, expected);
}

static void bad_frees(void) {
    struct fl_heap_failure failure;
    const char *why;
    uint64_t small = fl_heap_alloc_local(&heap, 3, 100, &failure);
    uint64_t other = fl_heap_alloc_local(&heap, 3, 100, &failure);
    uint64_t large = fl_heap_alloc_local(&heap, 3, 1 << 20, &failure);
    uint64_t global = alloc_global(1 << 20, &failure);
    CHECK(bad(small + 8, "into a block"), "a pointer into a small block");
    CHECK(bad(large + 8, "into a block"), "a pointer into a large block");
    CHECK(bad(large + FL_HEAP_GRANULE, "into a block"), "a pointer further into a large block");
    CHECK(bad(fl_space_address(&space, 1, fl_space_offset(&space, global)), "into a block"),
          "a pointer to another thread's part of a global block");
    CHECK(bad(fl_space_address(&space, 1, 64), "static"), "a static object");
    CHECK(bad((uint64_t)&why, "not in shared memory"), "a private object");
    CHECK(bad(FL_SPACE_BASE - 64, "not in shared memory"), "an address below the space");
    CHECK(free_block(small, &why) == FL_OK && bad(small, "free already"),
          "a small block twice");
    CHECK(free_block(large, &why) == FL_OK && bad(large, "free already"),
          "a large block twice");
    CHECK(free_block(global, &why) == FL_OK && bad(global, "free already"),
          "a global block twice");
    CHECK(free_block(other, &why) == FL_OK, "the others still can be freed");
}

static void limits(void) {
    struct fl_heap_failure failure = {0};
    CHECK(!fl_heap_alloc_local(&heap, 0, 1ull << 50, &failure), "more than a segment");
    CHECK(!alloc_global(1ull << 62, &failure), "a product that overflows");
    CHECK(!alloc_global(1ull << 40, &failure) && failure.status == FL_ERR_MEMORY,
          "more than the machine has");
    heap.overcommit = true;
    uint64_t sparse = fl_heap_alloc_local(&heap, 0, 1ull << 40, &failure);
    const char *why;
    CHECK(sparse && free_block(sparse, &why) == FL_OK, "unless the user insists");
    heap.overcommit = false;
    heap.segment_limit = 8 << 20;
    uint64_t a = fl_heap_alloc_local(&heap, 4, 3 << 20, &failure);
    uint64_t b = alloc_global(3 << 20, &failure);
    CHECK(a && b && !fl_heap_alloc_local(&heap, 4, 3 << 20, &failure) &&
              failure.status == FL_ERR_FULL,
          "-shared-heap counts local and global blocks");
    CHECK(!alloc_global(3 << 20, &failure), "at the fullest thread");
    CHECK(free_block(a, &why) == FL_OK && free_block(b, &why) == FL_OK &&
              (a = fl_heap_alloc_local(&heap, 4, 6 << 20, &failure)) != 0 &&
              free_block(a, &why) == FL_OK,
          "and freed blocks no longer");
    heap.segment_limit = 0;
}

static void alignment(void) {
    struct fl_heap_failure failure;
    const char *why;
    bool aligned = true;
    for (heap.align = 128; heap.align <= FL_HEAP_GRANULE; heap.align *= 2) {
        for (uint64_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
            uint64_t a = fl_heap_alloc_local(&heap, 1, bytes, &failure);
            uint64_t b = alloc_global(bytes, &failure);
            aligned &= a && b && a % heap.align == 0 && b % heap.align == 0;
            aligned &= free_block(a, &why) == FL_OK;
            aligned &= free_block(b, &why) == FL_OK;
        }
    }
    heap.align = 0;
    CHECK(aligned, "a larger alignment is kept");
}

/* A heap of one of two hosts, that have threads 0 to 2 and 3 to 4 of the same space. */
static void attach_host(struct fl_heap *h, struct fl_layout *layout, unsigned host) {
    static const unsigned first[] = {0, 3};
    struct fl_heap_failure failure;
    bool good = fl_layout_make(layout, THREADS, 1, 2, first, first[host]);
    fl_heap_attach(h, &space, layout, test_shared_memory(fl_heap_table_bytes(layout)), 1000);
    CHECK(good && fl_heap_init(h, &failure), "the heaps of host %u start", host);
}

/* Pages that a network card may access are not given back. */
static void kept_pages(void) {
    static const uint64_t bytes = 80 << 20; /* more than a heap keeps anyway */
    struct fl_heap_failure failure;
    const char *why;
    struct fl_space_pages pages = {0};
    uint64_t resident[2];
    space.pages = &pages;
    for (int kept = 0; kept < 2; kept++) {
        uint64_t before = fl_os_memory_resident(space.fd);
        uint64_t block = fl_heap_alloc_local(&heap, 0, bytes, &failure);
        memset((void *)block, 1, bytes);
        if (kept) {
            fl_space_keep_pages(&space);
        }
        CHECK(block && free_block(block, &why) == FL_OK, "a freed block of many pages");
        resident[kept] = fl_os_memory_resident(space.fd) - before;
    }
    CHECK(resident[0] < bytes / 2, "its pages are given back");
    CHECK(resident[1] >= bytes / 2, "and not if they are to stay");
    space.pages = NULL;
}

static void hosts(void) {
    struct fl_layout layouts[2];
    struct fl_heap host0 = {0}, host1 = {0};
    struct fl_heap_failure failure;
    struct fl_heap_effect effect;
    const char *why;
    attach_host(&host0, &layouts[0], 0);
    attach_host(&host1, &layouts[1], 1);
    uint64_t local = fl_heap_alloc_local(&host1, 3, 100, &failure);
    CHECK(fl_space_thread(&space, local) == 3 && !fl_heap_is_global(&host0, local),
          "host 1 keeps the local heap of its first thread");
    CHECK(fl_heap_free(&host1, local, &effect, &why) == FL_OK && effect.bytes == 0,
          "which is no other host's affair");
    host1.segment_limit = 64 << 20;
    uint64_t global = fl_heap_alloc_global(&host0, 40 << 20, &effect, &failure);
    CHECK(global && effect.bytes == 40 << 20 && fl_heap_charge(&host1, &effect, &failure),
          "host 1 has room for a global block");
    CHECK(fl_heap_is_global(&host1, fl_space_address(&space, 4, fl_space_offset(&space, global))),
          "which host 0 keeps");
    CHECK(!fl_heap_charge(&host1, &effect, &failure) && failure.status == FL_ERR_FULL &&
              failure.host == 1 && failure.used > 40 << 20,
          "but not for two");
    fl_heap_discharge(&host1, &(struct fl_heap_effect){.bytes = effect.bytes});
    uint64_t before = fl_os_memory_resident(space.fd);
    memset((void *)fl_space_address(&space, 4, fl_space_offset(&space, global)), 1, 40 << 20);
    CHECK(fl_heap_free(&host0, global, &effect, &why) == FL_OK && effect.punched == 40 << 20,
          "a freed global block");
    fl_heap_discharge(&host1, &effect);
    CHECK(fl_os_memory_resident(space.fd) < before + (1 << 20), "occupies host 1's memory no more");
    uint64_t small = fl_heap_alloc_global(&host0, 8, &effect, &failure);
    CHECK(small && effect.bytes == FL_HEAP_GRANULE, "small blocks take a granule");
    CHECK(fl_heap_alloc_global(&host0, 8, &effect, &failure) && effect.bytes == 0, "at first");
    CHECK(fl_heap_free(&host0, fl_space_address(&space, 4, fl_space_offset(&space, small)), &effect,
                       &why) == FL_ERR_INVALID,
          "a pointer to another thread's part of a global block");
    fl_layout_release(&layouts[0]);
    fl_layout_release(&layouts[1]);
}

int main(void) {
    if (TEST_TSAN) {
        printf("1..0 # SKIP the space lies where TSan keeps its own\n");
        return 77;
    }
    struct fl_heap_failure failure;
    struct fl_layout layout;
    CHECK(fl_layout_make(&layout, THREADS, THREADS, 1, (unsigned[]){0}, 0), "one host");
    fl_space_map(&space, &layout, -1, fl_heap_table_bytes(&layout));
    fl_heap_attach(&heap, &space, &layout, space.job_area, 1000);
    CHECK(fl_heap_init(&heap, &failure), "the heaps start");
    ranges();
    reuse();
    bad_frees();
    limits();
    alignment();
    kept_pages();
    hosts();
    CHECK(churn(0, NULL), "one thread allocates and frees");
    CHECK(test_in_threads(8, churn, NULL), "eight pthreads do");
    CHECK(test_in_processes(7, churn, NULL), "seven processes do");
    for (unsigned t = 0; t <= THREADS; t++) {
        CHECK(heap.arenas[t].used <= FL_HEAP_CLASSES * FL_HEAP_GRANULE,
              "heap %u is empty again, but for one granule of each size", t);
    }
    fl_layout_release(&layout);
    return test_done();
}
