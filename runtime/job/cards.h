/* SPDX-License-Identifier: BSD-3-Clause */
/* The network addresses of all processes of a job, and who shares CPUs with whom. The launcher
 * collects them and hands them out, or the processes exchange them by PMIx. */
#ifndef FL_JOB_CARDS_H
#define FL_JOB_CARDS_H

#include "job/job.h"
#include "net/net.h"

struct fl_cards {
    struct fl_net_card *all; /* [procs] */
    uint64_t *cpu_pools;     /* [procs]: see fl_os_cpu_pool */
};

/* Hands in this process's card, and waits for those of all others. Fatal on failure. */
void fl_cards_exchange(struct fl_cards *cards, const struct fl_job *job,
                       const struct fl_net_card *own);

/* The threads on other hosts that use the same CPUs as this process: where one machine plays
 * several hosts. */
unsigned fl_cards_threads_beside(const struct fl_cards *cards, const struct fl_layout *layout);

/* Any process's, this one's too; `cards` is a struct fl_cards. */
const struct fl_net_card *fl_cards_of(void *cards, unsigned proc);

#endif
