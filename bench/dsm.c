// SPDX-License-Identifier: BSD-3-Clause
/*
 * The two mechanisms of coherent pages: what one page costs at its first read, at its first write,
 * and when many are taken away; in sequence, every other page, and at random.
 */
#include "bench.h"
#include "dsm/map.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 8192, ROUNDS = 9 };

static const struct fl_fault_ops *ops;
static int handle;
static struct fl_map map;
static unsigned char states[PAGES];

static volatile char *page_of(uint32_t page) {
    return fl_map_address(&map, page);
}

static bool resolve_sigsafe(uintptr_t address, bool write) {
    (void)write;
    uint32_t page = fl_map_page(&map, address);
    if (page == FL_MAP_NONE) {
        return false;
    }
    void *at = fl_map_address(&map, page);
    if (states[page]++ == 0) {
        ops->allow(handle, at, FL_MAP_PAGE, false);
    } else {
        ops->upgrade(handle, at, FL_MAP_PAGE);
    }
    return true;
}

static void forbid(const uint32_t *order, unsigned n) {
    static struct fl_os_run runs[PAGES];
    for (unsigned i = 0; i < n; i++) {
        runs[i] = (struct fl_os_run){(void *)(uintptr_t)page_of(order[i]), FL_MAP_PAGE};
    }
    if (ops->forbid(handle, runs, n) != 0) {
        fprintf(stderr, "pages cannot be taken away\n");
        exit(1);
    }
}

static void measure(const char *name, const uint32_t *order, unsigned n) {
    struct bench_times times[3] = {{{0}, 0}};
    for (int round = 0; round < ROUNDS; round++) {
        memset(states, 0, sizeof states);
        double begin = bench_now();
        for (unsigned i = 0; i < n; i++) {
            (void)*page_of(order[i]);
        }
        double read = bench_now();
        for (unsigned i = 0; i < n; i++) {
            *page_of(order[i]) = 1;
        }
        double written = bench_now();
        forbid(order, n);
        double forbidden = bench_now();
        bench_add(&times[0], (read - begin) / n);
        bench_add(&times[1], (written - read) / n);
        bench_add(&times[2], (forbidden - written) / n);
    }
    static const char *const what[] = {"read", "write", "forbid"};
    for (int i = 0; i < 3; i++) {
        char text[80];
        snprintf(text, sizeof text, "dsm-%s-%s-%s", ops->name, what[i], name);
        bench_time(text, "us", 1e6, &times[i]);
    }
}

static void with_mechanism(const char *name) {
    ops = fl_fault_open(name, &handle);
    if (!ops) {
        fprintf(stderr, "skipped: %s\n", name);
        return;
    }
    const struct fl_map_range range = {.address = (uintptr_t)3 << 43,
                                       .bytes = (uint64_t)PAGES * FL_MAP_PAGE};
    fl_map_make(&map, &range, 1, ops, handle);
    fl_os_fault_catch(resolve_sigsafe);
    for (uint32_t p = 0; p < PAGES; p++) {
        *fl_map_alias(&map, p) = 1;
    }
    static uint32_t order[PAGES];
    for (uint32_t i = 0; i < PAGES; i++) {
        order[i] = i;
    }
    measure("sequential", order, PAGES);
    for (uint32_t i = 0; i < PAGES / 2; i++) {
        order[i] = 2 * i;
    }
    measure("alternate", order, PAGES / 2);
    uint64_t seed = 1;
    for (uint32_t i = PAGES / 2 - 1; i > 0; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)(seed >> 33) % (i + 1), swapped = order[i];
        order[i] = order[other];
        order[other] = swapped;
    }
    measure("random", order, PAGES / 2);
}

int main(void) {
    static const char *const names[] = {"userfaultfd", "mprotect"};
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            with_mechanism(names[i]);
            return 0;
        }
        wait(NULL);
    }
    return 0;
}
