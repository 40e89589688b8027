/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share: the process, its threads, the head of the coherent memory. */
#ifndef FL_TMK_INSIDE_H
#define FL_TMK_INSIDE_H

#include "comm/attach.h"
#include "core/fatal.h"
#include "core/message.h"
#include "dsm/dsm.h"
#include "furlong/tmk.h"

enum { TMK_SIZES = 48 };

/* A condition; guarded by the lock that the program uses it with. */
struct tmk_cond {
    uint32_t first, n;  /* of the waiting threads, a ring: */
    uint32_t threads[]; /* [Tmk_nprocs] */
};

/* The head of the coherent memory; conditions follow. */
struct tmk_memory {
    uint64_t end; /* offset behind the last block */
    uint64_t freed[TMK_SIZES]; /* [log2 of bytes]: lists, linked by first words; 0: none */
};

/* What the interface calls a process. */
struct tmk_thread {
    unsigned id;            /* Tmk_proc_id */
    unsigned place;         /* among the threads of its host */
    _Atomic uint32_t woken; /* a wait word << 1 */
};

struct tmk_process {
    struct fl_params params;
    struct fl_job job;
    struct fl_layout layout;
    struct fl_space space;
    struct fl_comm_attach attach;
    struct fl_wait_policy wait;
    struct tmk_memory *memory;
    uint64_t bytes; /* of it */
    bool started, over, forks;
    struct tmk_thread *threads; /* [job.count] */
};
extern struct tmk_process tmk_process;
extern _Thread_local struct tmk_thread *tmk_thread; /* null: Tmk_startup has not been called */

FL_COLD FL_PRINTF(1, 2) _Noreturn void tmk_misuse(const char *format, ...);

/* The calling thread, or the end of the job. */
struct tmk_thread *tmk_caller(const char *function);

enum tmk_kind {
#define FL_MESSAGE(name, ...) tmk_kind_##name,
#include "tmk/messages.def"
#undef FL_MESSAGE
};
#define FL_MESSAGE(name, how, where, least, most, ...)                                             \
    FL_MESSAGE_PARTS(tmk, struct fl_comm_call, name, kind, __VA_ARGS__)
#include "tmk/messages.def"
#undef FL_MESSAGE

/* Before the first allocation, on process 0. */
void tmk_heap_start(void);

void tmk_wake(unsigned place); /* of a thread of this host */

/* ---- threads of this host (threads.c) ---- */

void tmk_threads_make(void);
/* The calling thread becomes one that may use coherent memory. */
void tmk_thread_enter(struct tmk_thread *thread);
/* Starts the second of the host's threads, each of which runs main; and the one after `thread`, if
 * there is one. */
void tmk_threads_run(int argc, char **argv);
void tmk_threads_run_next(const struct tmk_thread *thread);
/* The calling thread, if it was started so; null: it is the process's first thread. */
struct tmk_thread *tmk_thread_begun(void);
/* First thread: waits until the others have come to their ends, or to the end of a region. */
void tmk_threads_gather(void);
/* Another thread: it has come to its end. */
_Noreturn void tmk_threads_end(void);

/* A region, as a fork sends it. */
struct tmk_region {
    uint64_t work; /* address in the program's file; or TMK_END */
    _Alignas(16) unsigned char argument[TMK_ARGUMENT_MOST];
};
#define TMK_END UINT64_MAX
/* First thread: has the others perform the region, which must stay until they have gathered. */
void tmk_threads_fork(const struct tmk_region *region);
/* The other threads: perform regions until the program ends. */
_Noreturn void tmk_threads_work(void);
void tmk_perform(const struct tmk_region *region);

#endif
