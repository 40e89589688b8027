/* SPDX-License-Identifier: BSD-3-Clause */
/* See ends.h. */
#include "omp/ends.h"

#include "core/fatal.h"
#include "core/mutex.h"
#include "omp/far.h"
#include "omp/migrate_inside.h"

#include <stdlib.h>

enum { MOST = 32 }; /* in a message; FL_OMP_FAR_TOLD has room for more */

struct batch {
    struct fl_omp_ended_message words;
    struct fl_omp_end ends[MOST];
    uint32_t n;
};

static struct fl_mutex mutex; /* of the batches; handlers do not take it */
static struct batch *batches; /* [host] */
_Atomic uint32_t fl_omp_ends_held;

void fl_omp_ends_start(void) {
    batches = FL_ALLOCATED(calloc(fl_omp_far.hosts, sizeof *batches), "ends of tasks");
}

/* The caller has the mutex. */
static struct batch take(unsigned host) {
    struct batch batch = batches[host];
    batches[host].n = 0;
    if (batch.n > 0) {
        /* Relaxed: the mutex orders it. */
        atomic_fetch_sub_explicit(&fl_omp_ends_held, 1, memory_order_relaxed);
    }
    return batch;
}

static void send(unsigned host, struct batch *batch) {
    batch->words = (struct fl_omp_ended_message){.kind = fl_omp_kind_ended};
    fl_omp_far_release(host);
    fl_omp_far_tell(host, batch, sizeof batch->words + batch->n * sizeof *batch->ends);
}

void fl_omp_ends_add(unsigned host, const struct fl_omp_end *end, bool more) {
    fl_assert(host < fl_omp_far.hosts);
    struct batch batch; /* not filled with zeros, which would take longer than all else */
    batch.n = 0;
    fl_mutex_lock(&mutex);
    struct batch *held = &batches[host];
    if (held->n == 0) {
        atomic_fetch_add_explicit(&fl_omp_ends_held, 1, memory_order_relaxed); /* as in take */
    }
    held->ends[held->n++] = *end;
    if (!more || held->n >= fl_omp_far.ends_most || held->n == MOST) {
        batch = take(host);
    }
    fl_mutex_unlock(&mutex);
    if (batch.n > 0) {
        send(host, &batch);
    } else if (!fl_omp_balancer_see()) {
        fl_omp_ends_send_all();
    }
}

void fl_omp_ends_send_all(void) {
    for (unsigned host = 0; host < fl_omp_far.hosts; host++) {
        fl_mutex_lock(&mutex);
        struct batch batch = take(host);
        fl_mutex_unlock(&mutex);
        if (batch.n > 0) {
            send(host, &batch);
        }
    }
}
