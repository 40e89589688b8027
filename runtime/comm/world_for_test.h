/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job for tests: processes of several hosts, each host with a memory file of its own, and threads
 * in them that run one body. Pipes connect them (net/pipes_for_test.h); or, in a test that includes
 * comm/simulated_for_test.h before, what is simulated there.
 */
#ifndef FL_COMM_WORLD_FOR_TEST_H
#define FL_COMM_WORLD_FOR_TEST_H

#include "comm/comm.h"
#include "platform/os.h"

#ifdef FL_COMM_SIMULATED_FOR_TEST_H
#define TRANSPORT(name) simulated_##name
#else
#include "net/pipes_for_test.h"
#define TRANSPORT(name) pipes_##name
#endif

enum { MOST_HOSTS = 64, MOST_THREADS = 64 };

/* Memory that the processes of a test share, besides their messages. */
struct world {
    unsigned hosts, procs_per_host, pthreads;
    uint32_t window;
    uint32_t aggregate; /* bytes */
    uint32_t patience_ms;
    enum fl_one_sided_use one_sided;
    test_body body; /* of each thread */
    int files[MOST_HOSTS];
    _Atomic uint32_t arrived;
    _Atomic uint32_t flag;
    _Atomic uint64_t counted;
};

/* This process. */
static struct world *world;
static struct fl_layout layout;
static struct fl_space space;

static unsigned threads_of(const struct world *w) {
    return w->hosts * w->procs_per_host * w->pthreads;
}

static const char *host_name(unsigned host) {
    static const char *const names[] = {"ada", "bert", "cleo", "dora", "emil", "frida", "gustav"};
    return host < sizeof names / sizeof *names ? names[host] : NULL;
}

static void start(unsigned me) {
    unsigned first[MOST_HOSTS];
    for (unsigned h = 0; h < world->hosts; h++) {
        first[h] = h * world->procs_per_host * world->pthreads;
    }
    if (!fl_layout_make(&layout, threads_of(world), world->pthreads, world->hosts, first, me)) {
        exit(1);
    }
    fl_space_map(&space, &layout, world->files[layout.my_host], 4096);
    const struct fl_comm_setup setup = {
        .space = &space,
        .layout = &layout,
        .net = &TRANSPORT(ops),
        .job_id = 0x1234567890abcdef,
        .host_name = host_name,
        .patience_ms = world->patience_ms,
        .window_bytes = world->window,
        .aggregate_bytes = world->aggregate,
        .aggregate_ns = 100000,
        .few_signals = 4,
        .one_sided = world->one_sided,
    };
    struct fl_net_card card;
    fl_comm_start(&setup, &card);
}

/* One-sided operations access the memory file of the owner's host. */
static void access_file(unsigned owner, uint64_t address, void *to, const void *from,
                        size_t bytes) {
    unsigned host = fl_layout_host_of_proc(&layout, owner);
    uint64_t base = fl_space_address(&space, layout.at[host].thread, 0);
    ssize_t n = to ? pread(world->files[host], to, bytes, (off_t)(address - base))
                   : pwrite(world->files[host], from, bytes, (off_t)(address - base));
    if (n != (ssize_t)bytes) {
        perror("a one-sided operation");
        abort();
    }
}

static bool nothing(struct fl_comm_deferred *self) {
    free(self);
    return true;
}

/* TSan sees no order that messages through another process make, and so must see one within this
 * process: a thread that serves others enters comm after this thread, or before it. */
static void enter_comm(void) {
    struct fl_comm_deferred *item = malloc(sizeof *item);
    item->try = nothing;
    fl_comm_defer(item);
}

/* Waits for all threads; serves the others meanwhile. */
static void meet(void) {
    enter_comm();
    uint32_t n = threads_of(world);
    uint32_t ticket = atomic_fetch_add(&world->arrived, 1);
    while (atomic_load(&world->arrived) < (ticket / n + 1) * n) {
        if (!fl_comm_poll()) {
            fl_os_yield();
        }
    }
    enter_comm();
}

/* Between start and connect; each test has its own. */
static void register_handlers(void);

static bool thread_body(unsigned i, void *context) {
    (void)context;
    TRANSPORT(thread_begin)(layout.me, i);
    bool good = world->body(fl_layout_first_thread_of_proc(&layout, layout.me) + i, world);
    fl_comm_quiet();
    meet();
    TRANSPORT(thread_end)();
    return good;
}

static bool process_body(unsigned me, void *context) {
    world = context;
    TRANSPORT(close_others)(world->hosts * world->procs_per_host, me);
    TRANSPORT(perform_by)(access_file);
    start(me);
    register_handlers();
    fl_comm_connect(TRANSPORT(card_of), NULL,
                    fl_wait_choose(threads_of(world), fl_os_cpu_count(), 0, 0));
    bool good = test_in_threads(world->pthreads, thread_body, NULL);
    fl_comm_stop();
    return good;
}

static struct world *new_world(unsigned hosts, unsigned procs_per_host, unsigned pthreads,
                               test_body body) {
    struct world *w = test_shared_memory(sizeof *w);
    w->hosts = hosts;
    w->procs_per_host = procs_per_host;
    w->pthreads = pthreads;
    w->aggregate = 8 << 10;
    w->body = body;
    for (unsigned h = 0; h < hosts; h++) {
        if (fl_os_memory_create("world", &w->files[h]) != 0) {
            exit(1);
        }
    }
    TRANSPORT(make)(hosts * procs_per_host);
    return w;
}

static void end_world(struct world *w) {
    for (unsigned h = 0; h < w->hosts; h++) {
        close(w->files[h]);
    }
    TRANSPORT(close_others)(w->hosts * w->procs_per_host, UINT32_MAX);
    munmap(w, sizeof *w);
}

static inline void run(const char *what, struct world *w) {
    CHECK(test_in_processes(w->hosts * w->procs_per_host, process_body, w),
          "%s: %u hosts, %u processes each, %u threads each%s", what, w->hosts, w->procs_per_host,
          w->pthreads, w->window ? ", little room" : "");
    end_world(w);
}

#endif
