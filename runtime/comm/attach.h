/* SPDX-License-Identifier: BSD-3-Clause */
/* Connects a process with the others of its job: by what the launcher says, and what the user has
 * set. */
#ifndef FL_COMM_ATTACH_H
#define FL_COMM_ATTACH_H

#include "comm/comm.h"
#include "core/params.h"
#include "job/cards.h"

struct fl_comm_attach {
    const struct fl_job *job;
    const struct fl_params *params;
    const struct fl_space *space;
    const struct fl_layout *layout;
    struct fl_net_card card; /* this process's */
    struct fl_cards cards;   /* of all processes, from connect on */
};

/* The wait policy of `threads` threads that share `cpus` CPUs. */
struct fl_wait_policy fl_comm_choose_wait(const struct fl_comm_attach *attach, unsigned threads,
                                          unsigned cpus);

/* Once; `attach` is kept. fl_comm_start, with the transport that the launcher has named. Fatal on
 * failure. */
void fl_comm_attach_start(struct fl_comm_attach *attach);

/* When connected: threads of other hosts that use this one's CPUs too. */
unsigned fl_comm_attach_beside(const struct fl_comm_attach *attach);

/* On several hosts, when all handlers are registered: connects to all other processes. Each has
 * `threads` threads on its host's `cpus`; returns how they wait from now on, since threads of other
 * hosts may be on the same. Fatal on failure. */
struct fl_wait_policy fl_comm_attach_connect(struct fl_comm_attach *attach, unsigned threads,
                                             unsigned cpus);

#endif
