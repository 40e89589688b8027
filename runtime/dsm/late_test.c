/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diffs that are long on their way to the page's home, host 1, while the lock under which they were
 * made goes on to host 0, which leaves a join, writes to the same words, and forks. All must read
 * host 0's values afterwards.
 */
#include "comm/world_for_test.h"
#include "dsm/memory_for_test.h"

enum { PAGES = 4, HOME = 1, WRITER = 2, LOCK = 3, LATE_NS = 50000000 };

static const struct variant {
    const char *name;
    bool fixed;  /* the page's home does not move */
    bool before; /* host 0 writes before the join, too */
    bool alone;  /* and when it has left it */
} variants[] = {
    {"in the next region", false, false, false},
    {"of a fixed page", true, false, false},
    {"of a fixed page, alone", true, false, true},
    {"before and after", false, true, false},
    {"before, alone, and after", false, true, true},
};
static const struct variant *variant;
static volatile uint64_t *const words = (volatile uint64_t *)BASE;

static void write_locked(unsigned word, uint64_t value) {
    fl_dsm_acquire(LOCK);
    words[word] = value;
    fl_dsm_release(LOCK);
}

static uint64_t read_locked(unsigned word) {
    fl_dsm_acquire(LOCK);
    uint64_t value = words[word];
    fl_dsm_release(LOCK);
    return value;
}

/* The hosts take turns without a barrier. */
static _Atomic uint32_t step;

static void hear(void *context, const struct fl_comm_call *call) {
    (void)context;
    if (call->words[0] > atomic_load(&step)) { /* the writer's comes late */
        atomic_store(&step, (uint32_t)call->words[0]);
    }
}

static void take_turn(unsigned host, uint32_t turn, void act(void)) {
    while (atomic_load(&step) < turn) {
        fl_comm_poll();
        fl_os_yield();
    }
    if (layout.my_host != host) {
        return;
    }
    act();
    const uint64_t next = turn + 1;
    for (unsigned h = 0; h < layout.hosts; h++) {
        fl_comm_tell(h, FL_COMM_SPREAD, &next, 1, NULL, 0);
    }
}

static void home_writes(void) {
    write_locked(1, 7);
}

static void get_lock(void) {
    (void)read_locked(1);
}

static void writer_writes(void) {
    write_locked(0, 1);
}

static void host_0_learns(void) {
    fl_dsm_acquire(LOCK);
    if (variant->before) {
        words[2] = 3;
    }
    fl_dsm_release(LOCK);
}

static void host_0_writes(void) {
    write_locked(0, 2);
}

static void join_and_fork(void act(void)) {
    uint64_t message = 0;
    fl_dsm_join();
    if (layout.my_host > 0) {
        (void)fl_dsm_fork_wait(&message, sizeof message);
        return;
    }
    if (act) {
        act();
    }
    fl_dsm_fork(&message, sizeof message);
}

static void host_0_writes_alone(void) {
    if (variant->alone) {
        write_locked(0, 9);
    }
}

static bool is_last(const char *when, uint64_t value) {
    if (value != 2) {
        printf("# host %u, %s: %llu, not 2\n", layout.my_host, when, (unsigned long long)value);
        fflush(stdout);
    }
    return value == 2;
}

static bool body(unsigned me, void *context) {
    (void)me;
    (void)context;
    fl_dsm_thread_start();
    join_and_fork(NULL);
    bool good = words[0] == 0; /* all have a copy of the page */
    fl_dsm_barrier();
    take_turn(HOME, 0, home_writes);
    take_turn(0, 1, get_lock);
    take_turn(WRITER, 2, writer_writes);
    take_turn(0, 3, host_0_learns);
    join_and_fork(host_0_writes_alone);
    take_turn(0, 4, host_0_writes);
    take_turn(HOME, 5, get_lock);
    good = is_last("under the lock", read_locked(0)) && good;
    fl_dsm_barrier();
    good = is_last("after a barrier", words[0]) && good;
    fl_dsm_barrier();
    return good;
}

static void register_handlers(void) {
    static const uint16_t homes[PAGES] = {HOME, HOME, HOME, HOME};
    const struct fl_map_range range = {.address = BASE,
                                       .bytes = PAGES * FL_MAP_PAGE,
                                       .fixed = variant->fixed,
                                       .homes = homes,
                                       .block_bytes = FL_MAP_PAGE};
    start_memory(&range, 1);
    fl_comm_register(FL_COMM_SPREAD, hear, NULL);
}

static void run_all(void) {
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        char what[80];
        variant = &variants[i];
        snprintf(what, sizeof what, "%s, %s", variant->name, faults_name());
        run(what, new_world(3, 1, 1, body));
    }
}

int main(void) {
    pipes_slow[WRITER][HOME] = LATE_NS;
    by_all_faults(run_all);
    return test_done();
}
