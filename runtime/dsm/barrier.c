/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers: the last thread of each host to come tells host 0 what the host has written, and is told
 * what the others have.
 */
#include "dsm/inside.h"

enum { MANAGER = 0 };

static void hear(const struct fl_comm_call *call) {
    fl_bytes_add(&fl_dsm.barrier.heard[call->asker.proc], call->payload, call->bytes);
    if (!call->words[1]) {
        /* Relaxed: only handlers change it. */
        uint32_t come = atomic_load_explicit(&fl_dsm.barrier.come, memory_order_relaxed);
        fl_wait_publish(&fl_dsm.barrier.come, (come & ~(uint32_t)FL_WAIT_SLEEPING) + 2);
    }
}

void fl_dsm_serve_arrive(void *context, const struct fl_comm_call *call) {
    (void)context;
    hear(call);
}

void fl_dsm_serve_depart(void *context, const struct fl_comm_call *call) {
    (void)context;
    hear(call);
}

static void learn(unsigned from, size_t skip) {
    struct fl_bytes *heard = &fl_dsm.barrier.heard[from];
    fl_mutex_lock(&fl_dsm.known.mutex);
    bool good = heard->n >= skip &&
                fl_time_learn(&fl_dsm.known.time, heard->at + skip, heard->n - skip);
    fl_mutex_unlock(&fl_dsm.known.mutex);
    if (!good) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "host %u says at a barrier what makes no sense", from);
    }
}

static void manage(uint32_t epoch) {
    size_t time_bytes = fl_dsm.hosts * sizeof(uint32_t);
    fl_wait_until(&fl_dsm.barrier.come, (epoch + 1) * (fl_dsm.hosts - 1) << 1, fl_dsm.setup.wait);
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        learn(h, time_bytes);
    }
    for (unsigned h = 1; h < fl_dsm.hosts; h++) {
        struct fl_bytes *heard = &fl_dsm.barrier.heard[h];
        struct fl_bytes news = {0};
        fl_time_tell(&fl_dsm.known.time, (const uint32_t *)(const void *)heard->at, &news);
        heard->n = 0;
        uint64_t words[2] = {FL_DSM_DEPART, 0};
        fl_dsm_send_parts(h, words, 2, 1, &news);
        fl_bytes_release(&news);
    }
}

/* What the manager cannot know is what this host has written since. */
static void arrive(uint32_t epoch, const uint32_t *last) {
    struct fl_bytes news = {0};
    uint32_t theirs[fl_dsm.hosts];
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        theirs[h] = h == fl_dsm.me ? *last : UINT32_MAX;
    }
    fl_time_say(&fl_dsm.known.time, &news);
    fl_time_tell(&fl_dsm.known.time, theirs, &news);
    uint64_t words[2] = {FL_DSM_ARRIVE, 0};
    fl_dsm_send_parts(MANAGER, words, 2, 1, &news);
    fl_bytes_release(&news);
    fl_wait_until(&fl_dsm.barrier.come, (epoch + 1) << 1, fl_dsm.setup.wait);
    learn(MANAGER, 0);
    fl_dsm.barrier.heard[MANAGER].n = 0;
}

static void meet(uint32_t epoch) {
    fl_dsm_order_lock();
    fl_interval_arrive();
    uint32_t before[fl_dsm.hosts];
    for (unsigned h = 0; h < fl_dsm.hosts; h++) {
        before[h] = fl_dsm.known.time.known[h];
    }
    if (fl_dsm.me == MANAGER) {
        manage(epoch);
    } else {
        arrive(epoch, &fl_dsm.barrier.last);
    }
    fl_interval_meet(before);
    fl_dsm.barrier.last = before[fl_dsm.me];
    fl_mutex_unlock(&fl_dsm.order);
}

void fl_dsm_barrier(void) {
    /* Relaxed: the thread has seen the end of the last one. */
    uint32_t epoch = atomic_load_explicit(&fl_dsm.barrier.epoch, memory_order_relaxed) >> 1;
    /* [B1] pairs itself: the last to come sees what the others have written. */
    uint32_t here = atomic_fetch_add_explicit(&fl_dsm.barrier.here, 1, memory_order_acq_rel) + 1;
    if (here < fl_dsm.setup.threads) {
        fl_wait_until(&fl_dsm.barrier.epoch, (epoch + 1) << 1, fl_dsm.setup.wait);
        return;
    }
    uint64_t begin = fl_os_now_ns();
    /* Relaxed: published below. */
    atomic_store_explicit(&fl_dsm.barrier.here, 0, memory_order_relaxed);
    meet(epoch);
    fl_wait_publish(&fl_dsm.barrier.epoch, (epoch + 1) << 1);
    fl_fetch_retry();
    FL_DSM_ADD(barriers, 1);
    FL_DSM_ADD(barrier_ns, fl_os_now_ns() - begin);
}
