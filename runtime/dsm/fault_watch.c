/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults by userfaultfd: the faulting thread gets a SIGBUS, and maps the page itself. */
#include "dsm/fault.h"

#include <unistd.h>

static int open_one(int *handle_p) {
    return fl_os_watch_open(handle_p, false);
}

static int open_noting(int *handle_p) {
    return fl_os_watch_open(handle_p, true);
}

static int upgrade(int handle, void *address, size_t bytes) {
    return fl_os_watch_protect(handle, address, bytes, false);
}

static int protect(int handle, const struct fl_os_run *runs, unsigned n) {
    int error = 0;
    for (unsigned i = 0; i < n && !error; i++) {
        error = fl_os_watch_protect(handle, runs[i].address, runs[i].bytes, true);
    }
    return error;
}

static int forbid(int handle, const struct fl_os_run *runs, unsigned n) {
    (void)handle;
    return fl_os_watch_unmap(runs, n);
}

static void shut(int handle) {
    close(handle);
}

const struct fl_fault_ops fl_fault_watch = {
    .name = "userfaultfd",
    .open = open_one,
    .open_noting = open_noting,
    .watch = fl_os_watch,
    .allow = fl_os_watch_map,
    .upgrade = upgrade,
    .protect = protect,
    .forbid = forbid,
    .move = fl_os_watch_move,
    .written = fl_os_watch_written,
    .kernel_faults = fl_os_kernel_faults,
    .close = shut,
};
