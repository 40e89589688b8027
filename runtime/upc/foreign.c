/* SPDX-License-Identifier: BSD-3-Clause */
/* See foreign.h. Numbers are bits of a table; a thread's number is free again when the thread
 * ends. */
#include "upc/foreign.h"

#include "core/fatal.h"
#include "core/mutex.h"

#include <pthread.h>
#include <stdio.h>

static struct {
    struct fl_mutex mutex;
    pthread_once_t once;
    pthread_key_t key;
    uint64_t taken[UPC_FOREIGN_MAX / 64 + 1];
    _Atomic uint32_t locks; /* that foreign threads hold or want */
} foreign = {.once = PTHREAD_ONCE_INIT};

static _Thread_local unsigned my_number;

/* "thread 3", "threads 4 to 7" */
struct names {
    char text[64];
};

static struct names threads_of_process(void) {
    const struct fl_job *job = &upc_process.job;
    struct names n;
    if (job->count == 1) {
        snprintf(n.text, sizeof n.text, "thread %u", job->first);
    } else {
        snprintf(n.text, sizeof n.text, "threads %u to %u", job->first,
                 job->first + job->count - 1);
    }
    return n;
}

#define ADVICE                                                                                     \
    "compile the program with -nopthreads (which -fopenmp and -pthread imply): the threads of a "  \
    "process then share its UPC thread's"

void upcr_foreign_thread(const char *function, const char *file, int line) {
    fl_fatal(FL_CODE_FOREIGN_THREAD,
             "%s (%s:%d) is called in a thread that is not a UPC thread, in the process of %s, but "
             "uses MYTHREAD or private variables, which each UPC thread has of its own; " ADVICE,
             function, file, line, threads_of_process().text);
}

/* For C in shared libraries, which cannot see the runtime's thread-locals. */
__attribute__((visibility("default"))) void upcr_check_thread(const char *user, const char *file,
                                                              int line);

void upcr_check_thread(const char *user, const char *file, int line) {
    if (upcr_mythread < 0) {
        upcr_foreign_thread(user, file, line);
    }
}

struct upc_thread *upc_foreign_acting(const char *function) {
    if (upc_process.nopthreads && upc_process.threads) {
        return &upc_process.threads[0];
    }
    fl_fatal(FL_CODE_FOREIGN_THREAD,
             "%s is called in a thread that is not a UPC thread, in the process of %s, and has to "
             "know which UPC thread that is; " ADVICE,
             function, threads_of_process().text);
}

void upc_foreign_refuse(const char *function) {
    fl_fatal(FL_CODE_FOREIGN_THREAD,
             "%s is called in a thread that is not a UPC thread, in the process of %s; only UPC "
             "threads themselves may call it: in OpenMP outside of parallel regions, or in "
             "`#pragma omp master`",
             function, threads_of_process().text);
}

static void give_back(void *number) {
    uintptr_t i = (uintptr_t)number;
    fl_mutex_lock(&foreign.mutex);
    foreign.taken[i / 64] &= ~(1ull << i % 64);
    fl_mutex_unlock(&foreign.mutex);
}

static void make_key(void) {
    foreign.taken[0] = 1; /* 0 is no number */
    if (pthread_key_create(&foreign.key, give_back) != 0) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the numbers of the program's own threads");
    }
}

static unsigned take_number(void) {
    unsigned i = 0;
    fl_mutex_lock(&foreign.mutex);
    while (i <= UPC_FOREIGN_MAX && foreign.taken[i / 64] >> i % 64 & 1) {
        i++;
    }
    if (i <= UPC_FOREIGN_MAX) {
        foreign.taken[i / 64] |= 1ull << i % 64;
    }
    fl_mutex_unlock(&foreign.mutex);
    return i;
}

unsigned upc_foreign_number(void) {
    if (my_number) {
        return my_number;
    }
    pthread_once(&foreign.once, make_key);
    unsigned number = take_number();
    if (number > UPC_FOREIGN_MAX ||
        pthread_setspecific(foreign.key, (void *)(uintptr_t)number) != 0) {
        fl_fatal(FL_CODE_FOREIGN_THREAD,
                 "more than %d threads that the program has made use locks at the same time",
                 UPC_FOREIGN_MAX);
    }
    my_number = number;
    return number;
}

void upc_foreign_wants_lock(void) {
    /* Relaxed, all three: upc/stuck.c reads it at two looks, half a second apart. */
    atomic_fetch_add_explicit(&foreign.locks, 1, memory_order_relaxed);
}

void upc_foreign_has_released(void) {
    atomic_fetch_sub_explicit(&foreign.locks, 1, memory_order_relaxed);
}

bool upc_foreign_locks(void) {
    return atomic_load_explicit(&foreign.locks, memory_order_relaxed) > 0;
}

int upcr_once_begin_slow(int *once) {
    enum { BEGUN = 1 };
    int expected = 0;
    if (__atomic_compare_exchange_n(once, &expected, BEGUN, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
        return 1;
    }
    while (!upcr_once_is_done(once)) {
        fl_os_yield();
    }
    return 0;
}
