/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread is in which process, and which process on which host. Threads are dealt in order:
 * each host has a range of threads, whose processes hold `pthreads` each, the last perhaps fewer.
 * Processes are numbered in the order of their threads. The same in all processes but for `me`.
 */
#ifndef FL_SPACE_LAYOUT_H
#define FL_SPACE_LAYOUT_H

#include "core/status.h"

struct fl_layout {
    unsigned threads, procs, hosts;
    unsigned pthreads;     /* threads of a process */
    unsigned me, my_host;  /* this process, and its host */
    struct fl_layout_host {
        unsigned thread, proc; /* the first of each; [hosts] is the end */
    } *at;                 /* [hosts + 1] */
};

/* `first_threads` are those of the hosts, [hosts]. False if there is no memory, or the numbers do
 * not add up. */
FL_MUST_USE bool fl_layout_make(struct fl_layout *layout, unsigned threads, unsigned pthreads,
                                unsigned hosts, const unsigned *first_threads, unsigned me);
void fl_layout_release(struct fl_layout *layout);

unsigned fl_layout_host_of_thread(const struct fl_layout *layout, unsigned thread);
unsigned fl_layout_host_of_proc(const struct fl_layout *layout, unsigned proc);
unsigned fl_layout_proc_of_thread(const struct fl_layout *layout, unsigned thread);
unsigned fl_layout_first_thread_of_proc(const struct fl_layout *layout, unsigned proc);
unsigned fl_layout_threads_of_proc(const struct fl_layout *layout, unsigned proc);

/* Threads and processes of this host: the first, and how many. */
static inline unsigned fl_layout_my_first(const struct fl_layout *layout) {
    return layout->at[layout->my_host].thread;
}

static inline unsigned fl_layout_my_threads(const struct fl_layout *layout) {
    return layout->at[layout->my_host + 1].thread - layout->at[layout->my_host].thread;
}

static inline unsigned fl_layout_my_first_proc(const struct fl_layout *layout) {
    return layout->at[layout->my_host].proc;
}

static inline unsigned fl_layout_my_procs(const struct fl_layout *layout) {
    return layout->at[layout->my_host + 1].proc - layout->at[layout->my_host].proc;
}

#endif
