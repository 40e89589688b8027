/* SPDX-License-Identifier: BSD-3-Clause */
/* See layout.h. */
#include "space/layout.h"

#include <stddef.h>
#include <stdlib.h>

bool fl_layout_make(struct fl_layout *layout, unsigned threads, unsigned pthreads, unsigned hosts,
                    const unsigned *first_threads, unsigned me) {
    if (hosts == 0 || pthreads == 0 || first_threads[0] != 0) {
        return false;
    }
    *layout = (struct fl_layout){
        .threads = threads, .hosts = hosts, .pthreads = pthreads, .me = me};
    layout->at = malloc((hosts + 1) * sizeof *layout->at);
    if (!layout->at) {
        return false;
    }
    for (unsigned host = 0; host < hosts; host++) {
        unsigned first = first_threads[host];
        unsigned end = host + 1 < hosts ? first_threads[host + 1] : threads;
        if (first >= end) {
            fl_layout_release(layout);
            return false;
        }
        layout->at[host] = (struct fl_layout_host){first, layout->procs};
        layout->procs += (end - first + pthreads - 1) / pthreads;
    }
    layout->at[hosts] = (struct fl_layout_host){threads, layout->procs};
    if (me >= layout->procs) {
        fl_layout_release(layout);
        return false;
    }
    layout->my_host = fl_layout_host_of_proc(layout, me);
    return true;
}

void fl_layout_release(struct fl_layout *layout) {
    free(layout->at);
    layout->at = NULL;
}

/* The last host that does not begin after `number`: `field` says whether that is a thread or a
 * process. */
static unsigned host_of(const struct fl_layout *layout, unsigned number, size_t field) {
    unsigned low = 0;
    unsigned high = layout->hosts;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        const char *host = (const char *)&layout->at[middle];
        if (*(const unsigned *)(host + field) <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

unsigned fl_layout_host_of_thread(const struct fl_layout *layout, unsigned thread) {
    return host_of(layout, thread, offsetof(struct fl_layout_host, thread));
}

unsigned fl_layout_host_of_proc(const struct fl_layout *layout, unsigned proc) {
    return host_of(layout, proc, offsetof(struct fl_layout_host, proc));
}

unsigned fl_layout_proc_of_thread(const struct fl_layout *layout, unsigned thread) {
    const struct fl_layout_host *host = &layout->at[fl_layout_host_of_thread(layout, thread)];
    return host->proc + (thread - host->thread) / layout->pthreads;
}

unsigned fl_layout_first_thread_of_proc(const struct fl_layout *layout, unsigned proc) {
    const struct fl_layout_host *host = &layout->at[fl_layout_host_of_proc(layout, proc)];
    return host->thread + (proc - host->proc) * layout->pthreads;
}

unsigned fl_layout_threads_of_proc(const struct fl_layout *layout, unsigned proc) {
    const struct fl_layout_host *host = &layout->at[fl_layout_host_of_proc(layout, proc)];
    unsigned left = host[1].thread - fl_layout_first_thread_of_proc(layout, proc);
    return left < layout->pthreads ? left : layout->pthreads;
}
