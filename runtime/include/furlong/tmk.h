/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory for C programs that run on several hosts, in the interface of TreadMarks: processes,
 * on one host threads, memory that all of them access as plain C does, locks and barriers that say
 * when one sees what another has written. See furlong_tmk(3); link with what
 * `pkg-config --libs furlong-tmk` says, start with upcrun, mpirun or srun.
 * C. Amza et al.: TreadMarks: shared memory computing on networks of workstations (IEEE Computer,
 * 1996).
 */
#ifndef FURLONG_TMK_H
#define FURLONG_TMK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { TMK_BARRIERS = 1024, TMK_LOCKS = 1024, TMK_CONDS = 256 };
enum { TMK_ARGUMENT_MOST = 4096 }; /* bytes that a fork passes on */

/* A process of this interface is a thread of one of the job's hosts, each of which has one process
 * of the operating system: static variables are private to a host. */
extern __thread unsigned Tmk_proc_id; /* 0 .. Tmk_nprocs - 1 */
extern unsigned Tmk_nprocs;
extern unsigned Tmk_page_size;

void Tmk_startup(int argc, char **argv);
void Tmk_exit(int status) __attribute__((noreturn));

/* ---- memory ---- */

void *Tmk_malloc(size_t bytes);
void Tmk_free(void *memory);

/* A static variable, private to each process, gets the caller's value on all processes: they see it
 * after the next barrier, or region. */
void Tmk_distribute(const void *variable, size_t bytes);

/* All processes: the pages are kept at a process, until another one alone writes to them. */
void Tmk_place(void *memory, size_t bytes, unsigned proc);

/* ---- processes that all run the program ---- */

void Tmk_barrier(unsigned id);
void Tmk_lock_acquire(unsigned lock);
void Tmk_lock_release(unsigned lock);

/* The caller holds the lock, which is given back while it waits. */
void Tmk_lock_cond_wait(unsigned lock, unsigned cond);
void Tmk_lock_cond_signal(unsigned lock, unsigned cond);
void Tmk_lock_cond_broadcast(unsigned lock, unsigned cond);

/* ---- or process 0 does, and the others help ---- */

/* Process 0: returns. The others: perform what it forks, and exit when it does. */
void Tmk_workers(void);
/* Process 0: the others call a function of the program with a copy of the argument. */
void Tmk_fork(void (*work)(void *argument), const void *argument, size_t bytes);
/* Process 0: they have returned from it. */
void Tmk_join(void);

/* ---- what happened so far on the calling process ---- */

struct Tmk_statistics {
    uint64_t messages, bytes; /* sent to others, with headers */
    uint64_t page_faults;
    uint64_t protections; /* operations on the access rights of pages */
    uint64_t twins, diffs;
    uint64_t locks; /* got from other processes */
    uint64_t barriers, barrier_ns;
};
void Tmk_statistics(struct Tmk_statistics *statistics);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
