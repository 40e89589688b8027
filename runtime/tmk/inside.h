/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share: the process, and what begins the coherent memory. */
#ifndef FL_TMK_INSIDE_H
#define FL_TMK_INSIDE_H

#include "comm/attach.h"
#include "core/fatal.h"
#include "dsm/dsm.h"
#include "furlong/tmk.h"

enum { TMK_SIZES = 48 };

/* Of one condition, under its lock. */
struct tmk_cond {
    uint32_t first, n; /* who wait, in turn */
    uint16_t procs[];  /* [Tmk_nprocs] */
};

/* Begins the coherent memory; conditions follow. */
struct tmk_memory {
    uint64_t end; /* of what has been taken, from the begin of the memory */
    uint64_t freed[TMK_SIZES]; /* lists by size, linked by what they begin with; 0: none */
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
    _Atomic uint32_t woken; /* a wait word << 1 */
};
extern struct tmk_process tmk_process;

FL_COLD FL_PRINTF(1, 2) _Noreturn void tmk_misuse(const char *format, ...);

enum tmk_wire {
    TMK_WAKE,
    TMK_DISTRIBUTE, /* the variable's address in the program's file; its bytes */
};

/* Before the first allocation, on process 0. */
void tmk_heap_start(void);

void tmk_wake(void); /* the calling process */

#endif
