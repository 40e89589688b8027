/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stress of tracked pages: chunks begin to be tracked in most epochs, and cease to be in intervals
 * that locks end, while other threads of the host write to them; some pages are rewritten whole, by
 * changing hosts; and the kernel drops mappings of pages that have been written, which are then
 * read or not. Mechanisms without tracking run the same.
 */
#include "comm/world_for_test.h"
#include "dsm/memory_for_test.h"

#include <sys/mman.h>

enum {
    HOSTS = 3,
    THREADS = 3, /* of each host; the first takes locks */
    ALL = HOSTS * THREADS,
    CHUNKS = 4,
    PAGES = CHUNKS * FL_MAP_CHUNK,
    EPOCHS = TEST_TSAN ? 30 : 150,
    WRITES = 60, /* of a thread in an epoch */
    LOCKED = 12,
    WORDS = FL_MAP_PAGE / 8,
    WHOLE = 8 /* each such page is rewritten whole, if at all; its first one has the locked count */
};

static struct fl_map_range range = {.address = BASE, .bytes = (uint64_t)PAGES * FL_MAP_PAGE};

static volatile uint64_t *words_of(uint32_t page) {
    return (volatile uint64_t *)(BASE + (uint64_t)page * FL_MAP_PAGE);
}

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xbf58476d1ce4e5b9u + c * 0x94d049bb133111ebu + 1;
    x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 29);
}

/* The page that a thread writes to, i-th in an epoch; or PAGES. */
static uint32_t page_of(unsigned thread, uint64_t epoch, unsigned i) {
    uint32_t page = (uint32_t)(hash(thread, epoch, i) % PAGES);
    bool idle = thread % THREADS == 0 || epoch % 5 == 4; /* so that chunks cease to be tracked */
    return page % WHOLE == 0 || idle ? PAGES : page;
}

/* The host that rewrites a whole page; or HOSTS. */
static unsigned host_of(uint32_t page, uint64_t epoch) {
    uint64_t random = hash(page, epoch, 77);
    return page == 0 || random % 3 ? HOSTS : (unsigned)(random >> 20) % HOSTS;
}

/* The word of a host at the end of a whole page: hosts may write theirs in the same epoch. */
static unsigned tail(unsigned host) {
    return WORDS - 1 - host;
}

static bool writes_tail(uint32_t page, unsigned host, uint64_t epoch) {
    return page > 0 && hash(page, epoch, 80 + host) % 2;
}

static void rewrite(uint32_t page, unsigned me, uint64_t epoch) {
    enum { PART = (WORDS - HOSTS) / THREADS };
    for (unsigned w = me % THREADS * PART; w < (me % THREADS + 1) * PART; w++) {
        words_of(page)[w] = epoch * WORDS + w;
    }
}

static void drop(uint32_t page, bool read) {
    madvise((void *)(uintptr_t)words_of(page), FL_MAP_PAGE, MADV_DONTNEED);
    if (read) {
        (void)words_of(page)[0];
    }
}

static void count(void) {
    for (unsigned i = 0; i < LOCKED; i++) {
        fl_dsm_acquire(1);
        words_of(0)[0]++;
        fl_dsm_release(1);
    }
}

static void write_epoch(unsigned me, uint64_t epoch) {
    for (uint32_t p = 0; p < PAGES; p += WHOLE) {
        if (host_of(p, epoch) == me / THREADS) {
            rewrite(p, me, epoch);
        }
        if (me % THREADS == 1 && writes_tail(p, me / THREADS, epoch)) {
            words_of(p)[tail(me / THREADS)] = epoch;
        }
    }
    for (unsigned i = 0; i < WRITES; i++) {
        uint32_t page = page_of(me, epoch, i);
        if (page < PAGES) {
            uint64_t random = hash(me, epoch, 1000 + i);
            words_of(page)[me] = epoch;
            if (random % 8 == 0) {
                drop(page, random >> 8 & 1);
            }
        }
    }
}

static bool is(uint32_t page, unsigned word, uint64_t value, unsigned me, uint64_t epoch) {
    if (words_of(page)[word] == value) {
        return true;
    }
    printf("# epoch %llu, thread %u, word %u of page %u: %llu, not %llu\n",
           (unsigned long long)epoch, me, word, page, (unsigned long long)words_of(page)[word],
           (unsigned long long)value);
    fflush(stdout); /* the process ends by _exit */
    return false;
}

/* last[page * ALL + thread]: the epoch in which the thread wrote last. Of whole pages: 0, the epoch
 * in which a host rewrote it last; 1 + host, that in which the host wrote its tail last. */
static void note_epoch(uint64_t *last, uint64_t epoch) {
    for (uint32_t p = 0; p < PAGES; p += WHOLE) {
        last[p * ALL] = host_of(p, epoch) < HOSTS ? epoch : last[p * ALL];
        for (unsigned h = 0; h < HOSTS; h++) {
            last[p * ALL + 1 + h] = writes_tail(p, h, epoch) ? epoch : last[p * ALL + 1 + h];
        }
    }
    for (unsigned t = 0; t < ALL; t++) {
        for (unsigned i = 0; i < WRITES; i++) {
            uint32_t page = page_of(t, epoch, i);
            if (page < PAGES) {
                last[page * ALL + t] = epoch;
            }
        }
    }
}

static bool check_epoch(const uint64_t *last, unsigned me, uint64_t epoch) {
    bool good = is(0, 0, epoch * LOCKED * HOSTS, me, epoch);
    uint32_t step = 1 + (uint32_t)(hash(me, epoch, 5) % 7); /* not all hosts have all pages */
    for (uint32_t p = step; p < PAGES && good; p += step) {
        if (p % WHOLE == 0) {
            unsigned w = (unsigned)(hash(me, epoch, p) % (WORDS / 2));
            good = is(p, w, last[p * ALL] ? last[p * ALL] * WORDS + w : 0, me, epoch);
        }
        for (unsigned h = 0; h < HOSTS && p % WHOLE == 0 && good; h++) {
            good = is(p, tail(h), last[p * ALL + 1 + h], me, epoch);
        }
        for (unsigned t = 0; t < ALL && p % WHOLE && good; t++) {
            good = is(p, t, last[p * ALL + t], me, epoch);
        }
    }
    return good;
}

static bool body(unsigned me, void *context) {
    (void)context;
    fl_dsm_thread_start();
    uint64_t *last = calloc((size_t)PAGES * ALL, sizeof *last);
    bool good = true;
    for (uint64_t epoch = 1; epoch <= EPOCHS; epoch++) {
        if (me % THREADS == 0) {
            count();
        }
        if (hash(me, epoch, 6) % 4 == 0) {
            fl_dsm_claim((void *)(uintptr_t)words_of((uint32_t)(epoch % PAGES)), 2 * FL_MAP_PAGE);
        }
        write_epoch(me, epoch);
        fl_dsm_barrier();
        note_epoch(last, epoch);
        good = check_epoch(last, me, epoch) && good;
        fl_dsm_barrier();
    }
    free(last);
    return good;
}

static void register_handlers(void) {
    start_memory(&range, 1);
}

static void run_all(void) {
    run(faults_name(), new_world(HOSTS, 1, THREADS, body));
}

int main(void) {
    by_all_faults(run_all);
    return test_done();
}
