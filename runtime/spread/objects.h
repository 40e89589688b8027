/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The objects (executable and libraries) of the process: whose code calls, and where static data
 * is. Memory that the program and its libraries allocate is coherent; what the C library, the
 * OpenMP runtime, this one and the network allocate for themselves is private to each host. Static
 * data of the program is coherent, that of system libraries is not.
 */
#ifndef FL_SPREAD_OBJECTS_H
#define FL_SPREAD_OBJECTS_H

#include "core/status.h"

#include <stddef.h>

enum fl_object_kind {
    FL_OBJECT_OWN,     /* the C library, this runtime, the network */
    FL_OBJECT_OPENMP,  /* as these, but its threads run the program */
    FL_OBJECT_LIBRARY, /* of the system */
    FL_OBJECT_PROGRAM
};

enum { FL_OBJECTS_MOST = 128, FL_OBJECT_DATA_MOST = 8 };

/* Before constructors of the program run: lists the objects loaded so far. */
void fl_objects_start(void);

/* Objects loaded from now on are the program's, unless their names say otherwise. */
void fl_objects_go_on(void);

/* Kind of the object with the code at `pc`; OWN before start. In signal handlers too. */
enum fl_object_kind fl_object_of(const void *pc);

bool fl_object_is_c_library(const void *pc);

/* Writable static data of the program, in whole pages, without RELRO; ascending; how many. */
struct fl_object_data {
    uintptr_t address;
    uint64_t bytes;
};
unsigned fl_object_data(struct fl_object_data data[FL_OBJECT_DATA_MOST]);

/* Whether the program, or a library of its own loaded at the start, has an undefined symbol of which
 * `is` says so. */
typedef bool fl_objects_import(const char *name, const void *context);
bool fl_objects_import_any(fl_objects_import *is, const void *context);

/* The same for symbols whose names begin so. */
bool fl_objects_call(const char *begin);

/* Whether one of them has _Thread_local objects. */
bool fl_objects_have_tls(void);

/* Whether one of them needs executable stacks, as gcc's nested functions do. */
bool fl_objects_execute_stacks(void);

/* A hash of the file and the place of each object loaded at the start: equal on all hosts if
 * addresses mean the same there. Returns how many. */
unsigned fl_object_marks(uint64_t marks[FL_OBJECTS_MOST]);
const char *fl_object_name(unsigned i);

/* Runs the destructors of the program and its libraries (DT_FINI_ARRAY). */
void fl_objects_finish(void);

#endif
