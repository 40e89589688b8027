/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a host's program may do with the pages of coherent memory, and how it is told of accesses
 * beyond that: two mechanisms behind one table. Each page is absent, readable or writable; whoever
 * calls knows which. Knows nothing of what the pages hold.
 *
 * allow, upgrade, protect and forbid are called from signal handlers too; a mechanism keeps no state
 * but its handles. They return 0 or a negative errno value. A page must be in the file, put
 * there through another mapping, before it is made present.
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

    /* Null where the kernel cannot note first writes, instead of a fault: a readable page of a mapping
     * that is watched by a noting handle becomes writable by itself. */
    int (*open_noting)(int *handle_p);
    /* From one handle to the other; readable pages become writable. Nobody may access them meanwhile. */
    int (*move)(int from, int to, void *address, size_t bytes);
    /* Writable pages of a piece of mappings of a noting handle become readable, and go to `runs`, at
     * most n; returns how many. *end_p: how far it has looked. */
    int (*written)(void *address, size_t bytes, struct fl_os_run *runs, unsigned n, void **end_p);
    /* If it returns the same and no other thread of the program runs, there are none since. */
    uint64_t (*kernel_faults)(void);
};

/* userfaultfd: costs the same in any order of pages. */
extern const struct fl_fault_ops fl_fault_watch;
/* Access rights of mappings: everywhere, but the kernel bounds how often they may change from page
 * to page (vm.max_map_count). */
extern const struct fl_fault_ops fl_fault_rights;

/* Names one whose kernel can note first writes. */
#define FL_FAULT_TRACKING "tracking"

/* Names access rights with one mapping, as TreadMarks had it before it had threads: the room above
 * makes a page writable before it changes, and does nothing for a page that nobody has asked for. */
#define FL_FAULT_ORIGINAL "original"

/* The one called `name`, or the best that can be opened here if that is null. Null: no such one. */
const struct fl_fault_ops *fl_fault_open(const char *name, int *handle_p);

#endif
