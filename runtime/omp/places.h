/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: sets of CPUs that threads are bound to. OpenMP 5.1 §2.6.2, §6.4, §6.5. */
#ifndef FL_OMP_PLACES_H
#define FL_OMP_PLACES_H

#include "omp/program.h"
#include "omp/team.h"

#include <stdio.h>

/* OMP_PLACES, GOMP_CPU_AFFINITY; the former comes after the latter and takes its place. */
bool fl_omp_places_read(const char *text);
bool fl_omp_places_read_cpus(struct fl_omp_program *program, const char *text);
void fl_omp_places_show(FILE *to);

/* The settings have been read: the initial thread is bound, if any is. */
void fl_omp_places_start(void);

/* A member begins a region whose threads are bound: which place is its own, and where it may bind
 * those of its own regions. */
void fl_omp_places_bind(struct fl_omp_member *me);

/* How many places there are, and the CPUs of each: the number of the first not below `cpu`, or -1. */
unsigned fl_omp_places_count(void);
int fl_omp_place_next_cpu(unsigned place, int cpu);

#endif
