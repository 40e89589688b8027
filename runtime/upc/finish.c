/* SPDX-License-Identifier: BSD-3-Clause */
/* See finish.h. */
#include "upc/finish.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "job/control.h"
#include "job/exit.h"
#include "job/launcher.h"
#include "net/net.h"
#include "upc/foreign.h"
#include "upc/output.h"
#include "upc/process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FLUSH_NS = 250000000 }; /* streams that no other thread holds take less */

static struct {
    _Atomic uint32_t over; /* threads that have passed the final barrier */
} finish;

void upc_finish_also(upc_ending *work) {
    struct upc_thread *self = upc_acting("the end of the program");
    upc_ending *none = NULL;
    /* Relaxed: the UPC thread reads the list when it ends, after the threads that act for it. */
    for (unsigned i = 0; !atomic_compare_exchange_strong_explicit(
             &self->endings[i], &none, work, memory_order_relaxed, memory_order_relaxed);
         i++) {
        none = NULL;
    }
}

static void run_endings(struct upc_thread *self, bool in_order) {
    upc_ending *work;
    for (unsigned i = 0; i < UPC_ENDINGS; i++) {
        work = atomic_load_explicit(&self->endings[i], memory_order_relaxed);
        if (!work) {
            return;
        }
        work(in_order);
    }
}

static void call_exit_handlers(const struct upc_thread *self) {
    if (self->call_exit_handlers) {
        self->call_exit_handlers();
    }
}

/* The implicit barrier at the end (UPC 1.3 6.6.1p11). Afterwards the last thread of the process
 * returns, with the process's status reported; the others stay here until it has exited. It has to
 * be the last, because others may still be telling other hosts that they are at the barrier. */
static void end_thread(struct upc_thread *self, int status) {
    int32_t largest = atomic_load_explicit(&upc_process.status, memory_order_relaxed);
    self->ended = true;
    run_endings(self, true);
    /* Relaxed: the barrier orders this before the last thread reads it. */
    while (status > largest &&
           !atomic_compare_exchange_weak_explicit(&upc_process.status, &largest, status,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
    upc_barrier_plain(UPC_AT_END);
    fl_coll_await_ends(&upc_process.team, &self->coll);
    fl_coll_await_ends(&upc_process.later_team, &self->later_coll);
    call_exit_handlers(self); /* as exit does in a process, after main has returned */
    /* [X3] pairs itself: for the last one, the others have left the barrier completely. */
    if (atomic_fetch_add_explicit(&finish.over, 1, memory_order_acq_rel) + 1 <
        upc_process.job.count) {
        for (;;) {
            pause();
        }
    }
    upc_output_flush();
    fl_comm_stop();
    fl_net_mpi_end();
    fl_launcher_finish(&upc_process.job);
    fl_control_send1_sigsafe(
        "done", atomic_load_explicit(&upc_process.status, memory_order_relaxed) & 0xff);
}

/* Ends the calling UPC thread. If it ends in order, returns only in the last one of the process. */
static void on_exit_of_thread(int status) {
    struct upc_thread *self = upc_self;
    if (!self || self->ended || !self->in_upc || getpid() != upc_process.pid) {
        return;
    }
    call_exit_handlers(self);
    self->ended = true;
    if ((status & 0xff) != 0) {
        run_endings(self, false);
        fl_control_send2_sigsafe("exit", (long)self->me, status & 0xff);
        upc_output_close();
        fl_control_abort(status & 0xff);
        return;
    }
    end_thread(self, 0);
}

static void on_exit_called(int status) {
    on_exit_of_thread(status);
    upc_output_flush();
}

/* In a process of one UPC thread, the thread ends after the functions that the program has
 * registered by atexit, which may use shared memory. */
void upc_finish_start(void) {
    fl_exit_prepare(upc_process.job.count > 1 ? on_exit_of_thread : NULL, on_exit_called);
}

void upc_finish_main(int status) {
    end_thread(upc_self, status & 0xff);
    exit(atomic_load_explicit(&upc_process.status, memory_order_relaxed));
}

static void flush_all(void) {
    fflush(NULL);
}

/* fflush(NULL) waits for streams that other threads hold, perhaps for ever: one that reads from a
 * terminal holds stdin. */
static void flush_all_in_time(void) {
    if (upc_process.job.count == 1) {
        flush_all();
    } else {
        (void)fl_os_try_for_sigsafe(FLUSH_NS, flush_all);
    }
}

/* UPC 1.3 7.2.1. Programs call it from signal handlers too, which may have interrupted malloc:
 * nothing here allocates memory. */
void upc_global_exit(int status) {
    fl_fatal_claim_end_sigsafe();
    flush_all_in_time();
    if (upc_self && getpid() == upc_process.pid) {
        run_endings(upc_self, false);
    }
    upc_output_close();
    fl_control_send_global_exit_sigsafe((long)upc_me_or_first(), status & 0xff, "upc_global_exit");
    fl_control_abort(status & 0xff);
    _exit(status & 0xff);
}
