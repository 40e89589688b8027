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
unsigned Tmk_proc_id, Tmk_nprocs = 1, Tmk_page_size = FL_MAP_PAGE;

/* For upcrun: a program that may be started as a job, though upcc did not make it. */
__attribute__((section("furlong_gas"), used)) static const char program_mark = 1;

/* Where coherent memory is, on all hosts: Linux puts nothing there. */
#define MEMORY ((uintptr_t)3 << 43)

/* What process 0 forks. */
struct region {
    uint64_t work; /* address in the program's file; or END */
    _Alignas(16) unsigned char argument[TMK_ARGUMENT_MOST];
};
static const uint64_t END = UINT64_MAX;

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
    if (call->words[0] == TMK_WAKE) {
        tmk_wake();
    } else {
        memcpy((void *)(uintptr_t)(call->words[1] + fl_os_program_shift()), call->payload,
               call->bytes);
        fl_comm_answer(call->asker, NULL, 0, NULL, 0);
    }
}

static void take_place(void) {
    const struct fl_job *job = &tmk_process.job;
    if (job->procs != job->hosts) {
        tmk_misuse("%u processes on %u host%s: a program of <furlong/tmk.h> has one process on "
                   "each host; on one machine, try `upcrun -n %u -virtual-hosts %u`",
                   job->procs, job->hosts, job->hosts == 1 ? "" : "s", job->procs, job->procs);
    }
    Tmk_proc_id = job->proc;
    Tmk_nprocs = job->procs;
}

/* On one host memory need not be watched: there the home of all of it stays. */
static void start_memory(void) {
    struct tmk_process *tmk = &tmk_process;
    tmk->bytes = fl_round_up(tmk->params.host_heap, FL_MAP_PAGE) * Tmk_nprocs;
    tmk->memory = (struct tmk_memory *)MEMORY;
    const struct fl_map_range range = {
        .address = MEMORY, .bytes = tmk->bytes, .fixed = Tmk_nprocs == 1};
    fl_dsm_start(&(struct fl_dsm_setup){.hosts = Tmk_nprocs,
                                        .me = Tmk_proc_id,
                                        .threads = 1,
                                        .ranges = &range,
                                        .n_ranges = 1,
                                        .faults = tmk->params.faults,
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
    tmk->wait = fl_comm_choose_wait(&tmk->attach, 1, fl_os_cpu_count());
    start_memory();
    if (Tmk_nprocs > 1) {
        tmk->wait = fl_comm_attach_connect(&tmk->attach, 1, fl_os_cpu_count());
        fl_dsm_wait_as(tmk->wait);
    }
    fl_dsm_thread_start();
}

static void finish(void) {
    struct tmk_process *tmk = &tmk_process;
    if (tmk->forks && Tmk_proc_id == 0) {
        fl_dsm_fork(&END, sizeof END);
    }
    fl_dsm_barrier_hosts();
    fl_dsm_print_counts(tmk->params.dsm_stats);
    fl_dsm_barrier_hosts();
    tmk->over = true;
    fflush(NULL);
    fl_comm_stop();
    fl_process_done();
}

void Tmk_startup(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct tmk_process *tmk = &tmk_process;
    if (tmk->started) {
        tmk_misuse("Tmk_startup is called a second time");
    }
    tmk->started = true;
    (void)fl_process_find_job(&tmk->job, &tmk->params,
                              &(struct fl_process_ranks){.apart = true});
    fl_process_report(&tmk->job, &tmk->params, NULL);
    take_place();
    fl_process_bind(&tmk->job, 0);
    start_comm();
    if (Tmk_proc_id == 0) {
        tmk_heap_start();
    }
    fl_process_at_exit(&tmk->over, finish);
    fl_dsm_barrier_hosts();
    fl_control_send0_sigsafe("up");
}

void Tmk_exit(int status) {
    exit(status);
}

/* ---- private variables, and where memory is kept ---- */

void Tmk_distribute(const void *variable, size_t bytes) {
    size_t most = fl_comm_payload_most();
    struct fl_comm_op op = {0};
    for (size_t from = 0; from < bytes; from += most) {
        const char *at = (const char *)variable + from;
        const uint64_t words[2] = {TMK_DISTRIBUTE, (uintptr_t)at - fl_os_program_shift()};
        for (unsigned p = 0; p < Tmk_nprocs; p++) {
            if (p != Tmk_proc_id) {
                fl_comm_ask_nb(p, FL_COMM_TMK, words, 2, at,
                               bytes - from < most ? bytes - from : most, &op);
            }
        }
    }
    fl_comm_wait(&op);
}

void Tmk_place(void *memory, size_t bytes, unsigned proc) {
    if (proc >= Tmk_nprocs) {
        tmk_misuse("Tmk_place on process %u of %u", proc, Tmk_nprocs);
    }
    fl_dsm_barrier_hosts();
    if (proc == Tmk_proc_id) {
        fl_dsm_claim(memory, bytes);
    }
    fl_dsm_barrier_hosts();
}

/* ---- order ---- */

void Tmk_barrier(unsigned id) {
    if (id >= TMK_BARRIERS) {
        tmk_misuse("barrier %u of %d", id, TMK_BARRIERS);
    }
    fl_dsm_barrier_hosts();
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
    static struct region region; /* of the process's only worker */
    tmk_process.forks = true;
    fl_dsm_join();
    while (Tmk_proc_id > 0) {
        fl_dsm_fork_wait(&region, sizeof region);
        if (region.work == END) {
            exit(0);
        }
        ((void (*)(void *))(uintptr_t)(region.work + fl_os_program_shift()))(region.argument);
        fl_dsm_join();
    }
}

void Tmk_fork(void (*work)(void *argument), const void *argument, size_t bytes) {
    if (!tmk_process.forks || Tmk_proc_id > 0 || bytes > TMK_ARGUMENT_MOST) {
        tmk_misuse("Tmk_fork with %zu bytes (at most %d) on process %u: only process 0 forks, after "
                   "all have called Tmk_workers", bytes, TMK_ARGUMENT_MOST, Tmk_proc_id);
    }
    struct region region = {.work = (uintptr_t)work - fl_os_program_shift()};
    memcpy(region.argument, argument, bytes);
    fl_dsm_fork(&region, offsetof(struct region, argument) + bytes);
}

void Tmk_join(void) {
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
