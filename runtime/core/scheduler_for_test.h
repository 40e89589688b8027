/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulation: the threads of several processes, one process a host, run one at a time. Which one
 * runs, for how long, and the time that they see are functions of a seed, so that a run can be
 * repeated exactly. A thread may lose its turn where it yields, sleeps, takes or leaves a mutex,
 * and wherever the test calls sim_step. The linker leads the functions of platform/os.h that wait
 * or tell the time to this file (--wrap), and mutexes call fl_mutex_point (FURLONG_SIMULATED), both
 * in runtime/CMakeLists.txt.
 *
 * All state is in memory that the processes share; the thread whose turn it is changes it, alone.
 */
#ifndef FL_CORE_SCHEDULER_FOR_TEST_H
#define FL_CORE_SCHEDULER_FOR_TEST_H

#include "core/mutex.h"
#include "core/test.h"
#include "core/wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>

enum {
    SIM_HOSTS = 64,
    SIM_THREADS = 5, /* of a host, at most: one serves messages */
    SIM_EVENTS = 1 << 12, /* the last ones, which a failure shows */
    SIM_SHOWN = 400,
    SIM_LAZY = 64,    /* turns, of which a thread that serves lazily may have one */
    SIM_VAIN = 3,     /* yields in a row after which a thread only waits */
    SIM_MOST_STEPS = 200000, /* of each thread, on average; long runs have 70,000 */
    SIM_ROUNDS = 300, /* in which all threads have looked in vain, and none can go on */
    SIM_ROUND_NS = 100000,
    SIM_HANG_SECONDS = 60
};

/* How a run differs from others, beside its program. Every 0th means never. */
struct sim_weather {
    uint32_t step_ns;      /* most time that a step takes */
    uint32_t switch_every; /* steps, at which a thread need not give way */
    uint32_t latency_ns;
    uint32_t late_every;  /* messages, which take up to LATE times as long */
    uint32_t slow_every;  /* ways from host to host, on which all do */
    uint32_t pause_every; /* steps, after which a host stands still */
    uint32_t pause_ns;    /* for so long at most */
    bool lazy; /* messages are mostly served by threads that wait for something */
    uint32_t cpus;
};

enum sim_state { SIM_NONE, SIM_READY, SIM_WAITING /* polls or yields */, SIM_ASLEEP, SIM_ENDED };

struct sim_thread {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t turn; /* a futex: it runs */
    enum sim_state state;
    unsigned host;
    bool server;
    bool active;     /* has done something since its turn began that others here may wait for */
    uint32_t weight; /* how likely it is to run */
    uint32_t vain;   /* yields since it did something */
    const void *word; /* on which it sleeps */
    const void *yields_after; /* the mutex on leaving which it yields */
    const char *what; /* it waits for */
};

struct sim_event {
    uint64_t now_ns;
    uint32_t thread;
    const char *format; /* of a text and three numbers */
    const char *name;
    uint64_t numbers[3];
};

struct sim {
    struct sim_weather weather;
    uint64_t seed, drawn, now_ns, steps, hash;
    uint32_t hosts, per_host; /* threads */
    uint32_t computing;       /* threads that have not ended, those aside that serve */
    uint32_t rounds;          /* in a row, in which no thread could go on */
    bool shows_all;
    _Atomic uint32_t come; /* threads */
    _Atomic bool failed;
    const char *why;
    uint64_t paused_until[SIM_HOSTS];
    uint64_t due_ns[SIM_HOSTS]; /* when its next message has come; UINT64_MAX: none is under way */
    uint64_t n_events;
    struct sim_event events[SIM_EVENTS];
    struct sim_thread threads[SIM_HOSTS * SIM_THREADS];
};

static struct sim *sim; /* null: nothing is simulated */
static _Thread_local struct sim_thread *sim_me;

/* ---- chance ---- */

static uint64_t sim_draw(void) {
    return test_mix(sim->seed, ++sim->drawn);
}

/* Less than n. */
static uint64_t sim_below(uint64_t n) {
    return sim_draw() % n;
}

static bool sim_once_in(uint32_t n) {
    return n > 0 && sim_below(n) == 0;
}

static uint32_t sim_one_of(const uint32_t *values, size_t n) {
    return values[sim_below(n)];
}

#define SIM_ONE_OF(...)                                                                            \
    sim_one_of((const uint32_t[]){__VA_ARGS__},                                                    \
               sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void sim_choose_weather(void) {
    struct sim_weather *weather = &sim->weather;
    weather->step_ns = SIM_ONE_OF(50, 200, 1000);
    weather->switch_every = SIM_ONE_OF(2, 8, 50, 400);
    weather->latency_ns = SIM_ONE_OF(500, 5000, 50000);
    weather->late_every = SIM_ONE_OF(0, 0, 8, 64);
    weather->slow_every = SIM_ONE_OF(0, 0, 3, 9);
    weather->pause_every = SIM_ONE_OF(0, 0, 1000, 10000);
    weather->pause_ns = SIM_ONE_OF(100000, 5000000);
    weather->lazy = sim_once_in(3);
    weather->cpus = SIM_ONE_OF(1, 1024);
}

/* ---- the trace ---- */

static void sim_hash(uint64_t value) {
    sim->hash = (sim->hash ^ value) * 0x100000001b3u;
    sim->hash ^= sim->hash >> 29;
}

static void sim_print(const struct sim_event *event) {
    const struct sim_thread *thread = &sim->threads[event->thread];
    printf("# %9llu.%03llu us host %u%s ", (unsigned long long)event->now_ns / 1000,
           (unsigned long long)event->now_ns % 1000, thread->host, thread->server ? "*" : "");
    if (sim->per_host > 2) {
        printf("thread %u ", event->thread % sim->per_host);
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    printf(event->format, event->name, (unsigned long long)event->numbers[0],
           (unsigned long long)event->numbers[1], (unsigned long long)event->numbers[2]);
#pragma GCC diagnostic pop
    printf("\n");
}

/* Both texts are literals. Has no effect outside of the simulation. */
static void sim_note(const char *format, const char *name, uint64_t a, uint64_t b, uint64_t c) {
    if (!sim_me) {
        return;
    }
    struct sim_event *event = &sim->events[sim->n_events++ % SIM_EVENTS];
    *event = (struct sim_event){sim->now_ns, (uint32_t)(sim_me - sim->threads), format, name,
                                {a, b, c}};
    const uint64_t all[] = {event->now_ns, event->thread, (unsigned char)format[0], a, b, c};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sim_hash(all[i]);
    }
    if (sim->shows_all) {
        sim_print(event);
        fflush(stdout);
    }
}

static void sim_print_threads(void) {
    static const char *const states[] = {"has not begun", "runs", "polls", "sleeps", "has ended"};
    for (uint32_t i = 0; i < sim->hosts * sim->per_host; i++) {
        const struct sim_thread *thread = &sim->threads[i];
        printf("# host %u%s thread %u %s%s%s%s\n", thread->host, thread->server ? "*" : "",
               i % sim->per_host, states[thread->state], thread->what ? ", waits for " : "",
               thread->what ? thread->what : "",
               sim->paused_until[thread->host] > sim->now_ns ? ", stands still" : "");
    }
}

/* After a failure. */
static void sim_report(void) {
    printf("# %s after %llu steps and %llu events; * serves messages\n",
           sim->why ? sim->why : "a host has failed", (unsigned long long)sim->steps,
           (unsigned long long)sim->n_events);
    uint64_t shown = sim->n_events < SIM_SHOWN ? sim->n_events : SIM_SHOWN;
    for (uint64_t i = sim->n_events - (sim->shows_all ? 0 : shown); i < sim->n_events; i++) {
        sim_print(&sim->events[i % SIM_EVENTS]);
    }
    sim_print_threads();
    fflush(stdout);
}

/* ---- turns ---- */

/* Futexes of the kernel's, which processes share. */
static void sim_wake(_Atomic uint32_t *turn) {
    atomic_store(turn, 1);
    syscall(SYS_futex, turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* All processes end. */
static void sim_stop_all(void) {
    atomic_store(&sim->failed, true);
    for (uint32_t i = 0; i < sim->hosts * sim->per_host; i++) {
        sim_wake(&sim->threads[i].turn);
    }
}

static void sim_await_turn(void) {
    while (!atomic_exchange(&sim_me->turn, 0)) {
        syscall(SYS_futex, &sim_me->turn, FUTEX_WAIT, 0, NULL, NULL, 0);
    }
    if (atomic_load(&sim->failed)) {
        _exit(1);
    }
}

static _Noreturn void sim_fail(const char *why) {
    sim->why = why;
    sim_stop_all();
    _exit(1);
}

static bool sim_host_computes(unsigned host) {
    for (uint32_t i = 1; i < sim->per_host; i++) {
        if (sim->threads[host * sim->per_host + i].state == SIM_READY) {
            return true;
        }
    }
    return false;
}

static bool sim_may_run(const struct sim_thread *thread, bool lazy) {
    if (sim->paused_until[thread->host] > sim->now_ns ||
        (lazy && thread->server && sim_host_computes(thread->host))) {
        return false;
    }
    return thread->state == SIM_READY ||
           (thread->state == SIM_WAITING && sim->due_ns[thread->host] <= sim->now_ns);
}

/* Threads that wait look again, once; those of one host, or all. Whether there are any. */
static bool sim_rouse(uint32_t first, uint32_t end) {
    bool any = false;
    for (uint32_t i = first; i < end; i++) {
        struct sim_thread *thread = &sim->threads[i];
        if (thread->state == SIM_WAITING) {
            thread->state = SIM_READY;
            thread->vain = SIM_VAIN - 1;
            any = true;
        }
    }
    return any;
}

/* When some thread may run that may not now; UINT64_MAX: never, by itself. */
static uint64_t sim_next_ns(void) {
    uint64_t next_ns = UINT64_MAX;
    for (uint32_t i = 0; i < sim->hosts * sim->per_host; i++) {
        const struct sim_thread *thread = &sim->threads[i];
        uint64_t ns = thread->state == SIM_READY     ? 0
                      : thread->state == SIM_WAITING ? sim->due_ns[thread->host]
                                                     : UINT64_MAX;
        ns = ns > sim->paused_until[thread->host] ? ns : sim->paused_until[thread->host];
        bool counts = thread->state == SIM_READY || thread->state == SIM_WAITING;
        next_ns = counts && ns < next_ns ? ns : next_ns;
    }
    return next_ns;
}

static struct sim_thread *sim_choose_ready(void) {
    uint32_t n = sim->hosts * sim->per_host;
    uint64_t all = 0;
    bool lazy = sim->weather.lazy && !sim_once_in(SIM_LAZY);
    for (uint32_t i = 0; i < n; i++) {
        all += sim_may_run(&sim->threads[i], lazy) ? sim->threads[i].weight : 0;
    }
    uint64_t chosen = all ? sim_below(all) : 0;
    for (uint32_t i = 0; i < n && all; i++) {
        struct sim_thread *thread = &sim->threads[i];
        uint64_t weight = sim_may_run(thread, lazy) ? thread->weight : 0;
        if (chosen < weight) {
            return thread;
        }
        chosen -= weight;
    }
    return NULL;
}

/* The thread that runs next; null: all have ended. Time passes until there is one. */
static struct sim_thread *sim_choose(void) {
    struct sim_thread *next;
    if (sim_once_in(16)) {
        sim->threads[sim_below(sim->hosts * sim->per_host)].weight = 1u << sim_below(7);
    }
    while (!(next = sim_choose_ready())) {
        uint64_t next_ns = sim_next_ns();
        if (next_ns < UINT64_MAX) {
            sim->now_ns = next_ns > sim->now_ns ? next_ns : sim->now_ns + 1;
            continue;
        }
        bool any = sim_rouse(0, sim->hosts * sim->per_host);
        if (!any && sim->computing == 0) {
            return NULL;
        }
        if (!any || ++sim->rounds > SIM_ROUNDS) {
            sim_fail("deadlock: no thread can go on, and no message is under way,");
        }
        sim->now_ns += SIM_ROUND_NS;
    }
    next->state = SIM_READY;
    return next;
}

static void sim_switch(void) {
    struct sim_thread *me = sim_me;
    me->what = atomic_load_explicit(&fl_wait_reason.what, memory_order_relaxed);
    if (me->active) {
        me->active = false;
        sim_rouse(me->host * sim->per_host, (me->host + 1) * sim->per_host);
    }
    struct sim_thread *next = sim_choose();
    if (next != me) {
        sim_wake(&next->turn);
        sim_await_turn();
    }
}

static void sim_pass_time(void) {
    if (++sim->steps > (uint64_t)SIM_MOST_STEPS * sim->hosts * sim->per_host) {
        sim_fail("livelock: threads do something, but none gets ahead,");
    }
    sim->now_ns += 1 + sim_below(sim->weather.step_ns);
    if (sim_once_in(sim->weather.pause_every)) {
        sim->paused_until[sim_me->host] = sim->now_ns + sim_below(sim->weather.pause_ns);
    }
}

/* Another thread may run before the caller goes on. */
static void sim_step(void) {
    if (sim_me) {
        sim_pass_time();
        if (sim_once_in(sim->weather.switch_every) ||
            sim->paused_until[sim_me->host] > sim->now_ns) {
            sim_switch();
        }
    }
}

/* The caller has done something that others may wait for: threads of its host, which look again. */
static void sim_act(void) {
    if (sim_me) {
        sim_me->active = true;
        sim_me->vain = 0;
        sim->rounds = 0;
    }
}

/* The caller waits for something, and looks for it again and again. */
static void sim_yield(void) {
    sim_pass_time();
    sim_me->state = ++sim_me->vain >= SIM_VAIN ? SIM_WAITING : SIM_READY;
    sim_switch();
}

/* Before processes are forked, which begin so many threads each; the first serves messages.
 * `bytes`: of all memory that they share, of which struct sim is the first part. */
static void sim_start(uint64_t seed, uint32_t hosts, uint32_t per_host, size_t bytes) {
    sim = test_shared_memory(bytes);
    sim->seed = seed;
    sim->hosts = hosts;
    sim->per_host = per_host;
    sim->computing = hosts * (per_host - 1);
    sim->now_ns = 1000000000;
    sim_choose_weather();
    for (uint32_t i = 0; i < hosts * per_host; i++) {
        sim->threads[i].host = i / per_host;
        sim->threads[i].server = i % per_host == 0;
        sim->threads[i].weight = 1u << sim_below(7);
    }
    for (uint32_t h = 0; h < hosts; h++) {
        sim->due_ns[h] = UINT64_MAX;
    }
}

/* The calling thread is one of the simulation's until it ends; returns when it is its turn. */
static void sim_thread_begin(unsigned host, unsigned index) {
    uint32_t all = sim->hosts * sim->per_host;
    struct sim_thread *me = sim_me = &sim->threads[host * sim->per_host + index];
    me->state = SIM_READY;
    if (atomic_fetch_add(&sim->come, 1) + 1 == all) {
        sim_wake(&sim_choose()->turn);
    }
    sim_await_turn();
}

static void sim_thread_end(void) {
    struct sim_thread *me = sim_me;
    me->state = SIM_ENDED;
    me->what = NULL;
    sim->rounds = 0;
    sim->computing -= !me->server;
    if (sim->computing == 0) {
        sim_rouse(0, sim->hosts * sim->per_host);
    }
    struct sim_thread *next = sim_choose();
    sim_me = NULL;
    if (next) {
        sim_wake(&next->turn);
    }
}

/* ---- processes ---- */

static void sim_on_alarm(int number) {
    (void)number;
}

/* As test_in_processes, but all end when one fails, or hangs between two steps. */
static bool sim_in_processes(test_body body, void *context) {
    pid_t pids[SIM_HOSTS];
    for (unsigned i = 0; i < sim->hosts; i++) {
        pids[i] = test_fork();
        if (pids[i] == 0) {
            _exit(body(i, context) ? 0 : 1);
        }
    }
    const struct sigaction action = {.sa_handler = sim_on_alarm};
    sigaction(SIGALRM, &action, NULL);
    bool good = true;
    uint64_t steps = 0;
    for (unsigned left = sim->hosts; left > 0;) {
        int status;
        alarm(SIM_HANG_SECONDS);
        pid_t pid = waitpid(-1, &status, 0);
        if (pid > 0) {
            left--;
        }
        bool hangs = pid < 0 && steps == sim->steps;
        if (good && (hangs || (pid > 0 && status != 0))) {
            good = false;
            sim->why = hangs ? "a thread hangs between two steps" : sim->why;
            sim_stop_all();
        }
        for (unsigned i = 0; hangs && i < sim->hosts; i++) {
            kill(pids[i], SIGKILL);
        }
        steps = sim->steps;
    }
    alarm(0);
    return good;
}

/* ---- what the runtime calls ---- */

void fl_mutex_point(const struct fl_mutex *left);
void fl_mutex_point(const struct fl_mutex *left) {
    if (sim_me && left && sim_me->yields_after == left) {
        sim_me->yields_after = NULL;
        sim_yield();
    } else {
        sim_step();
    }
}

#define SIM_WRAP(type, name, ...)                                                                  \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

SIM_WRAP(uint64_t, fl_os_now_ns, void) {
    if (!sim) {
        return __real_fl_os_now_ns();
    }
    sim->now_ns += sim_me != NULL;
    return sim->now_ns;
}

SIM_WRAP(void, fl_os_yield, void) {
    if (sim_me) {
        sim_yield();
    } else {
        __real_fl_os_yield();
    }
}

SIM_WRAP(void, fl_os_nap, void) {
    if (sim_me) {
        sim_yield();
    } else {
        __real_fl_os_nap();
    }
}

SIM_WRAP(void, fl_os_futex_wait, _Atomic uint32_t *word, uint32_t expected) {
    if (!sim_me) {
        __real_fl_os_futex_wait(word, expected);
    } else if (atomic_load(word) == expected) {
        sim_pass_time();
        sim_me->word = word;
        sim_me->state = SIM_ASLEEP;
        sim_switch();
    }
}

SIM_WRAP(void, fl_os_futex_wake, _Atomic uint32_t *word, int n) {
    if (!sim_me) {
        __real_fl_os_futex_wake(word, n);
        return;
    }
    uint32_t first = (uint32_t)sim_below(sim->per_host);
    for (uint32_t i = 0; i < sim->per_host && n > 0; i++) {
        struct sim_thread *thread =
            &sim->threads[sim_me->host * sim->per_host + (first + i) % sim->per_host];
        if (thread->state == SIM_ASLEEP && thread->word == word) {
            thread->state = SIM_READY;
            n--;
        }
    }
    sim_act();
    sim_step();
}

SIM_WRAP(unsigned, fl_os_cpu_count, void) {
    return sim ? sim->weather.cpus : __real_fl_os_cpu_count();
}

/* System calls that change rights to pages: threads that use the pages are between two steps. */
SIM_WRAP(int, fl_os_memory_protect, void *address, size_t bytes, bool readable, bool writable) {
    sim_step();
    return __real_fl_os_memory_protect(address, bytes, readable, writable);
}

SIM_WRAP(int, fl_os_watch_protect, int fd, void *address, size_t bytes, bool protected) {
    sim_step();
    return __real_fl_os_watch_protect(fd, address, bytes, protected);
}

SIM_WRAP(int, fl_os_watch_unmap, const struct fl_os_run *runs, unsigned n) {
    sim_step();
    return __real_fl_os_watch_unmap(runs, n);
}

SIM_WRAP(int, fl_os_watch_map, int fd, void *address, size_t bytes, bool writable) {
    sim_step();
    return __real_fl_os_watch_map(fd, address, bytes, writable);
}

/* The kernel's own count differs from run to run. */
SIM_WRAP(uint64_t, fl_os_kernel_faults, void) {
    static uint64_t faults;
    return sim ? ++faults : __real_fl_os_kernel_faults();
}

/* No alarms and bells: the thread that they would wake takes turns as all do. */
SIM_WRAP(void, fl_os_alarm_set, int fd, uint64_t ns) {
    if (!sim) {
        __real_fl_os_alarm_set(fd, ns);
    }
}

SIM_WRAP(void, fl_os_bell_ring, int fd) {
    if (!sim) {
        __real_fl_os_bell_ring(fd);
    }
}

#endif
