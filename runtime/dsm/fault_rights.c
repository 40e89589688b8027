/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults by mprotect on the program's mapping, and SIGSEGV. */
#include "dsm/fault.h"

static int open_nothing(int *handle_p) {
    *handle_p = -1;
    return 0;
}

static int watch(int handle, void *address, size_t bytes) {
    (void)handle;
    return fl_os_memory_protect(address, bytes, false, false);
}

static int allow(int handle, void *address, size_t bytes, bool writable) {
    (void)handle;
    return fl_os_memory_protect(address, bytes, true, writable);
}

static int upgrade(int handle, void *address, size_t bytes) {
    return allow(handle, address, bytes, true);
}

static int change(const struct fl_os_run *runs, unsigned n, bool readable) {
    int error = 0;
    for (unsigned i = 0; i < n && !error; i++) {
        error = fl_os_memory_protect(runs[i].address, runs[i].bytes, readable, false);
    }
    return error;
}

static int protect(int handle, const struct fl_os_run *runs, unsigned n) {
    (void)handle;
    return change(runs, n, true);
}

static int forbid(int handle, const struct fl_os_run *runs, unsigned n) {
    (void)handle;
    return change(runs, n, false);
}

static void shut(int handle) {
    (void)handle;
}

const struct fl_fault_ops fl_fault_rights = {
    .name = "mprotect",
    .open = open_nothing,
    .watch = watch,
    .allow = allow,
    .upgrade = upgrade,
    .protect = protect,
    .forbid = forbid,
    .close = shut,
};
