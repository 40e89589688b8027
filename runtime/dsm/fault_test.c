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

static bool resolve_sigsafe(uintptr_t address, bool write, uintptr_t pc) {
    (void)pc;
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

/* ---- first writes that the kernel notes ---- */

enum { NOTED = 11000, SOME = 64 };
static int noting;

/* Pages that are present are readable afterwards; the caller holds `lock`. */
static void move_some(int from, int to) {
    fl_os_memory_protect((void *)word(NOTED), SOME * FL_MAP_PAGE, false, false);
    int error = ops->move(from, to, (void *)word(NOTED), SOME * FL_MAP_PAGE);
    if (error) {
        CHECK(error == 0, "a piece is moved");
    }
    struct fl_os_run run = {(void *)word(NOTED), SOME * FL_MAP_PAGE};
    ops->protect(to, &run, 1);
    for (uint32_t p = NOTED; p < NOTED + SOME; p++) {
        states[p] = states[p] > 0;
    }
    fl_os_memory_protect((void *)word(NOTED), SOME * FL_MAP_PAGE, true, true);
}

/* Calls `see` for the pages that have been written. */
static void for_written(void see(uint32_t page)) {
    char *at = (char *)word(NOTED), *end = at + SOME * FL_MAP_PAGE;
    while (at < end) {
        struct fl_os_run runs[3];
        void *next = at;
        int n = ops->written(at, (size_t)(end - at), runs, 3, &next);
        if (n < 0) {
            CHECK(n >= 0, "written pages are asked for");
            return;
        }
        at = next;
        for (int i = 0; i < n; i++) {
            for (size_t b = 0; b < runs[i].bytes; b += FL_MAP_PAGE) {
                see(fl_map_page(&map, (uintptr_t)runs[i].address + b));
            }
        }
    }
}

static uint64_t seen[SOME];

static void see(uint32_t page) {
    seen[page - NOTED]++;
}

static bool only_seen(uint64_t pages) {
    for_written(see);
    bool good = true;
    for (unsigned i = 0; i < SOME; i++) {
        good = good && seen[i] == (pages >> i & 1);
        seen[i] = 0;
    }
    return good;
}

static void noted(void) {
    uint64_t faults;
    for (uint32_t p = NOTED; p < NOTED + SOME - 1; p++) {
        *word(p) = 1;
    }
    move_some(handle, noting);
    reads = writes = 0;
    CHECK(only_seen(0) && *word(NOTED) == 1, "moved pages have not been written");
    for (uint32_t p = 3; p < 20; p += 2) {
        faults = ops->kernel_faults();
        *word(NOTED + p) = p;
        CHECK(ops->kernel_faults() > faults, "the kernel has resolved a fault");
    }
    *word(NOTED + 4) = 4;
    CHECK(only_seen(0xaaaa8 | 16) && writes == 0, "what has been written is found, without faults");
    CHECK(only_seen(0), "and only once");
    int ends[2];
    uint64_t value = 5;
    CHECK(pipe(ends) == 0 && write(ends[1], &value, 8) == 8, "a pipe");
    faults = ops->kernel_faults();
    CHECK(read(ends[0], (void *)word(NOTED + 5), 8) == 8 && ops->kernel_faults() > faults &&
              only_seen(32),
          "what the kernel has written too");
    CHECK(*word(NOTED + SOME - 1) == 0 && reads == 1 && only_seen(0), "an absent page is noticed");
    *word(NOTED + SOME - 1) = 1;
    ops->allow(noting, (void *)word(NOTED), SOME * FL_MAP_PAGE, false);
    CHECK(only_seen(1ull << 63) && writes == 0, "and its write; present ones keep theirs");
    forbid(NOTED + 7, 1, 1);
    CHECK(*word(NOTED + 7) == 7 && reads == 2, "a noted page becomes absent");
    move_some(noting, handle);
    *word(NOTED + 8) = 1;
    CHECK(writes == 1 && *word(NOTED + 9) == 9, "moved back, first writes are noticed again");
}

/* While others write, pages are moved to and fro, and none of the writes is missed. */
static uint64_t copies[SOME][8];

static void look(uint32_t page) {
    memcpy(copies[page - NOTED], (void *)alias(page), sizeof copies[0]);
}

static void look_at_all(bool by_faults) {
    if (!by_faults) {
        for_written(look);
    }
    for (uint32_t p = NOTED; by_faults && p < NOTED + SOME; p++) {
        if (states[p] == 2) {
            struct fl_os_run run = {(void *)word(p), FL_MAP_PAGE};
            ops->protect(handle, &run, 1);
            states[p] = 1;
            look(p);
        }
    }
}

static void close_lock(void) {
    while (atomic_exchange(&lock, 1)) {
        fl_os_relax();
    }
}

static bool to_and_fro(unsigned me, void *context) {
    (void)context;
    static _Atomic unsigned over;
    if (me > 0) {
        for (uint64_t i = 0; !stop || i < 1000; i++) {
            word(NOTED + i * me % SOME)[me]++;
        }
        over++;
        return true;
    }
    for (int i = 0; i < 600; i++) {
        close_lock();
        look_at_all(i % 6 < 3);
        if (i % 3 == 2) {
            fl_os_memory_protect((void *)word(NOTED), SOME * FL_MAP_PAGE, false, false);
            look_at_all(i % 6 < 3);
            move_some(i % 6 < 3 ? handle : noting, i % 6 < 3 ? noting : handle);
        }
        lock = 0;
        fl_os_yield();
    }
    stop = true;
    while (over < THREADS - 1) {
        fl_os_yield();
    }
    look_at_all(true);
    bool good = true;
    for (uint32_t p = 0; p < SOME; p++) {
        good = good && memcmp(copies[p], (void *)alias(NOTED + p), sizeof copies[p]) == 0;
    }
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
    if (ops->open_noting && ops->open_noting(&noting) == 0) {
        noted();
        stop = false;
        for (uint32_t p = NOTED; p < NOTED + SOME; p++) {
            look(p);
        }
        CHECK(test_in_threads(THREADS, to_and_fro, NULL), "no write is missed");
        ops->close(noting);
    } else {
        printf("# no first writes are noted\n");
    }
    pid_t pid = test_fork();
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
