/* SPDX-License-Identifier: BSD-3-Clause */
/* The one process context of the runtime, and the context of each of its UPC threads. */
#ifndef FL_UPC_PROCESS_H
#define FL_UPC_PROCESS_H

#include "coll/choose.h"
#include "comm/attach.h"
#include "core/params.h"
#include "core/wait.h"
#include "space/heap.h"
#include "space/space.h"
#include "sync/barrier.h"
#include "sync/pairs.h"
#include "sync/remote.h"
#include "upc/abi.h"
#include "upc/held.h"
#include "upc/stuck.h"

/* What the processes of a host agree on while they start; begins the job area. */
struct upc_shared {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t ready; /* wait word: 2 when the rest is set */
    uint32_t cpus;                                  /* number that its first process sees */
    uint64_t program;                               /* fingerprint of the static shared objects */
    _Atomic uint32_t late_epoch;                    /* of the barrier upc/stall.c reported last */
    _Atomic uint32_t asked;                         /* requests to report all threads */
    _Atomic uint64_t asked_ns;                      /* time of the last one */
    _Alignas(FL_CACHE_LINE) uint64_t broadcast[2];  /* thread 0's result in collective calls */
    struct fl_space_pages pages;
};

/* Functions that a thread runs when it ends. */
enum { UPC_ENDINGS = 8 };
typedef void upc_ending(bool in_order);

/* States that functions of runtime/libc keep between calls. */
enum upc_libc_state {
    UPC_LIBC_ATEXIT,
    UPC_LIBC_RANDOM,
    UPC_LIBC_DRAND48,
    UPC_LIBC_STRTOK,
    UPC_LIBC_TIME,
    UPC_LIBC_ECVT,
    UPC_LIBC_L64A,
    UPC_LIBC_TTYNAME,
    UPC_LIBC_USER,
    UPC_LIBC_GROUP,
    UPC_LIBC_HSEARCH,
    UPC_LIBC_STATES
};

/* One UPC thread; private to its process. */
struct upc_thread {
    _Alignas(FL_CACHE_LINE) struct fl_barrier_thread barrier;
    struct fl_coll_member coll, later_coll;
    size_t any_first; /* of a set of threads: where upcx_wait_any looks first */
    unsigned me;
    const char *file; /* where upcr_called_from was called last; null: not known */
    int line;
    struct upc_held held;
    int status;  /* what its main returned */
    bool in_upc; /* between start and the final barrier */
    bool ended;
    _Atomic(upc_ending *) endings[UPC_ENDINGS]; /* null after the last */
    void (*call_exit_handlers)(void);           /* the program's own, if the thread has any */
    uint64_t told_since_ns;                  /* begin of the wait that upc/stall.c reported last */
    _Atomic(struct fl_wait_reason *) reason; /* the thread's own, for upc/stall.c */
    _Atomic(void *) libc_states[UPC_LIBC_STATES]; /* null until they are needed */
};

/* The user's main, whatever parameters it declares: the calling convention ignores others. */
typedef int upc_main_function(int argc, char **argv, char **envp);

struct upc_process {
    struct fl_params params;
    struct fl_job job;
    struct fl_layout layout;
    struct fl_comm_attach attach;
    struct fl_space space;
    struct fl_heap heap;
    struct fl_barrier barrier;
    struct fl_queue queue;
    struct fl_pairs_hub hub;
    struct fl_pairs pairs; /* of all threads, for <upcx_pairwise.h> */
    struct fl_coll_hub teams;
    struct fl_coll_team team;
    struct fl_coll_team later_team; /* of all too, for operations that are waited for later */
    struct fl_coll_choices choices;
    char *coll_table; /* see upc/tuned.h; null: none */
    struct fl_wait_policy wait;
    struct upc_shared *shared;
    struct upc_stuck stuck;
    struct upc_thread *threads;    /* job.count of them */
    bool check;                 /* check for misuse, at some cost in time */
    bool nopthreads;            /* one UPC thread a process; foreign threads may call for it */
    _Atomic uint32_t frozen;    /* the thread that waits for a debugger, plus 1; 0: none */
    int pid;                    /* a child that the program forks is not in the job */
    upc_main_function *main;
    int argc;
    char **argv;
    _Atomic uint32_t started; /* threads of this process about to enter main */
    _Atomic int32_t status;   /* largest of the ended ones */
};

extern struct upc_process upc_process;

/* The calling UPC thread; null in threads that the program started itself. */
extern _Thread_local struct upc_thread *upc_self;

/* For messages: the calling UPC thread's number; in foreign threads that of the process's first
 * one. */
unsigned upc_me_or_first(void);

/* What a barrier is a part of; upc_barrier_names are for messages. */
enum upc_barrier_use {
#define UPC_USE(name, text) UPC_AT_##name,
#include "upc/uses.def"
#undef UPC_USE
    UPC_N_USES
};
extern const char *const upc_barrier_names[];

/* A barrier of the runtime itself. */
void upc_barrier_plain(enum upc_barrier_use use);
/* The same in a collective function: messages say where the function was called. */
void upc_barrier_called(enum upc_barrier_use use);

#endif
