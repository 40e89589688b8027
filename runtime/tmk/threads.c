/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads of a host. Each runs the program's main, as a process of its own would; the first one
 * is the process's, and acts for the host in forks and joins with other hosts. A thread's Tmk_startup
 * begins the next one: until there, mains use getopt and the like, which are not for several threads.
 */
#include "tmk/inside.h"

#include "job/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv); /* the program's */

_Thread_local struct tmk_thread *tmk_thread;
__thread unsigned Tmk_proc_id;
static _Thread_local struct tmk_thread *begun; /* the calling thread; null: the process's first */

static struct {
    int argc;
    char **argv;
    _Atomic uint32_t here;   /* threads but the first that have come to the end of a region */
    _Atomic uint32_t all;    /* a wait word: times that all of these have come << 1 */
    _Atomic uint32_t forked; /* a wait word: regions forked << 1 */
    const struct tmk_region *region;
    uint32_t gathered; /* times, for the first thread */
} threads;

void tmk_threads_make(void) {
    struct tmk_process *tmk = &tmk_process;
    tmk->threads = FL_ALLOCATED(calloc(tmk->job.count, sizeof *tmk->threads),
                                "%u threads", tmk->job.count);
    for (unsigned i = 0; i < tmk->job.count; i++) {
        tmk->threads[i].id = tmk->job.first + i;
        tmk->threads[i].place = i;
    }
}

void tmk_thread_enter(struct tmk_thread *thread) {
    tmk_thread = thread;
    Tmk_proc_id = thread->id;
    fl_dsm_thread_start();
}

struct tmk_thread *tmk_thread_begun(void) {
    return begun;
}

struct tmk_thread *tmk_caller(const char *function) {
    if (FL_UNLIKELY(!tmk_thread)) {
        tmk_misuse("%s is called by a thread that has not called Tmk_startup", function);
    }
    return tmk_thread;
}

/* The arguments are read anew, as by another process. */
static void *run(void *thread) {
    begun = thread;
    fl_process_bind(&tmk_process.job, begun->place);
    char **argv = fl_process_copy_arguments(threads.argc, threads.argv);
    optind = 0;
    Tmk_exit(main(threads.argc, argv));
}

void tmk_threads_run(int argc, char **argv) {
    const struct tmk_process *tmk = &tmk_process;
    if (tmk->job.count > 1) {
        threads.argc = argc;
        /* The first thread's main may change its own. */
        threads.argv = fl_process_copy_arguments(argc, argv);
        tmk_threads_run_next(&tmk->threads[0]);
    }
}

void tmk_threads_run_next(const struct tmk_thread *thread) {
    const struct tmk_process *tmk = &tmk_process;
    unsigned place = thread->place + 1;
    if (place == tmk->job.count) {
        return;
    }
    uint64_t limit = fl_os_stack_limit();
    uint64_t stack = tmk->params.stack_size ? tmk->params.stack_size
                     : limit == UINT64_MAX  ? 8u << 20
                                            : limit;
    int error = fl_os_thread_start(run, &tmk->threads[place], stack);
    if (error) {
        fl_fatal(FL_CODE_THREAD_START,
                 "cannot start thread %u with a stack of %llu KB: %s; use fewer threads, a smaller "
                 "stack (UPC_STACK_SIZE), or raise ulimit -u",
                 tmk->threads[place].id, (unsigned long long)(stack / 1024), strerror(error));
    }
}

/* ---- together ---- */

static unsigned others(void) {
    return tmk_process.job.count - 1;
}

static void come(void) {
    /* [K1] pairs itself: the last one has seen what the others did. */
    if (atomic_fetch_add_explicit(&threads.here, 1, memory_order_acq_rel) + 1 == others()) {
        /* Relaxed: published below. */
        atomic_store_explicit(&threads.here, 0, memory_order_relaxed);
        uint32_t all = atomic_load_explicit(&threads.all, memory_order_relaxed);
        fl_wait_publish(&threads.all, (all & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
    }
}

void tmk_threads_gather(void) {
    if (others() > 0) {
        threads.gathered++;
        fl_wait_begin("the other threads of its host", NULL, 0);
        fl_wait_until(&threads.all, threads.gathered << 1, tmk_process.wait);
        fl_wait_end();
    }
}

void tmk_threads_end(void) {
    come();
    for (;;) {
        pause();
    }
}

/* ---- regions ---- */

void tmk_perform(const struct tmk_region *region) {
    struct tmk_region own = *region;
    ((void (*)(void *))(uintptr_t)(own.work + fl_os_program_shift()))(own.argument);
}

void tmk_threads_fork(const struct tmk_region *region) {
    threads.region = region;
    /* Relaxed: only this thread changes it, except for the bit that sleeping threads set. */
    uint32_t forked = atomic_load_explicit(&threads.forked, memory_order_relaxed);
    fl_wait_publish(&threads.forked, (forked & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
}

void tmk_threads_work(void) {
    for (uint32_t forked = 2;; forked += 2) {
        come();
        fl_wait_begin("the next parallel region", NULL, 0);
        fl_wait_until(&threads.forked, forked, tmk_process.wait);
        fl_wait_end();
        if (threads.region->work == TMK_END) {
            Tmk_exit(0);
        }
        tmk_perform(threads.region);
    }
}
