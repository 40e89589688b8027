/* SPDX-License-Identifier: BSD-3-Clause */
/* Static shared objects, units and initialisers of the program, which the emitter has put into ELF
 * sections (furlong/upcr.h). */
#ifndef FL_UPC_OBJECTS_H
#define FL_UPC_OBJECTS_H

#include "core/status.h"

/* What the units together require. Fatal if their requirements contradict each other. */
struct upc_units {
    unsigned static_threads; /* 0: dynamic */
    bool debug;              /* a part was compiled with -g */
    bool nopthreads;         /* a part was compiled for one UPC thread in each process */
};
struct upc_units upc_objects_check_units(void);

/* Checks the number of hosts of the job: several are fatal if a unit was compiled for one. */
void upc_objects_check_hosts(unsigned hosts);

/* Gives each object its address, which it writes to the object's cell. Returns the bytes used in
 * each segment; *fingerprint_p is equal in processes that run the same program. */
uint64_t upc_objects_place(uint64_t base, uint64_t most, uint64_t *fingerprint_p);

/* The name of the object that has an offset in each segment, and how far into it that is; null if
 * there is none. */
FL_COLD const char *upc_objects_at(uint64_t offset, uint64_t *within_p);

/* Run the initialisers that the program registered. */
void upc_objects_run_shared_inits(void);
void upc_objects_run_thread_inits(void);

/* Runs the program's constructors, for the thread's own statics. Called by each UPC thread but one
 * that is the process's first thread, for which the loader has called them; before the
 * initialisers. */
void upc_objects_run_constructors(void);

#endif
