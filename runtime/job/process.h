/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process begins and ends whose program is plain C: what <furlong/gas.h>, <furlong/tmk.h> and
 * OpenMP programs over several hosts have in common. */
#ifndef FL_JOB_PROCESS_H
#define FL_JOB_PROCESS_H

#include "core/params.h"
#include "job/job.h"

/* What programs of a kind are when mpirun, srun or another such launcher starts them. */
struct fl_process_ranks {
    bool threads; /* processes have as many as the user says; else one */
    bool apart;   /* processes share no memory: each counts as a host, unless the user says otherwise */
};

/* Reads the user's settings, and what the launcher says; false if there is none: then the process is
 * a job of its own. Fatal if either cannot be understood. `ranks` null: upcrun's jobs only. */
bool fl_process_find_job(struct fl_job *job, struct fl_params *params,
                         const struct fl_process_ranks *ranks);

/* Once; `job` is kept. Fatal errors and deadly signals are reported to the launcher, which passes on
 * whole lines of stdout. `me` is the calling thread's number, for messages; null: that of the
 * process's first. `signalled_at`: as in fl_control_setup. */
void fl_process_report(const struct fl_job *job, const struct fl_params *params,
                       unsigned (*me)(void),
                       void (*signalled_at)(uintptr_t address, char *text, size_t room));

/* Before the process dies of a signal or a fatal error, which has been reported by then or is next. */
void fl_process_at_death(void (*act_sigsafe)(void));

/* The process's i-th thread, which calls this, goes to the CPUs that the launcher has chosen, if it
 * has. */
void fl_process_bind(const struct fl_job *job, unsigned i);

/* Once, after fl_process_report. When the program returns from main or calls exit, `finish` is called;
 * after an error the launcher ends the job instead. Not in forked children, and not if *over, which is
 * set when the process has left its job. */
void fl_process_at_exit(bool *over, void (*finish)(void));

/* The process has left its job in order: what `finish` does last. */
void fl_process_done(void);

/* Ends all processes of the job with a status, at once if `function` has been called to do so; null:
 * exit. May return before the caller's end. */
void fl_process_end_all(const char *function, int status);

/* A copy of vector and strings: each thread may change its arguments, as its own process could. */
char **fl_process_copy_arguments(int argc, char **argv);

#endif
