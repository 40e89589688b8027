/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a program over several hosts ends. Host 0 returns from main, or calls exit outside of a
 * parallel region: it runs the program's destructors while the others still serve its accesses,
 * then all flush what they have written, and end. Others run no destructors: they had no main. A
 * thread that ends the program inside a region ends it at once, as upc_global_exit does.
 */
#include "spread/inside.h"

#include "job/control.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void flush_units(void) {
    void (*flush_unit)(const int *unit) =
        (void (*)(const int *))dlsym(RTLD_NEXT, "_gfortran_flush_i4");
    if (flush_unit) {
        flush_unit(NULL); /* all */
    }
}

/* Units of Fortran, too. */
static void flush(void) {
    flush_units();
    fflush(NULL);
}

static _Atomic uint32_t units_flushed;

static void *flush_units_aside(void *unused) {
    (void)unused;
    flush_units();
    /* Relaxed: it is about files. */
    atomic_store_explicit(&units_flushed, 1, memory_order_relaxed);
    fl_os_futex_wake(&units_flushed, 1);
    return NULL;
}

/* In an error of Fortran the calling thread holds a unit's lock, for which a flush of units waits:
 * so another thread flushes, and this one waits for a limited time. */
static void flush_in_error(void) {
    enum { PATIENCE_NS = 500000000 };
    if (fl_os_thread_start_quiet(flush_units_aside, NULL) == 0) {
        fl_os_futex_wait_timeout(&units_flushed, 0, PATIENCE_NS);
    }
    fflush(NULL);
}

/* The first is a count of host 0's. */
static void report_counts(void) {
    uint64_t kept = fl_omp_kept ? fl_omp_kept() : 0;
    char text[96];
    snprintf(text, sizeof text, "stats regions_kept %llu file_requests %llu",
             (unsigned long long)kept, (unsigned long long)fl_proxy_sent());
    fl_control_send0_sigsafe(text);
}

static _Noreturn void end(int status) {
    if (fl_omp_end) {
        fl_omp_end();
    }
    fl_comm_stop();
    if (fl_spread.job.stats) {
        fl_dsm_report_counts();
        report_counts();
    }
    fl_control_send1_sigsafe("done", status & 0xff);
    _exit(status & 0xff);
}

/* Relaxed: threads that do not know yet are answered, or end with the program. */
static void part(void) {
    atomic_store_explicit(&fl_spread.parted, true, memory_order_relaxed);
}

void fl_end_worker(void) {
    fl_mapped_write();
    part(); /* changes of other hosts' files went there at the end of the last region */
    flush();
    fl_output_settle();
    fl_dsm_join();
    end(0);
}

static FL_COLD _Noreturn void end_at_once(int status) {
    fl_mapped_write();
    part();
    flush_in_error();
    fl_output_end();
    fl_control_send_global_exit_sigsafe((long)fl_start_me(), status & 0xff, "exit");
    _exit(status & 0xff);
}

static bool is_first(void) {
    /* Relaxed: it only chooses. */
    return !atomic_exchange_explicit(&fl_spread.over, true, memory_order_relaxed);
}

/* The last of exit's handlers, as it was the first to be registered. */
static void on_exit_called(int status, void *unused) {
    (void)unused;
    if (getpid() != fl_spread.pid || !fl_spread_together()) {
        return;
    }
    /* A handler is called once: with another one, a thread that calls exit meanwhile comes here
     * too, and stays. */
    (void)on_exit(on_exit_called, NULL);
    if (!is_first()) {
        for (;;) {
            pause();
        }
    }
    bool in_region = atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
    if (fl_spread_me() > 0 || in_region) {
        end_at_once(status);
    }
    fl_objects_finish();
    fl_mapped_write();
    flush();
    fl_stacks_close();
    part();
    fl_meet_end();
    end(fl_races_end(status));
}

void fl_end_prepare(void) {
    if (on_exit(on_exit_called, NULL) != 0) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory to register an exit handler");
    }
}

/* If the program calls, its buffers are not flushed, as on one host. */
FL_EXPORT void _exit(int status) {
    bool by_program = fl_object_of(__builtin_return_address(0)) >= FL_OBJECT_LIBRARY;
    if (by_program && fl_spread_together() && getpid() == fl_spread.pid && is_first()) {
        fl_output_end();
        fl_control_send_global_exit_sigsafe((long)fl_start_me(), status & 0xff, "exit");
    }
    FL_NEXT(_exit)(status);
    __builtin_unreachable();
}

FL_EXPORT void _Exit(int status) {
    _exit(status);
}
