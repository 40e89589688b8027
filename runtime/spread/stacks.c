/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of the program and of the OpenMP runtime. Their stacks, on top of which glibc has their
 * _Thread_local objects, are coherent memory, so that one thread may be given the address of
 * another's variable, on whatever host. Each host has a range of its own, whose pages it always has:
 * the kernel writes to them too.
 */
#include "spread/inside.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 << 10 };

/* A stack of this host, taken until its thread has been joined. */
static struct {
    struct fl_mutex mutex;
    struct stack {
        bool taken;
        pthread_t thread;
    } all[FL_SPREAD_STACKS_MOST];
} stacks;

struct start {
    void *(*body)(void *);
    void *argument;
};

static uintptr_t address_of(unsigned i) {
    return FL_SPREAD_STACK_BASE +
           ((uintptr_t)fl_spread_me() * fl_spread.stacks + i) * fl_spread.stack_bytes;
}

static struct stack *take(void) {
    struct stack *got = NULL;
    fl_mutex_lock(&stacks.mutex);
    for (unsigned i = 0; !got && i < fl_spread.stacks; i++) {
        got = stacks.all[i].taken ? NULL : &stacks.all[i];
    }
    if (got) {
        got->taken = true;
    }
    fl_mutex_unlock(&stacks.mutex);
    return got;
}

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    fl_dsm_thread_start();
    return start.body(start.argument);
}

/* The attributes but for the stack are the caller's. */
static int start_on(struct stack *stack, pthread_t *thread, const pthread_attr_t *like,
                    void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    struct start *start = malloc(sizeof *start);
    int error = start ? pthread_attr_init(&attributes) : ENOMEM;
    if (error) {
        free(start);
        return error;
    }
    *start = (struct start){body, argument};
    int detached = PTHREAD_CREATE_JOINABLE;
    cpu_set_t cpus;
    if (like) {
        (void)pthread_attr_getdetachstate(like, &detached);
        (void)pthread_attr_setdetachstate(&attributes, detached);
        if (pthread_attr_getaffinity_np(like, sizeof cpus, &cpus) == 0) {
            (void)pthread_attr_setaffinity_np(&attributes, sizeof cpus, &cpus);
        }
    }
    uintptr_t base = address_of((unsigned)(stack - stacks.all));
    (void)fl_os_memory_protect((void *)base, GUARD, false, false);
    error = pthread_attr_setstack(&attributes, (void *)(base + GUARD),
                                  fl_spread.stack_bytes - GUARD);
    if (!error) {
        error = FL_NEXT(pthread_create)(thread, &attributes, run, start);
    }
    pthread_attr_destroy(&attributes);
    if (error) {
        free(start);
    }
    return error;
}

static int create(pthread_t *thread, const pthread_attr_t *like, void *(*body)(void *),
                  void *argument) {
    struct stack *stack = take();
    if (!stack) {
        return EAGAIN;
    }
    int error = start_on(stack, thread, like, body, argument);
    fl_mutex_lock(&stacks.mutex);
    stack->taken = error == 0;
    stack->thread = error ? 0 : *thread;
    fl_mutex_unlock(&stacks.mutex);
    return error;
}

int fl_stacks_run(void *(*body)(void *), void *argument) {
    pthread_t thread;
    return create(&thread, NULL, body, argument);
}

FL_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*body)(void *), void *argument) {
    bool own = !fl_spread_together() || fl_object_of(__builtin_return_address(0)) == FL_OBJECT_OWN;
    return own ? FL_NEXT(pthread_create)(thread, attributes, body, argument)
               : create(thread, attributes, body, argument);
}

FL_EXPORT int pthread_join(pthread_t thread, void **result_p) {
    int error = FL_NEXT(pthread_join)(thread, result_p);
    fl_mutex_lock(&stacks.mutex);
    for (unsigned i = 0; error == 0 && i < fl_spread.stacks; i++) {
        if (stacks.all[i].taken && stacks.all[i].thread == thread) {
            stacks.all[i].taken = false;
        }
    }
    fl_mutex_unlock(&stacks.mutex);
    return error;
}
