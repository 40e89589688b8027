/* SPDX-License-Identifier: BSD-3-Clause */
/* See attach.h. */
#include "comm/attach.h"

#include "core/fatal.h"

static const struct fl_job *the_job;

static const char *host_name(unsigned host) {
    return fl_job_host_name(the_job, host);
}

struct fl_wait_policy fl_comm_choose_wait(const struct fl_comm_attach *attach, unsigned threads,
                                          unsigned cpus) {
    const struct fl_params *params = attach->params;
    bool polite = attach->job->polite || params->polite;
    return fl_wait_choose(threads, cpus, polite ? 1 : params->spins, params->yields);
}

static const struct fl_net_ops *load_transport(const struct fl_comm_attach *attach) {
    const struct fl_job *job = attach->job;
    if (job->hosts == 1) {
        return NULL;
    }
    const char *why;
    const struct fl_net_ops *net = fl_net_load(job->net, attach->params->net_path, &why);
    if (!net) {
        fl_fatal(FL_CODE_NETWORK, "on %s: %s", host_name(job->host), why);
    }
    return net;
}

void fl_comm_attach_start(struct fl_comm_attach *attach) {
    the_job = attach->job;
    const struct fl_comm_setup setup = {
        .space = attach->space,
        .layout = attach->layout,
        .net = load_transport(attach),
        .interface = the_job->interface,
        .job_id = the_job->id,
        .key = the_job->key,
        .host_name = host_name,
        .patience_ms = (uint32_t)attach->params->patience,
        .aggregate_bytes = (uint32_t)attach->params->aggregate,
        .aggregate_ns = 1000 * attach->params->aggregate_age,
        .few_signals = (uint32_t)attach->params->few_signals,
        .one_sided = (enum fl_one_sided_use)attach->params->one_sided,
    };
    fl_comm_start(&setup, &attach->card);
}

/* The only thread of its host waits for messages alone: to sleep it wakes the progress thread, which
 * then wakes it for each. */
enum { YIELDS_ALONE = 300 };

unsigned fl_comm_attach_beside(const struct fl_comm_attach *attach) {
    return fl_cards_threads_beside(&attach->cards, attach->layout);
}

struct fl_wait_policy fl_comm_attach_connect(struct fl_comm_attach *attach, unsigned threads,
                                             unsigned cpus) {
    fl_cards_exchange(&attach->cards, attach->job, &attach->card);
    unsigned beside = fl_comm_attach_beside(attach);
    struct fl_wait_policy wait = fl_comm_choose_wait(attach, threads + beside, cpus);
    if (threads == 1 && attach->job->hosts > 1 && attach->params->yields == 0) {
        wait.yields = YIELDS_ALONE;
    }
    fl_comm_connect(fl_cards_of, &attach->cards, wait);
    return wait;
}
