/* SPDX-License-Identifier: BSD-3-Clause */
/* <upcx_process.h>: queries of the job's layout. */
#include "upcx_process.h"

#include "core/fatal.h"
#include "upc/process.h"

static unsigned checked(int number, unsigned n, const char *function, const char *kind) {
    if ((unsigned)number >= n) {
        fl_fatal(FL_CODE_THREAD_NUMBER, "%s: there is no %s %d; the last is %u", function, kind,
                 number, n - 1);
    }
    return (unsigned)number;
}

static unsigned checked_process(int process, const char *function) {
    return checked(process, upc_process.layout.procs, function, "process");
}

int upcx_processes(void) {
    return (int)upc_process.layout.procs;
}

int upcx_process_of(int thread) {
    unsigned t = checked(thread, upc_process.layout.threads, "upcx_process_of", "thread");
    return (int)fl_layout_proc_of_thread(&upc_process.layout, t);
}

int upcx_process_first(int process) {
    unsigned p = checked_process(process, "upcx_process_first");
    return (int)fl_layout_first_thread_of_proc(&upc_process.layout, p);
}

int upcx_process_threads(int process) {
    unsigned p = checked_process(process, "upcx_process_threads");
    return (int)fl_layout_threads_of_proc(&upc_process.layout, p);
}
