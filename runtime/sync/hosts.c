/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stage between hosts, by the rounds of rounds.h. Messages arrive in the first process of a
 * host; whichever thread polls there handles them.
 */
#include "sync/hosts.h"

#include "comm/comm.h"
#include "core/assert.h"
#include "sync/mismatch.h"

#include <string.h>

static struct fl_barrier_stage *stage_of(const struct fl_barrier *barrier, uint32_t epoch) {
    return &barrier->stages[epoch & 1];
}

/* The record that stands for this host and those heard of in the first `rounds` rounds: that of a
 * thread which gave a value, if any did. The host that finds a difference stops here; every host
 * depends on each other one through a chain of messages, so no thread leaves the barrier. */
static const struct fl_barrier_record *merge(const struct fl_barrier *barrier, uint32_t epoch,
                                             unsigned rounds) {
    const struct fl_barrier_stage *stage = stage_of(barrier, epoch);
    unsigned own = stage->speaker - barrier->first;
    fl_assert(own < barrier->threads && rounds <= barrier->rounds);
    const struct fl_barrier_record *said = &barrier->records[(size_t)own * 2 + (epoch & 1)];
    for (unsigned round = 0; round < rounds; round++) {
        const struct fl_barrier_record *heard = &stage->in[round];
        if (FL_UNLIKELY(said->kind != heard->kind)) {
            fl_mismatch_kinds(barrier->names, said, heard);
        }
        if (!heard->has_value) {
            continue;
        }
        if (!said->has_value) {
            said = heard;
        } else if (FL_UNLIKELY(said->value != heard->value)) {
            fl_mismatch_values(said, heard);
        }
    }
    return said;
}

static void send(const struct fl_barrier *barrier, uint32_t epoch, unsigned round) {
    const struct fl_barrier_record *said = merge(barrier, epoch, round);
    const uint64_t words[3] = {
        (uint64_t)epoch << 16 | (uint64_t)round << 8 | said->has_value,
        (uint64_t)said->thread << 32 | said->kind,
        (uint64_t)(uint32_t)said->line << 32 | (uint32_t)said->value,
    };
    size_t file_bytes = said->line ? strnlen(said->file, sizeof said->file) : 0;
    unsigned to = (barrier->host + (1u << round)) % barrier->hosts;
    barrier->tell(barrier, to, words, said->file, file_bytes);
}

static void finish(const struct fl_barrier *barrier, uint32_t epoch) {
    const struct fl_barrier_record *said = merge(barrier, epoch, barrier->rounds);
    if (said->has_value) {
        /* Relaxed: published below. If a thread of this host gave a value, it is there already. */
        atomic_store_explicit(&barrier->center->agreed[epoch & 1],
                              (said->thread + 1ull) << 32 | (uint32_t)said->value,
                              memory_order_relaxed);
    }
    fl_wait_publish(&barrier->center->word, epoch << 1);
}

static void happen(const struct fl_barrier *barrier, uint32_t epoch, uint32_t bit) {
    struct fl_rounds_event event =
        fl_rounds_happen(&stage_of(barrier, epoch)->state, barrier->rounds, epoch, bit);
    for (unsigned r = event.from; r < event.to; r++) {
        send(barrier, epoch, r);
    }
    if (event.is_last) {
        finish(barrier, epoch);
    }
}

void fl_barrier_hosts_arrive(const struct fl_barrier *barrier,
                             const struct fl_barrier_thread *thread) {
    /* Relaxed: all have arrived. */
    uint64_t agreed = atomic_load_explicit(&barrier->center->agreed[thread->epoch & 1],
                                           memory_order_relaxed);
    unsigned giver = (unsigned)(agreed >> 32);
    stage_of(barrier, thread->epoch)->speaker = giver ? giver - 1 : thread->me;
    happen(barrier, thread->epoch, FL_ROUNDS_ARRIVED);
}

void fl_barrier_hear(const struct fl_barrier *barrier, const uint64_t words[3], const char *file,
                     size_t file_bytes) {
    uint32_t epoch = (uint32_t)(words[0] >> 16);
    unsigned round = words[0] >> 8 & 0xff;
    struct fl_barrier_record *heard = &stage_of(barrier, epoch)->in[round];
    if (round >= barrier->rounds || file_bytes >= sizeof heard->file) {
        return; /* not from a barrier like this one */
    }
    heard->has_value = words[0] & 1;
    heard->thread = (uint32_t)(words[1] >> 32);
    heard->kind = (uint32_t)words[1];
    heard->line = (int32_t)(words[2] >> 32);
    heard->value = (int32_t)words[2];
    if (file_bytes > 0) {
        memcpy(heard->file, file, file_bytes);
    }
    heard->file[file_bytes] = '\0';
    happen(barrier, epoch, fl_rounds_heard(round));
}

const struct fl_barrier_record *fl_barrier_hosts_record(const struct fl_barrier *barrier,
                                                        unsigned thread, uint32_t epoch) {
    const struct fl_barrier_record *heard = stage_of(barrier, epoch)->in;
    while (heard->thread != thread || !heard->has_value) {
        heard++;
        fl_assert(heard < stage_of(barrier, epoch)->in + barrier->rounds);
    }
    return heard;
}

static void tell_by_comm(const struct fl_barrier *barrier, unsigned host, const uint64_t words[3],
                         const char *file, size_t file_bytes) {
    fl_comm_tell(barrier->layout->at[host].proc, FL_COMM_BARRIER, words, 3, file, file_bytes);
}

static void hear_by_comm(void *context, const struct fl_comm_call *call) {
    if (call->n_words == 3) {
        fl_barrier_hear(context, call->words, call->payload, call->bytes);
    }
}

void fl_barrier_connect_by(struct fl_barrier *barrier, const struct fl_layout *layout,
                           fl_barrier_tell *tell) {
    barrier->first = fl_layout_my_first(layout);
    barrier->hosts = layout->hosts;
    barrier->host = layout->my_host;
    barrier->rounds = fl_log2_ceil(layout->hosts);
    barrier->way = FL_BARRIER_CENTRAL;
    barrier->layout = layout;
    barrier->tell = tell;
}

void fl_barrier_connect(struct fl_barrier *barrier, const struct fl_layout *layout) {
    fl_barrier_connect_by(barrier, layout, tell_by_comm);
    fl_comm_register(FL_COMM_BARRIER, hear_by_comm, barrier);
}
