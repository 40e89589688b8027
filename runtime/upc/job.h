/* SPDX-License-Identifier: BSD-3-Clause */
/* What the launcher says in FURLONG_JOB (docs/launch.md). Parses; does not act. */
#ifndef FL_UPC_JOB_H
#define FL_UPC_JOB_H

#include "core/status.h"

enum { UPC_THREADS_MOST = 1 << 20 };

struct upc_job {
    unsigned threads;
    unsigned procs, proc;  /* how many processes, and which this is */
    unsigned first, count; /* threads of this process */
    int mem, ctl;          /* descriptors; -1: none */
    uint64_t heap;         /* bytes per thread; 0: no limit */
    bool quiet;
    bool polite;
    int freeze;   /* the thread that waits for a debugger before main; -1: none */
    char *text;   /* what was parsed; the next two point into it */
    char *cpus;   /* "0:2:5", or null */
    char *places; /* "0.0:1.0", or null */
};

/* Where a bound thread runs: threads with equal numbers share a cache, a memory node. */
struct upc_job_place {
    unsigned cache, node;
};

/* A job of one process with one thread and no launcher. */
void upc_job_alone(struct upc_job *job);

/* Parses `text`, which it changes and keeps; null or what is wrong with it. */
const char *upc_job_parse(struct upc_job *job, char *text);

/* The CPU of the process's i-th thread, -1 if it is not bound. */
int upc_job_cpu(const struct upc_job *job, unsigned i);

/* The place of any thread of the job; false if it is not known. */
FL_MUST_USE bool upc_job_place(const struct upc_job *job, unsigned thread,
                               struct upc_job_place *place_p);

#endif
