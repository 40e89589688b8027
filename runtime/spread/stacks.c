/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of the program and of the OpenMP runtime. Their stacks, on top of which glibc has their
 * _Thread_local objects, are coherent memory, so that a thread may use the address of another's
 * variable, on any host. Each host is the fixed home of a range of stacks, whose pages are always
 * present there: the kernel writes to them too. A thread may be joined on another host than its
 * own.
 */
#include "spread/inside.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUARD = 64 << 10, LIFE = 4096 };

/* A stack of this host, taken until its thread has been joined, and has ended. */
static struct {
    struct fl_mutex mutex;
    struct stack {
        bool taken;
        bool left; /* no thread of this host will join it any more */
        pthread_t thread;
        _Atomic int id; /* the kernel's number of the thread */
    } all[FL_SPREAD_STACKS];
    _Atomic uint32_t running; /* a wait word: threads that the program started in the region << 1 */
    _Atomic uint32_t ending;  /* a wait word: threads that are telling others of their end << 1 */
    bool closed;              /* no further thread does */
} stacks;

/* Above a stack's guard, for hosts that join its thread. */
struct life {
    uint64_t number; /* threads that the stack has had, with this one */
    void *result;    /* valid once so many have ended: fl_meet_count of the life's address */
};

struct start {
    void *(*body)(void *);
    void *argument;
    struct stack *stack;
    bool by_program, in_region;
};

static struct life *life_at(uintptr_t stack) {
    return (struct life *)(stack + GUARD);
}

static uintptr_t address_of(const struct stack *stack) {
    uint64_t i = (uint64_t)fl_spread_me() * fl_spread.stacks + (uint64_t)(stack - stacks.all);
    return FL_SPREAD_STACK_BASE + i * fl_spread.stack_bytes;
}

static bool is_gone(const struct stack *stack) {
    /* Relaxed: a number that comes late makes the stack free later. */
    int id = atomic_load_explicit(&stack->id, memory_order_relaxed);
    return stack->left && id && tgkill(getpid(), id, 0) != 0 && errno == ESRCH;
}

const char *fl_stacks_name_sigsafe(uintptr_t address) {
    uint64_t bytes = fl_spread.stack_bytes, of_all = fl_spread_hosts() * fl_spread.stacks * bytes;
    uint64_t offset = address - FL_SPREAD_STACK_BASE;
    return offset < of_all && offset % bytes < GUARD
               ? "the guard of a stack, which is full: `ulimit -s` and OMP_STACKSIZE make stacks larger"
               : NULL;
}

static struct stack *take(void) {
    struct stack *got = NULL;
    fl_mutex_lock(&stacks.mutex);
    for (unsigned i = 0; !got && i < fl_spread.stacks; i++) {
        struct stack *stack = &stacks.all[i];
        got = !stack->taken || is_gone(stack) ? stack : NULL;
    }
    if (got) {
        got->taken = true;
        got->left = false;
        atomic_store_explicit(&got->id, 0, memory_order_relaxed);
    }
    fl_mutex_unlock(&stacks.mutex);
    return got;
}

/* The caller holds the mutex. */
static void change(_Atomic uint32_t *count, int by) {
    uint32_t before = atomic_load_explicit(count, memory_order_relaxed); /* the mutex's */
    fl_wait_publish(count, (before & ~(uint32_t)FL_WAIT_SLEEPING) + (uint32_t)(2 * by));
}

static void count(const struct start *start, int by) {
    if (start->by_program) {
        fl_dsm_beside(by);
    }
    if (start->in_region) {
        fl_mutex_lock(&stacks.mutex);
        change(&stacks.running, by);
        fl_mutex_unlock(&stacks.mutex);
    }
}

/* False: the program is over, and other hosts are not told of this thread any more. */
static bool begin_end(void) {
    fl_mutex_lock(&stacks.mutex);
    bool heard = !stacks.closed;
    if (heard) {
        change(&stacks.ending, 1);
    }
    fl_mutex_unlock(&stacks.mutex);
    return heard;
}

static void end_end(void) {
    fl_mutex_lock(&stacks.mutex);
    change(&stacks.ending, -1);
    fl_mutex_unlock(&stacks.mutex);
}

void fl_stacks_close(void) {
    fl_mutex_lock(&stacks.mutex);
    stacks.closed = true;
    fl_mutex_unlock(&stacks.mutex);
    fl_wait_begin("the end of a thread", NULL, 0);
    fl_wait_until(&stacks.ending, 0, fl_spread.wait);
    fl_wait_end();
}

void fl_stacks_await_threads(void) {
    fl_wait_begin("a thread that the program has started in a region", NULL, 0);
    fl_wait_until(&stacks.running, 0, fl_spread.wait);
    fl_wait_end();
}

/* However the thread ends. A joiner sees its writes by the fence; on hosts other than 0, where
 * threads are started in regions only, by the region's end, which waits for them. */
static void end(void *of_start) {
    const struct start *start = of_start;
    if (begin_end()) {
        if (fl_spread_me() == 0) {
            fl_dsm_fence();
        }
        (void)fl_meet_count(life_at(address_of(start->stack)), 1);
        end_end();
    }
    count(start, -1);
}

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    struct life *life = life_at(address_of(start.stack));
    free(argument);
    fl_dsm_thread_start();
    atomic_store_explicit(&start.stack->id, fl_os_thread_id(), memory_order_relaxed);
    pthread_cleanup_push(end, &start);
    life->result = start.body(start.argument);
    pthread_cleanup_pop(1);
    return life->result;
}

/* Attributes without an affinity read as all CPUs; some sandboxes refuse to set these. */
static void copy_affinity(pthread_attr_t *to, const pthread_attr_t *from) {
    cpu_set_t cpus;
    if (pthread_attr_getaffinity_np(from, sizeof cpus, &cpus) == 0 &&
        CPU_COUNT(&cpus) < CPU_SETSIZE) {
        (void)pthread_attr_setaffinity_np(to, sizeof cpus, &cpus);
    }
}

/* Attributes other than the stack are the caller's. */
static int start_on(struct stack *stack, pthread_t *thread, const pthread_attr_t *like,
                    const struct start *how) {
    pthread_attr_t attributes;
    struct start *start = malloc(sizeof *start);
    int error = start ? pthread_attr_init(&attributes) : ENOMEM;
    if (error) {
        free(start);
        return error;
    }
    *start = *how;
    start->stack = stack;
    int detached = PTHREAD_CREATE_JOINABLE;
    if (like) {
        (void)pthread_attr_getdetachstate(like, &detached);
        (void)pthread_attr_setdetachstate(&attributes, detached);
        copy_affinity(&attributes, like);
    }
    uintptr_t base = address_of(stack), begin = base + GUARD + LIFE;
    (void)fl_os_memory_protect((void *)base, GUARD, false, false);
    life_at(base)->number++;
    stack->left = detached == PTHREAD_CREATE_DETACHED;
    error = pthread_attr_setstack(&attributes, (void *)begin, base + fl_spread.stack_bytes - begin);
    if (!error) {
        error = FL_NEXT(pthread_create)(thread, &attributes, run, start);
    }
    pthread_attr_destroy(&attributes);
    if (error) {
        free(start);
    }
    return error;
}

static int create(pthread_t *thread, const pthread_attr_t *like, const struct start *how) {
    struct stack *stack = take();
    if (!stack) {
        fl_warn("a host of a program over several has %d threads at most at a time", FL_SPREAD_STACKS);
        return EAGAIN;
    }
    count(how, 1);
    int error = start_on(stack, thread, like, how);
    if (error) {
        count(how, -1);
    }
    fl_mutex_lock(&stacks.mutex);
    stack->taken = error == 0;
    stack->thread = error ? 0 : *thread;
    fl_mutex_unlock(&stacks.mutex);
    return error;
}

int fl_stacks_run(void *(*body)(void *), void *argument) {
    pthread_t thread;
    return create(&thread, NULL, &(struct start){.body = body, .argument = argument});
}

int fl_stacks_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                     void *argument, const void *caller) {
    enum fl_object_kind by = fl_object_of(caller);
    /* Relaxed: regions begin and end while the host has no other thread in one. */
    bool in_region = atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
    if (!fl_spread_together() || by == FL_OBJECT_OWN) {
        return FL_NEXT(pthread_create)(thread, attributes, body, argument);
    }
    return create(thread, attributes,
                  &(struct start){.body = body,
                                  .argument = argument,
                                  .by_program = by >= FL_OBJECT_LIBRARY,
                                  .in_region = by >= FL_OBJECT_LIBRARY && in_region});
}

FL_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*body)(void *), void *argument) {
    return fl_stacks_create(thread, attributes, body, argument, __builtin_return_address(0));
}

/* ---- joining ---- */

/* The thread's stack among those of all hosts; false: it has none of these. */
static bool find(pthread_t thread, unsigned *host_p, uintptr_t *stack_p) {
    uint64_t offset = (uintptr_t)thread - FL_SPREAD_STACK_BASE;
    uint64_t of_host = fl_spread.stacks * fl_spread.stack_bytes;
    *host_p = fl_spread_together() ? (unsigned)(offset / of_host) : 0;
    *stack_p = (uintptr_t)thread - offset % (of_host ? fl_spread.stack_bytes : 1);
    return fl_spread_together() && offset < of_host * fl_spread_hosts();
}

/* Of a thread of this host: no thread here will join it any more; `joined`: it has ended. */
static void leave(pthread_t thread, bool joined) {
    fl_mutex_lock(&stacks.mutex);
    for (unsigned i = 0; i < fl_spread.stacks; i++) {
        if (stacks.all[i].taken && stacks.all[i].thread == thread) {
            stacks.all[i].taken = !joined;
            stacks.all[i].left = true;
        }
    }
    fl_mutex_unlock(&stacks.mutex);
}

void fl_spread_serve_leave(const struct fl_comm_call *call,
                           const struct fl_spread_leave_message *words) {
    (void)call;
    pthread_t thread = (pthread_t)words->thread;
    leave(thread, false);
    (void)FL_NEXT(pthread_detach)(thread);
}

static void leave_elsewhere(pthread_t thread, unsigned host) {
    fl_comm_tell(host, FL_COMM_SPREAD,
                 FL_MESSAGE_WORDS(fl_spread, leave, .thread = (uint64_t)thread), NULL, 0);
}

FL_EXPORT int pthread_join(pthread_t thread, void **result_p) {
    unsigned host;
    uintptr_t stack;
    if (find(thread, &host, &stack) && host != fl_spread_me()) {
        struct life *life = life_at(stack);
        (void)fl_meet_await_count(life, life->number, "the end of a thread", NULL);
        fl_dsm_fence();
        if (result_p) {
            *result_p = life->result;
        }
        leave_elsewhere(thread, host);
        return 0;
    }
    int error = FL_NEXT(pthread_join)(thread, result_p);
    if (!error) {
        leave(thread, true);
    }
    return error;
}

/* GNU's: whether the thread has ended by a time; null: now. */
static int join_until(pthread_t thread, void **result_p, const struct fl_until *until) {
    unsigned host;
    uintptr_t stack;
    if (find(thread, &host, &stack) && host != fl_spread_me()) {
        struct life *life = life_at(stack);
        if (!until->time && fl_meet_count(life, 0) < life->number) {
            return EBUSY;
        }
        if (until->time && !fl_meet_await_count(life, life->number, "the end of a thread", until)) {
            return ETIMEDOUT;
        }
        return pthread_join(thread, result_p);
    }
    int error = until->time ? FL_NEXT(pthread_clockjoin_np)(thread, result_p, until->clock, until->time)
                            : FL_NEXT(pthread_tryjoin_np)(thread, result_p);
    if (!error) {
        leave(thread, true);
    }
    return error;
}

FL_EXPORT int pthread_tryjoin_np(pthread_t thread, void **result_p) {
    return join_until(thread, result_p, &fl_at_once);
}

FL_EXPORT int pthread_timedjoin_np(pthread_t thread, void **result_p, const struct timespec *time) {
    return join_until(thread, result_p, &(struct fl_until){CLOCK_REALTIME, time});
}

FL_EXPORT int pthread_clockjoin_np(pthread_t thread, void **result_p, clockid_t clock,
                                   const struct timespec *time) {
    return join_until(thread, result_p, &(struct fl_until){clock, time});
}

FL_EXPORT int pthread_detach(pthread_t thread) {
    unsigned host;
    uintptr_t stack;
    if (find(thread, &host, &stack) && host != fl_spread_me()) {
        leave_elsewhere(thread, host);
        return 0;
    }
    leave(thread, false);
    return FL_NEXT(pthread_detach)(thread);
}
