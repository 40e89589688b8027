/* SPDX-License-Identifier: BSD-3-Clause */
/* The network addresses of all processes of a job, which its launcher collects and hands out, or
 * which they exchange by PMIx. */
#ifndef FL_JOB_CARDS_H
#define FL_JOB_CARDS_H

#include "job/job.h"
#include "net/net.h"

struct fl_cards {
    struct fl_net_card *all; /* [procs] */
};

/* Hands in this process's card, and waits for those of all others. Fatal on failure. */
void fl_cards_exchange(struct fl_cards *cards, const struct fl_job *job,
                       const struct fl_net_card *own);

/* Any process's, this one's too; `cards` is a struct fl_cards. */
const struct fl_net_card *fl_cards_of(void *cards, unsigned proc);

#endif
