/* SPDX-License-Identifier: BSD-3-Clause */
/* The endpoint by which libfabric sends, receives and accesses memory, and what it stands on. */
#include "net/ofi.h"

#include <poll.h>
#include <rdma/fi_cm.h>
#include <string.h>

/* Access to memory is asked for where it will be used: providers may then do more work for messages
 * too. */
static const char *find_provider(struct fl_net *net) {
    const char *why = fl_ofi_find_provider(net->setup.interface, false, &net->info);
    struct fi_info *with_access;
    bool wanted = !why && (net->setup.imitated ||
                           (net->setup.one_sided && fl_ofi_is_direct(net->info)));
    if (wanted && !fl_ofi_find_provider(net->setup.interface, true, &with_access)) {
        fi_freeinfo(net->info);
        net->info = with_access;
        net->accesses = true;
    }
    return why;
}

/* False: once readable, the descriptor stays so, and a thread that sleeps on it never does. `net` of
 * libfabric 1.17 is such a provider. */
static bool is_cleared_by_arming(struct fl_net *net) {
    struct fid *queue = &net->completions->fid;
    struct pollfd descriptor = {net->fd, POLLIN, 0};
    return fi_cq_signal(net->completions) != 0 || fi_trywait(net->fabric, &queue, 1) != FI_SUCCESS ||
           poll(&descriptor, 1, 0) == 0;
}

static int open_queue(struct fl_net *net) {
    struct fi_cq_attr attributes = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    int error = fi_cq_open(net->domain, &attributes, &net->completions, NULL);
    if (error == 0 && fi_control(&net->completions->fid, FI_GETWAIT, &net->fd) == 0 &&
        is_cleared_by_arming(net)) {
        return 0;
    }
    fl_ofi_close(net->completions);
    net->fd = -1; /* the queue is polled, at intervals */
    attributes.wait_obj = FI_WAIT_NONE;
    return fi_cq_open(net->domain, &attributes, &net->completions, NULL);
}

static const char *open_objects(struct fl_net *net) {
    struct fi_av_attr attributes = {.type = net->info->domain_attr->av_type,
                                    .count = net->setup.procs};
    int error = fi_fabric(net->info->fabric_attr, &net->fabric, NULL);
    error = error ? error : fi_domain(net->fabric, net->info, &net->domain, NULL);
    error = error ? error : open_queue(net);
    error = error ? error : fi_av_open(net->domain, &attributes, &net->addresses, NULL);
    error = error ? error : fi_endpoint(net->domain, net->info, &net->endpoint, NULL);
    error = error ? error : fi_ep_bind(net->endpoint, &net->addresses->fid, 0);
    error = error ? error
                  : fi_ep_bind(net->endpoint, &net->completions->fid, FI_TRANSMIT | FI_RECV);
    error = error ? error : fi_enable(net->endpoint);
    return error ? fl_ofi_trouble("no endpoint", error) : NULL;
}

const char *fl_ofi_open_endpoint(struct fl_net *net) {
    if (!fl_ofi_make_tag(net->setup.key, &net->tag)) {
        return "libsodium cannot be used here";
    }
    const char *why = find_provider(net);
    if (why) {
        return why;
    }
    net->registers = net->info->domain_attr->mr_mode & FI_MR_LOCAL;
    net->gathers = net->info->tx_attr->iov_limit >= 2 && !net->registers;
    return open_objects(net);
}

const char *fl_ofi_make_card(struct fl_net *net, struct fl_net_card *card) {
    const char *provider = net->info->fabric_attr->prov_name;
    size_t name = strlen(provider) + 1, bytes = sizeof card->text - name;
    memcpy(card->text, provider, name);
    int error = fi_getname(&net->endpoint->fid, card->text + name, &bytes);
    card->bytes = (uint32_t)(name + bytes);
    return error ? fl_ofi_trouble("fi_getname", error) : NULL;
}

void fl_ofi_close_endpoint(struct fl_net *net) {
    fl_ofi_close(net->endpoint);
    fl_ofi_close(net->completions);
    fl_ofi_close(net->addresses);
}

void fl_ofi_close_domain(struct fl_net *net) {
    fl_ofi_close(net->domain);
    fl_ofi_close(net->fabric);
    fi_freeinfo(net->info);
}
