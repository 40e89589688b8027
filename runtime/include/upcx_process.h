/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upcx_process.h>: which threads are in which process. Processes are numbered in the order of their
 * threads; under mpirun and other launchers of MPI, a process's number is its rank in
 * MPI_COMM_WORLD. An extension of UPC 1.3; the manual's page is upcx_process(3).
 */
#ifndef FURLONG_UPCX_PROCESS_H
#define FURLONG_UPCX_PROCESS_H

#ifdef __cplusplus
extern "C" {
#endif

/* How many processes the job has, and which of them a thread belongs to. */
int upcx_processes(void);
int upcx_process_of(int thread);

/* The threads of a process: the first, and how many follow each other from it on. */
int upcx_process_first(int process);
int upcx_process_threads(int process);

#ifdef __cplusplus
}
#endif

#endif
