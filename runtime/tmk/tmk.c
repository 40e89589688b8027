/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end of a process of a job of <furlong/tmk.h>, barriers, locks and regions. */
#include "tmk/inside.h"

#include "job/control.h"
#include "job/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tmk_process tmk_process;
unsigned Tmk_nprocs = 1, Tmk_page_size = FL_MAP_PAGE;

/* For upcrun: a program that may be started as a job, though upcc did not make it. */
__attribute__((section("furlong_gas"), used, retain)) static const char program_mark = 1;

/* Where coherent memory is, on all hosts: Linux puts nothing there. */
#define MEMORY ((uintptr_t)3 << 43)

/* The region that this host's threads perform. */
static struct tmk_region region;

void tmk_misuse(const char *format, ...) {
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fl_fatal(FL_CODE_TMK_MISUSE, "%s", text);
}

/* ---- start ---- */

static void serve(void *context, const struct fl_comm_call *call) {
    (void)context;
    const struct fl_message_come come = {"of TreadMarks", call->asker.proc, tmk_process.job.proc,
                                         call->asker.cookie != 0, call->n_words, call->bytes};
    switch (call->words[0]) {
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_CASE(&come, call, tmk, name, how, where, least, most)
#include "tmk/messages.def"
#undef FL_MESSAGE
    }
    fl_message_refuse_kind(&come);
}

void tmk_serve_wake(const struct fl_comm_call *call, const struct tmk_wake_message *words) {
    (void)call;
    tmk_wake((unsigned)words->place);
}

void tmk_serve_distribute(const struct fl_comm_call *call,
                          const struct tmk_distribute_message *words) {
    memcpy((void *)(uintptr_t)(words->address + fl_os_program_shift()), call->payload, call->bytes);
    fl_comm_answer(call->asker, NULL, 0, NULL, 0);
}

static void take_place(void) {
    const struct fl_job *job = &tmk_process.job;
    if (job->procs != job->hosts) {
        tmk_misuse("%u processes on %u host%s: a program of <furlong/tmk.h> has one process on "
                   "each host, with any number of threads; use `upcrun -n %u -p %u`, or on one "
                   "machine `upcrun -n %u -virtual-hosts %u`",
                   job->procs, job->hosts, job->hosts == 1 ? "" : "s", job->threads,
                   (job->threads + job->hosts - 1) / job->hosts, job->procs, job->procs);
    }
    Tmk_nprocs = job->threads;
    tmk_threads_make();
}

/* Common blocks of Fortran, in whole pages, which tmkf.ld has put there; or nulls. */
extern unsigned char tmk_common_begin[] __attribute__((weak));
extern unsigned char tmk_common_end[] __attribute__((weak));

/* Common blocks must be at the same addresses on all hosts: so the program must not be a PIE. */
static bool find_common(struct fl_map_range *range) {
    uintptr_t begin = (uintptr_t)tmk_common_begin, end = (uintptr_t)tmk_common_end;
    if (begin == end) {
        return false;
    }
    if (fl_os_program_shift() != 0) {
        tmk_misuse("common blocks are shared, but the program may lie at other addresses on other "
                   "hosts; link it with what `pkg-config --libs furlong-tmkf` says, -no-pie");
    }
    *range = (struct fl_map_range){.address = begin, .bytes = end - begin, .kept = true};
    return true;
}

/* On one host memory is fixed, as its home never moves: it need not be watched. */
static void start_memory(void) {
    struct tmk_process *tmk = &tmk_process;
    tmk->bytes = fl_round_up(tmk->params.host_heap, FL_MAP_PAGE) * tmk->job.hosts;
    tmk->memory = (struct tmk_memory *)MEMORY;
    struct fl_map_range ranges[2];
    unsigned n = tmk->job.hosts > 1 && find_common(&ranges[0]) ? 1 : 0;
    ranges[n++] = (struct fl_map_range){
        .address = MEMORY, .bytes = tmk->bytes, .fixed = tmk->job.hosts == 1};
    fl_dsm_start(&(struct fl_dsm_setup){.hosts = tmk->job.hosts,
                                        .me = tmk->job.host,
                                        .threads = tmk->job.count,
                                        .ranges = ranges,
                                        .n_ranges = n,
                                        .faults = tmk->params.faults,
                                        .params = &tmk->params,
                                        .wait = tmk->wait});
}

static void start_comm(void) {
    struct tmk_process *tmk = &tmk_process;
    if (!fl_job_layout(&tmk->job, &tmk->layout)) {
        fl_job_refuse("threads, processes and hosts that do not add up");
    }
    fl_space_map(&tmk->space, &tmk->layout, tmk->job.mem, FL_MAP_PAGE);
    tmk->attach = (struct fl_comm_attach){.job = &tmk->job,
                                          .params = &tmk->params,
                                          .space = &tmk->space,
                                          .layout = &tmk->layout};
    fl_comm_attach_start(&tmk->attach);
    fl_comm_register(FL_COMM_TMK, serve, NULL);
    tmk->wait = fl_comm_choose_wait(&tmk->attach, tmk->job.count, fl_os_cpu_count());
    start_memory();
    if (tmk->job.hosts > 1) {
        tmk->wait = fl_comm_attach_connect(&tmk->attach, tmk->job.count, fl_os_cpu_count());
        fl_dsm_wait_as(tmk->wait);
    }
}

/* Returns in the process's first thread, when all threads of the host have come to their ends. */
static void end_threads(void) {
    static bool all_ended;
    if (tmk_thread->place > 0) {
        tmk_threads_end();
    }
    if (all_ended) {
        return;
    }
    if (tmk_process.forks && tmk_process.job.host == 0) {
        region.work = TMK_END;
        fl_dsm_fork(&region.work, sizeof region.work);
        tmk_threads_fork(&region);
    }
    tmk_threads_gather();
    all_ended = true;
}

static void finish(void) {
    struct tmk_process *tmk = &tmk_process;
    if (tmk->job.count > 1 && (!tmk_thread || tmk_thread->place > 0)) {
        tmk_misuse("exit(0) in a thread that is not the only one of its host: it would end the "
                   "others; call Tmk_exit, or return from main");
    }
    end_threads();
    fl_dsm_barrier_hosts();
    fl_dsm_print_counts(tmk->params.dsm_stats);
    fl_dsm_barrier_hosts();
    tmk->over = true;
    fflush(NULL);
    fl_comm_stop();
    if (tmk->job.stats) {
        fl_dsm_report_counts();
    }
    fl_process_done();
}

static unsigned my_id(void) {
    return tmk_thread ? tmk_thread->id : tmk_process.job.first;
}

static void start_process(int argc, char **argv) {
    struct tmk_process *tmk = &tmk_process;
    tmk->started = true;
    fl_os_thread_default_stack();
    (void)fl_process_find_job(&tmk->job, &tmk->params,
                              &(struct fl_process_ranks){.threads = true, .apart = true});
    fl_process_report(&tmk->job, &tmk->params, my_id, NULL);
    take_place();
    fl_process_bind(&tmk->job, 0);
    start_comm();
    tmk_thread_enter(&tmk->threads[0]);
    if (Tmk_proc_id == 0) {
        tmk_heap_start();
    }
    fl_process_at_exit(&tmk->over, finish);
    tmk_threads_run(argc, argv);
}

void Tmk_startup(int argc, char **argv) {
    struct tmk_thread *begun = tmk_thread_begun();
    if (tmk_thread || (tmk_process.started && !begun)) {
        tmk_misuse("Tmk_startup is called a second time");
    }
    if (begun) {
        fl_os_fault_catch_again(); /* a main of Fortran has set handlers, as in the first thread */
        tmk_thread_enter(begun);
        tmk_threads_run_next(begun);
    } else {
        start_process(argc, argv);
    }
    fl_dsm_barrier();
    if (!begun) {
        fl_control_send0_sigsafe("up");
    }
}

void Tmk_exit(int status) {
    if (tmk_process.started && (status & 0xff) == 0) {
        (void)tmk_caller("Tmk_exit, or the end of main,");
        end_threads();
    } else if (tmk_process.job.count > 1) {
        /* The first thread may be in exit, waiting for others: no other thread can call it. */
        fflush(NULL);
        fl_process_end_all(NULL, status & 0xff);
        _exit(status);
    }
    exit(status);
}

/* ---- private variables, and where memory is kept ---- */

void Tmk_distribute(const void *variable, size_t bytes) {
    size_t most = fl_comm_payload_most();
    struct fl_comm_op op = {0};
    for (size_t from = 0; from < bytes; from += most) {
        const char *at = (const char *)variable + from;
        for (unsigned p = 0; p < tmk_process.job.procs; p++) {
            if (p != tmk_process.job.proc) {
                fl_comm_ask_nb(p, FL_COMM_TMK,
                               FL_MESSAGE_WORDS(tmk, distribute,
                                                .address = (uintptr_t)at - fl_os_program_shift()),
                               at, bytes - from < most ? bytes - from : most, &op);
            }
        }
    }
    fl_comm_wait(&op);
}

void Tmk_place(void *memory, size_t bytes, unsigned proc) {
    if (proc >= Tmk_nprocs) {
        tmk_misuse("Tmk_place on process %u of %u", proc, Tmk_nprocs);
    }
    fl_dsm_barrier();
    if (proc == tmk_caller("Tmk_place")->id) {
        fl_dsm_claim(memory, bytes);
    }
    fl_dsm_barrier();
}

/* ---- order ---- */

void Tmk_barrier(unsigned id) {
    if (id >= TMK_BARRIERS) {
        tmk_misuse("barrier %u of %d", id, TMK_BARRIERS);
    }
    (void)tmk_caller("Tmk_barrier");
    fl_dsm_barrier();
}

static void check_lock(unsigned lock) {
    if (lock >= TMK_LOCKS) {
        tmk_misuse("lock %u of %d", lock, TMK_LOCKS);
    }
}

void Tmk_lock_acquire(unsigned lock) {
    check_lock(lock);
    fl_dsm_acquire(lock);
}

void Tmk_lock_release(unsigned lock) {
    check_lock(lock);
    fl_dsm_release(lock);
}

/* ---- regions ---- */

void Tmk_workers(void) {
    if (tmk_caller("Tmk_workers")->place > 0) {
        tmk_threads_work();
    }
    tmk_process.forks = true;
    tmk_threads_gather();
    fl_dsm_join();
    while (Tmk_proc_id > 0) {
        fl_dsm_fork_wait(&region, sizeof region);
        tmk_threads_fork(&region);
        if (region.work == TMK_END) {
            Tmk_exit(0);
        }
        tmk_perform(&region);
        tmk_threads_gather();
        fl_dsm_join();
    }
}

void Tmk_fork(void (*work)(void *argument), const void *argument, size_t bytes) {
    if (!tmk_process.forks || Tmk_proc_id > 0 || bytes > TMK_ARGUMENT_MOST) {
        tmk_misuse("Tmk_fork with %zu bytes (at most %d) on process %u: only process 0 forks, after "
                   "all have called Tmk_workers", bytes, TMK_ARGUMENT_MOST, Tmk_proc_id);
    }
    region.work = (uintptr_t)work - fl_os_program_shift();
    memcpy(region.argument, argument, bytes);
    fl_dsm_fork(&region, offsetof(struct tmk_region, argument) + bytes);
    tmk_threads_fork(&region);
}

void Tmk_join(void) {
    tmk_threads_gather();
    fl_dsm_join();
}

/* ---- statistics ---- */

void Tmk_statistics(struct Tmk_statistics *statistics) {
    struct fl_dsm_counts counts;
    fl_dsm_counts(&counts);
    *statistics = (struct Tmk_statistics){
        .messages = counts.messages,
        .bytes = counts.bytes,
        .page_faults = counts.read_faults + counts.write_faults,
        .protections = counts.protections,
        .twins = counts.twins,
        .diffs = counts.diffs,
        .locks = counts.locks,
        .barriers = counts.barriers,
        .barrier_ns = counts.barrier_ns,
    };
}
