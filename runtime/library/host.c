/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's functions about threads and their hosts (furlong/bupc/host.h). */
#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/process.h"

void bupc_poll(void);
unsigned bupc_thread_distance(int thread, int other);

/* The values of furlong/bupc/host.h. */
enum { SAME = 0, VERYNEAR = 10, NEAR = 20, FAR = 30, VERYFAR = 40 };

/* Within a host transfers need no help from their target, so a poll can only leave the CPU to
 * others. */
void bupc_poll(void) {
    if (!fl_comm_here.one_host && fl_comm_poll() > 0) {
        return;
    }
    if (upc_process.wait.spins > 1) {
        fl_os_relax();
    } else {
        fl_os_yield();
    }
}

unsigned bupc_thread_distance(int thread, int other) {
    unsigned threads = upc_process.job.threads;
    if (thread < 0 || other < 0 || (unsigned)thread >= threads || (unsigned)other >= threads) {
        fl_fatal(FL_CODE_THREAD_NUMBER, "bupc_thread_distance(%d, %d): threads are 0 to %u", thread,
                 other, threads - 1);
    }
    struct fl_job_place a, b;
    if (thread == other) {
        return SAME;
    }
    unsigned host = fl_layout_host_of_thread(&upc_process.layout, (unsigned)thread);
    if (host != fl_layout_host_of_thread(&upc_process.layout, (unsigned)other)) {
        return VERYFAR;
    }
    if (host != upc_process.layout.my_host) {
        return NEAR; /* this host does not know how that one binds threads */
    }
    if (!fl_job_place(&upc_process.job, (unsigned)thread, &a) ||
        !fl_job_place(&upc_process.job, (unsigned)other, &b)) {
        return NEAR; /* not bound: anywhere on the same host */
    }
    return a.cache == b.cache ? VERYNEAR : a.node == b.node ? NEAR : FAR;
}
