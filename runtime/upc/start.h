/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a process of a job. */
#ifndef FL_UPC_START_H
#define FL_UPC_START_H

#include "upc/process.h"

/* Runs the process's part of the job; to be called by main alone. Does not return. */
_Noreturn void upc_start(int argc, char **argv, upc_main_function *user_main);

/* Fills upc_process.job and its layout from FURLONG_JOB, or from the environment of another
 * launcher. Without either, one thread runs in this process; for more the process becomes upcrun.
 * `compiled` is the program's static THREADS, or 0. */
void upc_launch_find_job(unsigned compiled, char **argv);

#endif
