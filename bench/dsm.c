// SPDX-License-Identifier: BSD-3-Clause
/*
 * The two mechanisms of coherent pages: what one page costs at its first read, at its first write,
 * and when many are taken away; in sequence, every other page, and at random; and first writes that the
 * kernel notes, with asking for them. Then coherent memory of two hosts on different networks: pages
 * that the other has written, whole or in part, read one by one and in sequence; writes to copies;
 * barriers.
 */
#include "cable_comm.h"
#include "dsm/dsm.h"

enum { PAGES = 8192, ROUNDS = 9 };
#define ADDRESS ((uintptr_t)3 << 43)

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
        for (unsigned i = 0; i < n; i++) {
            bench_check(states[order[i]] == 2, "dsm-%s: page %u was noticed %d times", ops->name,
                        order[i], states[order[i]]);
        }
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

/* Pages that are readable; each is written to, and then found. */
static void measure_noted(const char *name, const uint32_t *order, unsigned n) {
    struct bench_times times = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        for (unsigned i = 0; i < n; i++) {
            *page_of(order[i]) = 1;
        }
        enum { ROOM = 64 };
        struct fl_os_run runs[ROOM];
        unsigned found = 0;
        for (void *at = fl_map_address(&map, 0), *end = (char *)at + (size_t)PAGES * FL_MAP_PAGE;
             at < end;) {
            int some = ops->written(at, (size_t)((char *)end - (char *)at), runs, ROOM, &at);
            for (int i = 0; i < some; i++) {
                found += (unsigned)(runs[i].bytes / FL_MAP_PAGE);
            }
        }
        bench_add(&times, (bench_now() - begin) / n);
        bench_check(found == n, "%u of %u written pages have been found", found, n);
    }
    char text[80];
    snprintf(text, sizeof text, "dsm-noted-write-%s", name);
    bench_time(text, "us", 1e6, &times);
}

typedef void measure_order(const char *name, const uint32_t *order, unsigned n);

static void in_orders(measure_order *act) {
    static uint32_t order[PAGES];
    for (uint32_t i = 0; i < PAGES; i++) {
        order[i] = i;
    }
    act("sequential", order, PAGES);
    for (uint32_t i = 0; i < PAGES / 2; i++) {
        order[i] = 2 * i;
    }
    act("alternate", order, PAGES / 2);
    uint64_t seed = 1;
    for (uint32_t i = PAGES / 2 - 1; i > 0; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)(seed >> 33) % (i + 1), swapped = order[i];
        order[i] = order[other];
        order[other] = swapped;
    }
    act("random", order, PAGES / 2);
}

/* From now on the kernel does, of all pages. */
static bool note_writes(void) {
    int noting;
    struct fl_os_run all = {fl_map_address(&map, 0), (size_t)PAGES * FL_MAP_PAGE};
    return ops->open_noting && ops->open_noting(&noting) == 0 && ops->forbid(handle, &all, 1) == 0 &&
           ops->move(handle, noting, all.address, all.bytes) == 0 &&
           ops->allow(noting, all.address, all.bytes, false) == 0;
}

static void with_mechanism(const char *name) {
    ops = fl_fault_open(name, &handle);
    if (!ops) {
        fprintf(stderr, "skipped: %s\n", name);
        return;
    }
    const struct fl_map_range range = {.address = ADDRESS,
                                       .bytes = (uint64_t)PAGES * FL_MAP_PAGE};
    fl_map_make(&map, &range, 1, 0, ops, handle);
    fl_os_fault_catch(resolve_sigsafe);
    for (uint32_t p = 0; p < PAGES; p++) {
        *fl_map_alias(&map, p) = 1;
    }
    in_orders(measure);
    if (note_writes()) {
        in_orders(measure_noted);
    }
}

/* ---- two hosts ---- */

enum { ARRAY = 64 << 20, SOME = 512, STRIDE = 5 };
static unsigned char *const array = (unsigned char *)ADDRESS;

static void start_memory(unsigned me) {
    static const struct fl_map_range range = {.address = ADDRESS, .bytes = ARRAY};
    fl_dsm_start(&(struct fl_dsm_setup){.hosts = 2,
                                        .me = me,
                                        .threads = 1,
                                        .ranges = &range,
                                        .n_ranges = 1,
                                        .wait = fl_wait_choose(1, 1, 0, 0)});
}

/* The page of the i-th access, none beside the last one. */
static volatile unsigned char *some(int i) {
    return array + (size_t)(i * STRIDE) * FL_MAP_PAGE + 64;
}

static uint64_t word(size_t i, unsigned char value) {
    return i * 0x9e3779b97f4a7c15u + value;
}

/* What is in the pages; they are here already, so this waits for nothing. */
static void check_pages(int expected) {
    for (int i = 0; i < SOME; i++) {
        bench_check(*some(i) == expected, "dsm: page %d has %d, not %d", i * STRIDE, *some(i),
                    expected);
    }
}

/* As host 0; then for each of some pages. */
static void time_pages(struct bench_times *times, bool write) {
    double begin = bench_now();
    for (int i = 0; i < SOME; i++) {
        if (write) {
            *some(i) = 1;
        } else {
            (void)*some(i);
        }
    }
    bench_add(times, (bench_now() - begin) / SOME);
}

static void write_all(unsigned char value) {
    for (size_t i = 0; i < ARRAY; i += 8) {
        *(uint64_t *)(void *)(array + i) = word(i, value);
    }
}

static void stream_round(unsigned me, int round, struct bench_times *times) {
    uint64_t sum = 0;
    if (me == 1) {
        write_all((unsigned char)round);
    }
    fl_dsm_barrier();
    double begin = bench_now();
    for (size_t i = 0; me == 0 && i < ARRAY; i += 8) {
        sum += *(uint64_t *)(void *)(array + i);
    }
    __asm__ volatile("" ::"r"(sum) : "memory"); /* all has been read */
    bench_add(times, bench_now() - begin);
    for (size_t i = 0; me == 0 && i < ARRAY; i += 8) {
        sum -= word(i, (unsigned char)round);
    }
    bench_check(me != 0 || sum == 0, "dsm-read-64MiB: the sum differs");
    fl_dsm_barrier();
}

static void pages_round(unsigned me, int round, struct bench_times *times) {
    if (me == 1) {
        write_all((unsigned char)(round + 100));
    }
    fl_dsm_barrier();
    if (me == 0) {
        time_pages(&times[0], false);
        for (int i = 0; i < SOME; i++) {
            uint64_t got = *(volatile uint64_t *)some(i);
            bench_check(got == word((size_t)(some(i) - array), (unsigned char)(round + 100)),
                        "dsm-reread: page %d", i * STRIDE);
        }
        time_pages(&times[1], true);
    }
    fl_dsm_barrier();
    if (me == 1) {
        check_pages(1);
    }
    fl_dsm_barrier();
    for (int i = 0; me == 1 && i < SOME; i++) {
        *some(i) = (unsigned char)round;
    }
    fl_dsm_barrier();
    if (me == 0) {
        time_pages(&times[2], false);
        check_pages(round);
    }
    fl_dsm_barrier();
    for (int i = 0; me == 1 && i < SOME; i++) {
        *some(i) = (unsigned char)(round + 1);
    }
    fl_dsm_barrier();
    if (me == 0) {
        time_pages(&times[3], false);
        check_pages(round + 1);
    }
    fl_dsm_barrier();
}

static void barriers_round(struct bench_times *times) {
    enum { BARRIERS = 200 };
    double begin = bench_now();
    for (int i = 0; i < BARRIERS; i++) {
        fl_dsm_barrier();
    }
    bench_add(times, (bench_now() - begin) / BARRIERS);
}

static void two_hosts(unsigned me) {
    static struct bench_times stream, barriers, pages[4];
    cable_lay(me);
    cable_comm_start(me, "ucx", start_memory);
    fl_dsm_thread_start();
    fl_dsm_barrier();
    for (int round = 0; round < ROUNDS; round++) {
        stream_round(me, round, &stream);
        pages_round(me, round, pages);
        barriers_round(&barriers);
    }
    if (me == 0) {
        bench_time("dsm-reread", "us", 1e6, &pages[0]);
        bench_time("dsm-write-upgrade", "us", 1e6, &pages[1]);
        bench_time("dsm-reread-part", "us", 1e6, &pages[3]);
        bench_time("dsm-read-64MiB", "ms", 1e3, &stream);
        bench_time("dsm-barrier", "us", 1e6, &barriers);
    }
    cable_meet();
    fl_comm_stop();
}

int main(void) {
    static const char *const names[] = {"userfaultfd", "mprotect"};
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            with_mechanism(names[i]);
            return 0;
        }
        int status;
        wait(&status);
        bench_check(status == 0, "%s has failed", names[i]);
    }
    cable_comm_prepare();
    cable_processes(two_hosts);
    return 0;
}
