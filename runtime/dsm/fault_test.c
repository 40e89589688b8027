/* SPDX-License-Identifier: BSD-3-Clause */
/* Both mechanisms, under a memory manager that allows whatever is asked for, one step at a time. */
#include "dsm/map.h"

#include "core/test.h"

#include <signal.h>

enum { PAGES = 20480, THREADS = 4 };

#if TEST_TSAN
#define BASE ((uintptr_t)0x2000000000)
#else
#define BASE ((uintptr_t)0x180000000000)
#endif

static const struct fl_fault_ops *ops;
static int handle;
static struct fl_map map;
static _Atomic uint32_t reads, writes;
static _Atomic unsigned char states[PAGES]; /* 0 absent, 1 readable, 2 writable */
static _Atomic uint32_t lock;

static volatile uint64_t *word(uint32_t page) {
    return fl_map_address(&map, page);
}

static volatile uint64_t *alias(uint32_t page) {
    return (uint64_t *)(void *)fl_map_alias(&map, page);
}

static bool resolve_sigsafe(uintptr_t address, bool write) {
    uint32_t page = fl_map_page(&map, address);
    if (page == FL_MAP_NONE) {
        return false;
    }
    while (atomic_exchange(&lock, 1)) {
        fl_os_relax();
    }
    if (states[page] == 0) {
        reads++;
        alias(page)[0] += 0; /* the file has it */
        states[page] = 1;
        ops->allow(handle, (void *)word(page), FL_MAP_PAGE, false);
    } else if (states[page] == 1 && write) {
        writes++;
        states[page] = 2;
        ops->upgrade(handle, (void *)word(page), FL_MAP_PAGE);
    }
    lock = 0;
    return true;
}

static void forbid(uint32_t first, uint32_t n, uint32_t step) {
    static struct fl_os_run runs[PAGES];
    unsigned n_runs = 0;
    for (uint32_t p = first; p < first + n; p += step) {
        runs[n_runs++] = (struct fl_os_run){(void *)word(p), FL_MAP_PAGE};
    }
    CHECK(ops->forbid(handle, runs, n_runs) == 0, "%s: %u runs become absent", ops->name, n_runs);
    for (uint32_t p = first; p < first + n; p += step) {
        states[p] = 0;
    }
}

static void steps(void) {
    alias(5)[0] = 42;
    CHECK(*word(5) == 42 && reads == 1 && writes == 0, "an absent page's content comes by alias");
    *word(5) = 43;
    CHECK(alias(5)[0] == 43 && reads == 1 && writes == 1, "then the first write is noticed");
    *word(5) = 44;
    CHECK(writes == 1, "and only the first");
    struct fl_os_run run = {(void *)word(5), FL_MAP_PAGE};
    ops->protect(handle, &run, 1);
    states[5] = 1;
    CHECK(*word(5) == 44 && reads == 1, "a protected page is read");
    *word(5) = 45;
    CHECK(writes == 2, "its next write is noticed");
    forbid(5, 1, 1);
    CHECK(alias(5)[0] == 45, "an absent page keeps its content");
    CHECK(*word(5) == 45 && reads == 2, "and is noticed");
    *word(6) = 1;
    CHECK(alias(6)[0] == 1 && reads == 3 && writes == 3, "a write to an absent page");
    for (uint32_t p = 8; p < 12; p++) {
        alias(p)[0] = p;
        states[p] = 2;
    }
    ops->allow(handle, (void *)word(8), 4 * FL_MAP_PAGE, true);
    *word(9) = 1;
    CHECK(*word(11) == 11 && writes == 3 && reads == 3, "a run becomes writable at once");
}

static void scattered(void) {
    for (uint32_t p = 100; p < 100 + 8000; p += 2) {
        *word(p) = p;
    }
    forbid(100, 8000, 2);
    reads = 0;
    uint64_t sum = 0;
    for (uint32_t p = 100; p < 100 + 8000; p += 2) {
        sum += *word(p) - p;
    }
    CHECK(sum == 0 && reads == 4000, "every other page");
}

/* All threads at the same pages, at the same time. */
static bool together(unsigned me, void *context) {
    (void)context;
    bool good = true;
    for (uint32_t p = 9000; p < 9200; p++) {
        word(p)[me] = p;
        good = good && word(p)[me] == p;
    }
    return good;
}

/* After a page has become absent nobody's write arrives any more. */
static _Atomic bool stop;

static bool scribble(unsigned me, void *context) {
    (void)context;
    if (me > 0) {
        while (!stop) {
            word(9500)[me]++;
        }
        return true;
    }
    bool good = true;
    for (int i = 0; i < 60; i++) {
        while (states[9500] != 2) {
            fl_os_yield();
        }
        while (atomic_exchange(&lock, 1)) {
            fl_os_relax();
        }
        struct fl_os_run run = {(void *)word(9500), FL_MAP_PAGE};
        (i % 2 ? ops->forbid : ops->protect)(handle, &run, 1);
        states[9500] = i % 2 ? 0 : 1;
        uint64_t before[8], after[8];
        memcpy(before, (void *)alias(9500), sizeof before);
        for (int k = 0; k < 1000; k++) {
            fl_os_relax();
        }
        memcpy(after, (void *)alias(9500), sizeof after);
        good = good && memcmp(before, after, sizeof before) == 0;
        lock = 0;
    }
    stop = true;
    return good;
}

static bool wild(unsigned me, void *context) {
    (void)me;
    (void)context;
    *(volatile int *)(BASE - 4096) = 1;
    return true;
}

static bool with_mechanism(unsigned me, void *name) {
    (void)me;
    ops = fl_fault_open(name, &handle);
    if (!ops) {
        printf("# this kernel does not allow %s\n", (const char *)name);
        return true;
    }
    fl_os_signal_stack();
    const struct fl_map_range ranges[] = {
        {.address = BASE, .bytes = (uint64_t)PAGES / 2 * FL_MAP_PAGE},
        {.address = BASE + (1ull << 34), .bytes = (uint64_t)PAGES / 2 * FL_MAP_PAGE}};
    fl_map_make(&map, ranges, 2, 0, ops, handle);
    CHECK(fl_map_page(&map, BASE + 4095) == 0 && fl_map_page(&map, BASE + (1ull << 34)) == 10240 &&
              fl_map_page(&map, BASE + (1ull << 33)) == FL_MAP_NONE &&
              fl_map_address(&map, 10241) == (void *)(BASE + (1ull << 34) + 4096),
          "%s: pages are numbered through both ranges", ops->name);
    fl_os_fault_catch(resolve_sigsafe);
    steps();
    scattered();
    CHECK(test_in_threads(THREADS, together, NULL), "threads fault on the same pages");
    CHECK(test_in_threads(THREADS, scribble, NULL), "no write comes late");
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(20);
        _exit(wild(0, NULL) ? 0 : 1);
    }
    int status;
    waitpid(pid, &status, 0);
    /* A sanitizer exits, with its report. */
    CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 0,
          "a wild pointer ends the program");
    ops->close(handle);
    return test_failures == 0;
}

int main(void) {
    static const char *const names[] = {"userfaultfd", "mprotect"};
    for (int i = 0; i < 2; i++) {
        fflush(stdout);
        CHECK(test_in_processes(1, with_mechanism, (void *)(uintptr_t)names[i]), "%s", names[i]);
    }
    CHECK(!fl_fault_open("no such one", &handle), "an unknown mechanism");
    return test_done();
}
