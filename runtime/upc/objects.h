/* SPDX-License-Identifier: BSD-3-Clause */
/* Static shared objects, units and initialisers of the program: what the emitter left in ELF
 * sections (furlong/upcr.h). */
#ifndef FL_UPC_OBJECTS_H
#define FL_UPC_OBJECTS_H

#include "core/status.h"

/* What the units together demand. Fatal if they do not fit together. */
struct upc_units {
    unsigned static_threads; /* 0: dynamic */
    bool debug;              /* a part was compiled with -g */
    bool nopthreads;         /* a part was compiled for one UPC thread in each process */
};
struct upc_units upc_objects_check_units(void);

/* The job has so many hosts. Fatal if a unit was compiled for one. */
void upc_objects_check_hosts(unsigned hosts);

/* Gives each object its place; writes the cells. Returns the bytes used in each segment;
 * *fingerprint_p is equal in processes that run the same program. */
uint64_t upc_objects_place(uint64_t base, uint64_t most, uint64_t *fingerprint_p);

/* Run what the program registered. */
void upc_objects_run_shared_inits(void);
void upc_objects_run_thread_inits(void);

/* By each UPC thread but one that is the process's first thread, for which the loader has called
 * them: the program's constructors, for the thread's own statics. Before those. */
void upc_objects_run_constructors(void);

#endif
