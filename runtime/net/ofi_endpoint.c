/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of libfabric's providers carries a job's messages, and the endpoint that it gives. The
 * provider registers the memory of messages itself, where it must (without FI_MR_LOCAL).
 */
#include "net/ofi.h"

#include "net/devices.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { API_MAJOR = 1, API_MINOR = 11, LINK_MS = 4000, TAG_BITS = 48, LOOK_MS = 200, ANSWER_MS = 5 };
#define CAPS_OF_ACCESS (FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE)
#define MR_OF_ACCESS (FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT)

/* In what order providers are looked for. */
enum try { REMOTE, LOCAL, NAMED, TRIES };

const char *fl_ofi_trouble(const char *what, ssize_t error) {
    char *text;
    return asprintf(&text, "libfabric: %s: %s", what, fi_strerror((int)-error)) < 0 ? what : text;
}

static struct fi_info *find(struct fi_info *at, const char *provider, const char *domain) {
    while (at && ((provider && strcmp(at->fabric_attr->prov_name, provider) != 0) ||
                  (domain && strcmp(at->domain_attr->name, domain) != 0))) {
        at = at->next;
    }
    return at;
}

/* Of a list, which it frees, the first with this domain, or the first of all (null): some providers
 * disregard a domain that is asked for. Datagrams that are TCP's own, of `net` or in later versions
 * `tcp`, go before the layer that libfabric lists first: they take a fifteenth of the memory. */
static struct fi_info *pick(struct fi_info *all, const char *domain) {
    struct fi_info *at = find(all, NULL, domain);
    if (at && strcmp(at->fabric_attr->prov_name, "tcp;ofi_rxm") == 0) {
        struct fi_info *tcp = find(all, "tcp", at->domain_attr->name);
        struct fi_info *net = find(all, "net", at->domain_attr->name);
        at = tcp ? tcp : net ? net : at;
    }
    struct fi_info *picked = at ? fi_dupinfo(at) : NULL;
    fi_freeinfo(all);
    return picked;
}

/* The first provider in libfabric's order, but for a layer over TCP, that has ordered tagged messages
 * between reliable datagram endpoints, on one interface, or on any (null); and, if `accesses`, access
 * to other processes' memory. Where no interface is named, providers that reach other hosts come
 * first. shm, which does not, is for virtual hosts alone: its addresses are names. An interface
 * that is not the system's may be a domain of the fabric. */
static const char *find_provider(const char *interface, bool accesses, struct fi_info **info_p) {
    char address[NI_MAXHOST], *text;
    if (interface) {
        fl_devices_await(interface, LINK_MS);
    }
    bool has_address = interface && fl_devices_address(interface, address, sizeof address);
    struct fi_info *hints = fi_allocinfo();
    if (!hints) {
        return "no memory for the transport";
    }
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = accesses ? MR_OF_ACCESS : 0;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
    hints->tx_attr->op_flags = accesses ? FI_DELIVERY_COMPLETE : 0; /* puts tell of their arrival */
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    int error = -FI_ENODATA;
    for (enum try at = has_address ? LOCAL : REMOTE; error == -FI_ENODATA && at < TRIES; at++) {
        bool binds = has_address && at < NAMED;
        hints->caps = FI_TAGGED | FI_SEND | FI_RECV | (at == REMOTE ? FI_REMOTE_COMM : 0) |
                      (accesses ? CAPS_OF_ACCESS : 0);
        hints->addr_format = binds ? FI_SOCKADDR : at < NAMED ? FI_FORMAT_UNSPEC : FI_ADDR_STR;
        error = fi_getinfo(FI_VERSION(API_MAJOR, API_MINOR), binds ? address : NULL, NULL,
                           binds ? FI_SOURCE : 0, hints, info_p);
        if (error == 0) {
            *info_p = pick(*info_p, has_address ? NULL : interface);
            error = *info_p ? 0 : -FI_ENODATA;
        }
    }
    fi_freeinfo(hints);
    if (error == -FI_ENODATA) {
        return asprintf(&text,
                        "libfabric has no provider with ordered, reliable datagrams%s%s; if "
                        "FI_PROVIDER is set, it must allow one",
                        interface ? " on the interface " : "", interface ? interface : "") < 0
                   ? "libfabric has no provider for this host"
                   : text;
    }
    return error ? fl_ofi_trouble("fi_getinfo", error) : NULL;
}

bool fl_ofi_is_direct(const struct fi_info *info) {
    static const char *const direct[] = {"cxi", "verbs"}; /* Slingshot; InfiniBand and RoCE */
    const char *provider = info->fabric_attr->prov_name;
    return strncmp(provider, direct[0], strlen(direct[0])) == 0 ||
           strncmp(provider, direct[1], strlen(direct[1])) == 0;
}

/* A hash of the job's key, in as many bits as every provider matches. */
static bool make_tag(const unsigned char key[FL_NET_KEY_BYTES], uint64_t *tag_p) {
    unsigned char hash[crypto_generichash_BYTES_MIN];
    if (sodium_init() < 0 ||
        crypto_generichash(hash, sizeof hash, NULL, 0, key, FL_NET_KEY_BYTES) != 0) {
        return false;
    }
    memcpy(tag_p, hash, sizeof *tag_p);
    *tag_p >>= 64 - TAG_BITS;
    return true;
}

/* ---- the endpoint ---- */

/* Access to memory is asked for where it will be used: providers may then do more work for messages
 * too. */
static const char *choose_provider(struct fl_net *net) {
    const char *why = find_provider(net->setup.interface, false, &net->info);
    struct fi_info *with_access;
    bool wanted = !why && (net->setup.imitated ||
                           (net->setup.one_sided && fl_ofi_is_direct(net->info)));
    if (wanted && !find_provider(net->setup.interface, true, &with_access)) {
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

static const char *make_card(struct fl_net *net, struct fl_net_card *card) {
    const char *provider = net->info->fabric_attr->prov_name;
    size_t name = strlen(provider) + 1, bytes = sizeof card->text - name;
    memcpy(card->text, provider, name);
    int error = fi_getname(&net->endpoint->fid, card->text + name, &bytes);
    card->bytes = (uint32_t)(name + bytes);
    return error ? fl_ofi_trouble("fi_getname", error) : NULL;
}

const char *fl_ofi_open_endpoint(struct fl_net *net, struct fl_net_card *card) {
    if (!make_tag(net->setup.key, &net->tag)) {
        return "libsodium cannot be used here";
    }
    const char *why = choose_provider(net);
    why = why ? why : open_objects(net);
    if (why) {
        return why;
    }
    net->gathers = net->info->tx_attr->iov_limit >= 2;
    return make_card(net, card);
}

void fl_ofi_close_endpoint(struct fl_net *net) {
    fl_ofi_close(net->endpoint);
    fl_ofi_close(net->completions);
    fl_ofi_close(net->addresses);
    fl_ofi_close(net->domain);
    fl_ofi_close(net->fabric);
    fi_freeinfo(net->info);
}

/* ---- a peer that has ended ---- */

static bool is_refused(const struct sockaddr *name, socklen_t bytes) {
    int fd = socket(name->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int error = fd >= 0 && connect(fd, name, bytes) != 0 ? errno : 0;
    if (error == EINPROGRESS) {
        struct pollfd answer = {fd, POLLOUT, 0};
        socklen_t size = sizeof error;
        error = 0;
        if (poll(&answer, 1, ANSWER_MS) == 1) {
            (void)getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return error == ECONNREFUSED;
}

bool fl_ofi_is_gone(const struct fi_info *info, struct fl_ofi_peer *peer) {
    const char *provider = info->fabric_attr->prov_name;
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    uint64_t now_ms = (uint64_t)at.tv_sec * 1000 + (uint64_t)at.tv_nsec / 1000000;
    bool is_due = peer->look_ms != 0 && now_ms >= peer->look_ms;
    if (peer->look_ms == 0 || is_due) {
        peer->look_ms = now_ms + LOOK_MS;
    }
    bool is_tcp = strncmp(provider, "tcp", 3) == 0 || strncmp(provider, "net", 3) == 0;
    socklen_t bytes = info->addr_format == FI_SOCKADDR_IN6 ? sizeof(struct sockaddr_in6)
                                                           : sizeof(struct sockaddr_in);
    return is_due && is_tcp && is_refused(peer->name, bytes);
}
