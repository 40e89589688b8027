/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of starting a process of a job, in the order in which main (start.c) takes them. */
#ifndef FL_UPC_START_H
#define FL_UPC_START_H

/* Fills upc_process.job from FURLONG_JOB, or decides without it: one thread runs in place, for
 * more the process becomes upcrun. `compiled` is the program's static THREADS, or 0. */
void upc_launch_find_job(unsigned compiled, char **argv);

#endif
