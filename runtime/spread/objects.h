/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the process consists of: whose code calls, and where static data is. Memory that the program
 * and its libraries allocate is everybody's; what the C library, the OpenMP runtime, this one and the
 * network allocate for themselves is each host's own. Static data of the program is everybody's,
 * that of system libraries is not.
 */
#ifndef FL_SPREAD_OBJECTS_H
#define FL_SPREAD_OBJECTS_H

#include "core/status.h"

#include <stddef.h>

enum fl_object_kind {
    FL_OBJECT_OWN,     /* nothing of the program */
    FL_OBJECT_OPENMP,  /* the same, but that its threads run the program */
    FL_OBJECT_LIBRARY, /* of the system */
    FL_OBJECT_PROGRAM
};

enum { FL_OBJECTS_MOST = 128, FL_OBJECT_DATA_MOST = 8 };

/* Before constructors of the program run: what is loaded so far. */
void fl_objects_start(void);

/* What is loaded from now on belongs to the program, unless its name says otherwise. */
void fl_objects_go_on(void);

/* Of the object that has the code at `pc`; OWN before start. Any thread, in signal handlers too. */
enum fl_object_kind fl_object_of(const void *pc);

bool fl_object_is_c_library(const void *pc);

/* Static data of the program that may be written to, in whole pages: without what is read-only once
 * it has been relocated. In ascending order; how many. */
struct fl_object_data {
    uintptr_t address;
    uint64_t bytes;
};
unsigned fl_object_data(struct fl_object_data data[FL_OBJECT_DATA_MOST]);

/* Whether the program or a library of its own that was there at the start asks others for a symbol
 * whose name begins so. */
bool fl_objects_call(const char *begin);

/* Whether one of them has code on its stacks, as gcc's nested functions do. */
bool fl_objects_execute_stacks(void);

/* A number for each object that was there at the start, made of its file and its place: equal on
 * all hosts if addresses mean the same there. How many. */
unsigned fl_object_marks(uint64_t marks[FL_OBJECTS_MOST]);
const char *fl_object_name(unsigned i);

/* Runs what the program and its libraries do at the end (DT_FINI_ARRAY). */
void fl_objects_finish(void);

#endif
