/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads, processes and hosts: each thread has one place. */
#include "space/layout.h"

#include "core/test.h"

/* Every thread is in the process that says it holds it, on the host that says so. */
static void check_layout(unsigned threads, unsigned pthreads, unsigned hosts,
                         const unsigned *first) {
    struct fl_layout layout;
    CHECK(fl_layout_make(&layout, threads, pthreads, hosts, first, 0), "the layout is made");
    unsigned thread = 0;
    for (unsigned proc = 0; proc < layout.procs; proc++) {
        CHECK(fl_layout_first_thread_of_proc(&layout, proc) == thread, "process %u", proc);
        unsigned count = fl_layout_threads_of_proc(&layout, proc);
        CHECK(count >= 1 && count <= pthreads, "process %u holds %u", proc, count);
        for (unsigned i = 0; i < count; i++, thread++) {
            unsigned host = fl_layout_host_of_thread(&layout, thread);
            CHECK(fl_layout_proc_of_thread(&layout, thread) == proc, "thread %u", thread);
            CHECK(fl_layout_host_of_proc(&layout, proc) == host, "process %u", proc);
            CHECK(first[host] <= thread && (host + 1 == hosts || thread < first[host + 1]),
                  "thread %u is on host %u", thread, host);
        }
    }
    CHECK(thread == threads, "%u of %u threads", thread, threads);
    fl_layout_release(&layout);
}

/* Hosts without threads, threads that do not begin at 0, a process that is none. */
static void check_refusals(void) {
    struct fl_layout layout;
    CHECK(!fl_layout_make(&layout, 4, 1, 2, (unsigned[]){0, 4}, 0), "an empty host");
    CHECK(!fl_layout_make(&layout, 4, 1, 2, (unsigned[]){1, 2}, 0), "threads from 1");
    CHECK(!fl_layout_make(&layout, 4, 0, 1, (unsigned[]){0}, 0), "empty processes");
    CHECK(!fl_layout_make(&layout, 4, 2, 2, (unsigned[]){0, 2}, 2), "process 2 of 2");
}

int main(void) {
    check_layout(1, 1, 1, (unsigned[]){0});
    check_layout(7, 2, 1, (unsigned[]){0});
    check_layout(7, 2, 3, (unsigned[]){0, 3, 5});
    check_layout(16, 3, 4, (unsigned[]){0, 1, 9, 12});
    check_layout(64, 1, 4, (unsigned[]){0, 16, 32, 48});
    check_refusals();
    return test_done();
}
