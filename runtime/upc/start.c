/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts this process's part of the job and its UPC threads, each of which calls the user's main. */
#include "upc/start.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "job/control.h"
#include "job/launcher.h"
#include "job/process.h"
#include "net/net.h"
#include "platform/c_library.h"
#include "upc/abi.h"
#include "upc/attach.h"
#include "upc/cells.h"
#include "upc/debugger.h"
#include "upc/finish.h"
#include "upc/objects.h"
#include "upc/output.h"
#include "upc/process.h"
#include "upc/process_state.h"
#include "upc/stall.h"
#include "upc/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static void bind_cpus(unsigned i) {
    uint64_t cpus[FL_JOB_CPU_WORDS], now[FL_JOB_CPU_WORDS], outside = 0;
    if (!fl_job_cpus(&upc_process.job, i, cpus)) {
        return;
    }
    fl_os_cpu_set(now, FL_JOB_CPU_WORDS);
    for (unsigned word = 0; word < FL_JOB_CPU_WORDS; word++) {
        outside |= now[word] & ~cpus[word];
    }
    /* A thread that runs only on its CPUs stays as it is: OpenMP may have bound it to some of
     * them. */
    int error = outside ? fl_os_cpu_bind_set(cpus, FL_JOB_CPU_WORDS) : 0;
    if (error) {
        fl_warn("thread %u cannot be bound to its CPUs: %s", upc_process.job.first + i,
                strerror(-error));
    }
}

/* pthread_exit in a UPC thread is a return from main: the process of a thread that just vanished would
 * stay, since threads of the runtime's do, and the job would never end. */
static void end_thread(void *unused) {
    (void)unused;
    upc_finish_main(0);
}

_Noreturn static void run_main(char **argv) {
    int status;
    pthread_cleanup_push(end_thread, NULL);
    status = upc_process.main(upc_process.argc, argv, environ);
    pthread_cleanup_pop(0);
    upc_finish_main(status);
}

static void *run_thread(void *argument) {
    struct upc_thread *self = argument;
    upc_self = self;
    upc_mythread_cell = (int)self->me;
    /* [T1] pairs [T2]: the thread's storage exists before others read it. */
    atomic_store_explicit(&self->reason, &fl_wait_reason, memory_order_release);
    char **argv = upc_process.argv;
    if (upc_process.job.count > 1) {
        /* Before the first barrier, so before the main of any thread can change them. */
        argv = fl_process_copy_arguments(upc_process.argc, argv);
    }
    bind_cpus(self->me - upc_process.job.first);
    (void)fl_os_signal_stack(); /* without it only the report of a stack overflow is lost */
    if (fl_os_thread_id() != getpid()) {
        upc_objects_run_constructors();
    }
    if (!upc_process.nopthreads) {
        fl_comm_count_alone();
        if (upc_process.params.read_cache && !fl_comm_here.one_host) {
            fl_read_cache_start(1000 * upc_process.params.read_cache);
        }
    }
    upc_barrier_plain(UPC_AT_START);
    if (self->me == 0) {
        upc_objects_run_shared_inits();
        upcr_quiet();
    }
    upc_trace_prepare();
    upc_debugger_wait(self); /* the others wait for it at the barrier */
    upc_barrier_plain(UPC_AT_START);
    upc_objects_run_thread_inits();
    /* Relaxed: only counts. */
    if (atomic_fetch_add_explicit(&upc_process.started, 1, memory_order_relaxed) + 1 ==
        upc_process.job.count) {
        fl_control_send0_sigsafe("up");
    }
    self->in_upc = true;
    if (upc_process.job.trace || upc_process.params.report) {
        upc_trace_start();
    }
    run_main(argv);
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
        upc_process.threads[i].coll =
            (struct fl_coll_member){.rank = job->first + i,
                                    .barrier = &upc_process.threads[i].barrier};
        upc_process.threads[i].later_coll.rank = job->first + i;
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
    upc_mythread_cell = -1;
    fl_os_thread_block_signals();
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
        upc_output_close();
    }
    upc_debugger_backtrace_sigsafe();
}

/* The codes of messages that name a function of the library and what is wrong with its call. */
static bool is_misuse(enum fl_code code) {
    static const enum fl_code misuses[] = {
        FL_CODE_HEAP_FULL,     FL_CODE_MEMORY_EXHAUSTED, FL_CODE_BAD_FREE,
        FL_CODE_TOO_LARGE,     FL_CODE_LOCK_MISUSE,      FL_CODE_UNKNOWN_PHASE,
        FL_CODE_COLLECTIVE_PLACE, FL_CODE_BAD_ARGUMENT,  FL_CODE_HANDLE_MISUSE,
        FL_CODE_REGIONS,       FL_CODE_THREAD_NUMBER,    FL_CODE_SEMAPHORE_MISUSE,
        FL_CODE_ATOMIC_MISUSE, FL_CODE_FILE_MISUSE,
    };
    bool found = false;
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        found |= code == misuses[i];
    }
    return found;
}

/* Code that is compiled with -g says where it calls functions that can be misused. */
static void called_from(enum fl_code code, char *text, size_t room) {
    const struct upc_thread *self = upc_self;
    if (is_misuse(code) && self && self->file) {
        snprintf(text, room, "%s:%d: ", self->file, self->line);
    }
}

static long thread_elsewhere(uintptr_t address) {
    const struct fl_space *space = &upc_process.space;
    bool elsewhere = fl_space_holds(space, address) && !fl_space_is_here(space, address);
    return elsewhere ? (long)fl_space_thread(space, address) : -1;
}

void upc_start(int argc, char **argv, upc_main_function *user_main) {
    upc_process.main = user_main;
    upc_process.pid = getpid();
    upc_process.argc = argc;
    upc_process.argv = argv;
    if (fl_os_program_is_static() && fl_libc_refuses_static()) {
        fl_fatal(FL_CODE_STATIC_LINK, "%s", fl_libc_refuses_static());
    }
    fl_os_thread_default_stack();
    fl_job_alone(&upc_process.job);
    fl_params_read(&upc_process.params);
    fl_warn_set_quiet(no_warnings());
    struct upc_units units = upc_objects_check_units();
    upc_process.check =
        upc_process.params.check == 2 ? units.debug : upc_process.params.check == 1;
    upc_process.nopthreads = units.nopthreads;
    upc_launch_find_job(units.static_threads, argv);
    fl_warn_set_quiet(no_warnings());
    if (upc_process.job.first == 0) {
        fl_params_warn_unknown(); /* once per job */
        if (upc_process.job.count > 1) {
            upc_process_state_warn();
        }
    }
    fl_control_start(&(struct fl_control_setup){
        .fd = upc_process.job.ctl,
        .me = upc_me_or_first,
        .last_words = last_words,
        .called_from = called_from,
        .told = upc_process.job.freezes ? upc_debugger_freeze_sigsafe : NULL,
        .signalled_at = upc_debugger_place_sigsafe,
        .elsewhere = thread_elsewhere,
        .signals = upc_process.params.backtrace,
        .abort = upc_process.job.launcher ? upc_process.job.launcher->abort : NULL,
    });
    fl_net_mpi_callers(upc_process.job.count,
                       upc_process.job.launcher || upc_process.job.first ? 0 : upc_process.job.procs);
    upc_output_start();
    upc_objects_check_hosts(upc_process.job.hosts);
    upc_attach();
    upc_finish_start();
    upc_debugger_start();
    upc_process.threads =
        aligned_alloc(FL_CACHE_LINE, upc_process.job.count * sizeof *upc_process.threads);
    if (!upc_process.threads) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for %u threads", upc_process.job.count);
    }
    memset(upc_process.threads, 0, upc_process.job.count * sizeof *upc_process.threads);
    upc_stall_start();
    run_threads();
}
