/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts this process's part of the job and its UPC threads, each of which calls the user's main. */
#include "upc/start.h"

#include "core/fatal.h"
#include "upc/cells.h"
#include "job/control.h"
#include "upc/debugger.h"
#include "upc/finish.h"
#include "upc/objects.h"
#include "upc/output.h"
#include "upc/process.h"
#include "upc/stall.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* The job area: what processes agree on, then the barrier, the board, the heaps' table. */
struct layout {
    uint64_t barrier, board, heap, bytes;
};

static struct layout job_area_layout(const struct fl_layout *layout) {
    unsigned threads = layout->threads;
    struct layout at;
    at.barrier = fl_round_up(sizeof(struct upc_shared), 4096);
    at.board = fl_round_up(at.barrier + fl_barrier_bytes(threads), 4096);
    at.heap = fl_round_up(at.board + fl_coll_bytes(threads), 4096);
    at.bytes = fl_round_up(at.heap + fl_heap_table_bytes(layout), 4096);
    return at;
}

/* The process with thread 0 sets up what the others need; they wait. */
static void agree(uint64_t fingerprint) {
    struct upc_shared *shared = upc_process.shared;
    enum { READY = 2 };
    if (upc_process.job.proc == 0) {
        shared->cpus = fl_os_cpu_count();
        shared->program = fingerprint;
        struct fl_heap_failure failure;
        if (!fl_heap_init(&upc_process.heap, &failure)) {
            fl_fatal(FL_CODE_STATIC_SPACE, "the static shared objects need %llu KB, but %s %llu KB",
                     (unsigned long long)(failure.wanted / 1024),
                     failure.status == FL_ERR_FULL ? "-shared-heap allows each thread"
                                                   : "the machine has left",
                     (unsigned long long)(failure.limit / 1024));
        }
        fl_wait_publish(&shared->ready, READY);
    }
    fl_wait_until(&shared->ready, READY, fl_wait_choose(2, 1, 0, 0));
    if (shared->program != fingerprint) {
        fl_fatal(FL_CODE_OTHER_PROGRAM, "the static shared objects of this process differ from "
                                        "those of thread 0's; all must run the same program");
    }
}

static void map_space(void) {
    const struct fl_job *job = &upc_process.job;
    struct layout at = job_area_layout(&upc_process.layout);
    uint64_t fingerprint;
    uint64_t segment = 1ull << (FL_SPACE_LOG2 - fl_log2_ceil(job->threads));
    uint64_t statics = upc_objects_place(FL_SPACE_BASE, segment / 2, &fingerprint);
    fl_space_map(&upc_process.space, &upc_process.layout, job->mem, at.bytes);
    char *area = upc_process.space.job_area;
    upc_process.shared = (struct upc_shared *)area;
    fl_heap_attach(&upc_process.heap, &upc_process.space, &upc_process.layout, area + at.heap,
                   statics);
    upc_process.heap.segment_limit = job->heap;
    upc_process.heap.overcommit = upc_process.params.overcommit;
    upc_process.heap.align = (uint32_t)upc_process.params.alloc_align;
    agree(fingerprint);
    unsigned cpus = upc_process.shared->cpus;
    bool polite = job->polite || upc_process.params.polite;
    upc_process.wait = fl_wait_choose(job->threads, cpus, polite ? 1 : upc_process.params.spins,
                                      upc_process.params.yields);
    fl_barrier_attach(&upc_process.barrier, area + at.barrier, job->threads,
                      fl_barrier_choose(job->threads, cpus), upc_process.wait, upc_barrier_names);
    fl_coll_attach(&upc_process.team, area + at.board, &upc_process.barrier,
                   fl_space_segment_bytes(&upc_process.space));
    upc_job_cell = (struct upcr_job){
        .threads = job->threads,
        .log2_segment = upc_process.space.log2_segment,
        .log2_threads =
            (job->threads & (job->threads - 1)) == 0 ? (int)fl_log2_floor(job->threads) : -1,
        .hosts = job->hosts,
        .here = upc_process.space.here_base,
        .here_bytes = upc_process.space.here_bytes,
        .reciprocal = (long)(((1ul << 62) + job->threads - 1) / job->threads),
    };
}

static void bind_cpu(unsigned i) {
    int cpu = fl_job_cpu(&upc_process.job, i);
    int error = cpu < 0 ? 0 : fl_os_cpu_bind((unsigned)cpu);
    if (error) {
        fl_warn("thread %u cannot be bound to CPU %d: %s", upc_process.job.first + i, cpu,
                strerror(-error));
    }
}

/* Each thread may change its arguments, as its own process could: a copy of vector and strings. */
static char **copy_arguments(int argc, char **argv) {
    size_t bytes = ((size_t)argc + 1) * sizeof *argv;
    for (int i = 0; i < argc; i++) {
        bytes += strlen(argv[i]) + 1;
    }
    char **copy = malloc(bytes);
    if (!copy) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the program's arguments");
    }
    char *text = (char *)&copy[argc + 1];
    for (int i = 0; i < argc; i++) {
        copy[i] = text;
        text = stpcpy(text, argv[i]) + 1;
    }
    copy[argc] = NULL;
    return copy;
}

static void *run_thread(void *argument) {
    struct upc_thread *self = argument;
    upc_self = self;
    upc_mythread_cell = (int)self->me;
    /* [T1] pairs [T2]: the thread's storage exists before others look. */
    atomic_store_explicit(&self->reason, &fl_wait_reason, memory_order_release);
    char **argv = upc_process.argv;
    if (upc_process.job.count > 1) {
        /* Before the first barrier, so before anybody's main can change them. */
        argv = copy_arguments(upc_process.argc, argv);
    }
    bind_cpu(self->me - upc_process.job.first);
    (void)fl_os_signal_stack(); /* without it only the report of a stack overflow is lost */
    upc_barrier_plain(UPC_AT_START);
    if (self->me == 0) {
        upc_objects_run_shared_inits();
    }
    upc_debugger_wait(self); /* the others wait for it at the barrier */
    upc_barrier_plain(UPC_AT_START);
    upc_objects_run_thread_inits();
    /* Relaxed: only counts. */
    if (atomic_fetch_add_explicit(&upc_process.started, 1, memory_order_relaxed) + 1 ==
        upc_process.job.count) {
        fl_control_send0_sigsafe("up");
    }
    self->in_upc = true;
    upc_finish_main(upc_process.main(upc_process.argc, argv, environ));
}

/* The first thread runs on the process's own stack, unless the user wants a larger one. */
_Noreturn static void run_threads(void) {
    const struct fl_job *job = &upc_process.job;
    uint64_t limit = fl_os_stack_limit();
    uint64_t wanted = upc_process.params.stack_size;
    unsigned on_main_stack = wanted <= limit;
    uint64_t stack = wanted ? wanted : limit == UINT64_MAX ? 8u << 20 : limit;
    for (unsigned i = 0; i < job->count; i++) {
        upc_process.threads[i].me = job->first + i;
        upc_process.threads[i].barrier.me = job->first + i;
        upc_process.threads[i].coll.barrier = &upc_process.threads[i].barrier;
    }
    for (unsigned i = on_main_stack; i < job->count; i++) {
        int error = fl_os_thread_start(run_thread, &upc_process.threads[i], stack);
        if (error) {
            fl_fatal(FL_CODE_THREAD_START,
                     "cannot start thread %u with a stack of %llu KB: %s; use fewer threads, a "
                     "smaller stack (UPC_STACK_SIZE), or raise ulimit -u",
                     job->first + i, (unsigned long long)(stack / 1024), strerror(-error));
        }
    }
    if (on_main_stack) {
        run_thread(&upc_process.threads[0]);
    }
    for (;;) {
        pause();
    }
}

static bool no_warnings(void) {
    const struct fl_params *params = &upc_process.params;
    return upc_process.job.quiet || params->quiet || params->no_warn;
}

static void last_words(bool by_signal) {
    if (!by_signal) {
        upc_output_flush_try();
    }
    upc_debugger_backtrace_sigsafe();
}

void upc_start(int argc, char **argv, upc_main_function *user_main) {
    upc_process.main = user_main;
    upc_process.pid = getpid();
    upc_process.argc = argc;
    upc_process.argv = argv;
    fl_job_alone(&upc_process.job);
    fl_params_read(&upc_process.params);
    fl_warn_set_quiet(no_warnings());
    struct upc_units units = upc_objects_check_units();
    upc_process.check =
        upc_process.params.check == 2 ? units.debug : upc_process.params.check == 1;
    upc_launch_find_job(units.static_threads, argv);
    fl_warn_set_quiet(no_warnings());
    if (upc_process.job.first == 0) {
        fl_params_warn_unknown(); /* once per job */
    }
    fl_control_start(&(struct fl_control_setup){
        .fd = upc_process.job.ctl,
        .me = upc_me_or_first,
        .last_words = last_words,
        .signals = upc_process.params.backtrace,
    });
    upc_output_start();
    map_space();
    upc_finish_start();
    upc_process.threads =
        aligned_alloc(FL_CACHE_LINE, upc_process.job.count * sizeof *upc_process.threads);
    if (!upc_process.threads) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for %u threads", upc_process.job.count);
    }
    memset(upc_process.threads, 0, upc_process.job.count * sizeof *upc_process.threads);
    upc_stall_start();
    run_threads();
}
