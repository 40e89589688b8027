/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: sets of CPUs that threads are bound to. OpenMP 5.1 §2.6.2, §6.4, §6.5. */
#ifndef FL_OMP_PLACES_H
#define FL_OMP_PLACES_H

#include "omp/program.h"
#include "omp/team.h"

#include <stdio.h>

/* Read OMP_PLACES, and GOMP_CPU_AFFINITY; the former is read last, and replaces the latter. */
bool fl_omp_places_read(const char *text);
bool fl_omp_places_read_cpus(struct fl_omp_program *program, const char *text);
void fl_omp_places_show(FILE *to);

/* After the settings have been read: binds the initial thread, if threads are bound. */
void fl_omp_places_start(void);

/* A member begins a region whose threads are bound: binds it to its place, and sets the places for
 * its own regions. */
void fl_omp_places_bind(struct fl_omp_member *me);

/* How many places there are; a place's first CPU that is not below `cpu`, or -1. */
unsigned fl_omp_places_count(void);
int fl_omp_place_next_cpu(unsigned place, int cpu);

#endif
