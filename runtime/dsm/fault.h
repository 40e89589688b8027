/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access rights of the program to pages of coherent memory, and faults at accesses beyond them: two
 * mechanisms behind one table. Each page is absent, readable or writable; the caller keeps track of
 * which. Knows nothing of what the pages hold.
 *
 * allow, upgrade, protect and forbid are called from signal handlers too; a mechanism keeps no
 * state but its handles. They return 0 or a negative errno value. A page must have been put into
 * the file, through another mapping, before it is made present.
 */
#ifndef FL_DSM_FAULT_H
#define FL_DSM_FAULT_H

#include "platform/os.h"

struct fl_fault_ops {
    const char *name;
    int (*open)(int *handle_p);
    /* The mapping is of a memory file, and its pages are absent from now on. */
    int (*watch)(int handle, void *address, size_t bytes);
    /* Absent pages become readable, or readable and writable; present ones do not become less. */
    int (*allow)(int handle, void *address, size_t bytes, bool writable);
    /* Readable pages become writable. */
    int (*upgrade)(int handle, void *address, size_t bytes);
    /* Writable pages become readable; on return no write is under way any more. */
    int (*protect)(int handle, const struct fl_os_run *runs, unsigned n);
    /* Present pages become absent; on return no access is under way any more. */
    int (*forbid)(int handle, const struct fl_os_run *runs, unsigned n);
    void (*close)(int handle);

    /* Null where the kernel cannot note first writes. Under a noting handle a write to a readable
     * page is no fault: the page becomes writable, and the kernel notes it. */
    int (*open_noting)(int *handle_p);
    /* Moves pages, which no thread may access meanwhile, from one handle to the other; readable
     * ones become writable. */
    int (*move)(int from, int to, void *address, size_t bytes);
    /* Finds the writable pages in a piece of memory under a noting handle: they become readable,
     * and go to `runs`, at most n; returns how many. *end_p: how far it has looked. */
    int (*written)(void *address, size_t bytes, struct fl_os_run *runs, unsigned n, void **end_p);
    /* Faults that the kernel has resolved. As long as there is none more, and no other thread of
     * the program runs, no page becomes writable. */
    uint64_t (*kernel_faults)(void);
};

/* userfaultfd: the cost does not depend on the order of pages. */
extern const struct fl_fault_ops fl_fault_watch;
/* mprotect: works everywhere, but the kernel bounds the number of mappings, and so how often rights
 * may differ from page to page (vm.max_map_count). */
extern const struct fl_fault_ops fl_fault_rights;

/* Names a mechanism that can note first writes. */
#define FL_FAULT_TRACKING "tracking"

/* Names mprotect with one mapping, as TreadMarks did before it had threads: page.c makes a page
 * writable before the runtime changes it, and nothing is done ahead for pages not yet asked for. */
#define FL_FAULT_ORIGINAL "original"

/* Opens the mechanism called `name`, or the best that works here if that is null. Null: none. */
const struct fl_fault_ops *fl_fault_open(const char *name, int *handle_p);

#endif
