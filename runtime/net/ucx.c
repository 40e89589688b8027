/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX as a transport: its active messages, over whatever network it finds. Nothing else of it is
 * asked for, so that no process reads or writes another's memory through it.
 *
 * Messages between two processes keep their order because there is one lane from one to the other:
 * a TCP stream, or an InfiniBand connection, whose messages arrive as they were sent; UCX puts what
 * cannot go at once into a queue of the connection, behind which later messages wait. Rendezvous
 * and striping over several lanes would break that, and both are switched off. A message of several
 * fragments, where a network's are small, is whole before the next one's first fragment arrives.
 */
#include "net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucp/api/ucp.h>
#include <ucs/config/global_opts.h>

enum {
    MESSAGE_ID = 0,
    PAYLOAD_MOST = 64 << 10,
    SMALL = 512,         /* copied payloads up to here live in records that are used again */
    CLOSE_PATIENCE = 2,  /* seconds for what has been sent to leave */
};

/* What UCX is told; users' UCX_ variables come before these only where these say nothing. */
static const struct {
    const char *name, *value;
} settings[] = {
    /* Processes that see each other's memory do not come here, unless one machine plays several
     * hosts; then they shall talk over the network too. */
    {"TLS", "^sm,self"},
    {"RNDV_THRESH", "inf"},
    {"MAX_EAGER_LANES", "1"},
    {"MAX_RNDV_LANES", "1"},
    /* A message with its headers in one segment, thus in one system call. */
    {"TCP_TX_SEG_SIZE", "68K"},
    {"TCP_RX_SEG_SIZE", "68K"},
    /* A host that does not answer must not hold up the caller. */
    {"TCP_CONN_NB", "y"},
};

/* A message on its way, and what must live until it has left. */
struct message {
    struct fl_net *net;
    struct message *next; /* while it is free */
    uint32_t *done;
    unsigned char header[FL_NET_HEADER_BYTES];
    unsigned char payload[]; /* a copy, if the caller wants its own back at once */
};

struct peer {
    ucp_ep_h endpoint; /* null until it is used */
    bool lost;
};

struct fl_net {
    struct fl_net_setup setup;
    const struct fl_net_card *(*card_of)(void *context, unsigned proc);
    void *card_context;
    ucp_context_h context;
    ucp_worker_h worker;
    struct peer *peers;
    struct message *free;
    uint64_t waiting; /* messages that have not left */
    uint64_t header_room[FL_NET_HEADER_BYTES / 8], payload_room[PAYLOAD_MOST / 8];
};

/* Why `open` failed; there is nothing else to keep the text in. */
static char trouble[256];

static const char *troubled(const char *what, ucs_status_t status) {
    snprintf(trouble, sizeof trouble, "UCX: %s: %s", what, ucs_status_string(status));
    return trouble;
}

/* ---- arriving ---- */

/* TCP's segments put a message anywhere. Copying moves what the caller would read next anyway. */
static const void *aligned(const void *bytes, size_t n, void *room) {
    return ((uintptr_t)bytes & 7) == 0 ? bytes : memcpy(room, bytes, n);
}

static ucs_status_t arrived(void *context, const void *header, size_t header_bytes, void *payload,
                            size_t bytes, const ucp_am_recv_param_t *parameters) {
    struct fl_net *net = context;
    /* Nobody sends these: no process of the job did. */
    if (header_bytes > FL_NET_HEADER_BYTES || bytes > PAYLOAD_MOST ||
        (parameters->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
        return UCS_OK;
    }
    net->setup.deliver(net->setup.context, aligned(header, header_bytes, net->header_room),
                       header_bytes, aligned(payload, bytes, net->payload_room), bytes);
    return UCS_OK;
}

/* ---- leaving ---- */

static struct message *message_new(struct fl_net *net, const void *header, size_t header_bytes,
                                   size_t copied) {
    struct message *message = net->free;
    if (copied <= SMALL && message) {
        net->free = message->next;
    } else {
        message = malloc(sizeof *message + (copied > SMALL ? copied : SMALL));
        if (!message) {
            return NULL;
        }
        message->net = net;
    }
    memcpy(message->header, header, header_bytes);
    return message;
}

static void message_end(struct message *message, size_t copied) {
    if (message->done) {
        ++*message->done;
    }
    if (copied > SMALL) {
        free(message);
    } else {
        message->next = message->net->free;
        message->net->free = message;
    }
}

static void small_left(void *request, ucs_status_t status, void *context) {
    (void)status; /* a peer that is lost is reported by its endpoint */
    struct message *message = context;
    message->net->waiting--;
    message_end(message, 0);
    ucp_request_free(request);
}

static void large_left(void *request, ucs_status_t status, void *context) {
    (void)status;
    struct message *message = context;
    message->net->waiting--;
    message_end(message, SIZE_MAX);
    ucp_request_free(request);
}

static void lose(struct fl_net *net, unsigned peer, const char *why) {
    if (!net->peers[peer].lost) {
        net->peers[peer].lost = true;
        net->setup.lost(net->setup.context, peer, why);
    }
}

static void on_error(void *context, ucp_ep_h endpoint, ucs_status_t status) {
    struct fl_net *net = context;
    for (unsigned peer = 0; peer < net->setup.procs; peer++) {
        if (net->peers[peer].endpoint == endpoint) {
            lose(net, peer, ucs_status_string(status));
        }
    }
}

static bool reach(struct fl_net *net, unsigned to) {
    struct peer *peer = &net->peers[to];
    if (peer->lost) {
        return false;
    }
    const struct fl_net_card *card = net->card_of(net->card_context, to);
    ucp_ep_params_t parameters = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = (const ucp_address_t *)card->text,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {on_error, net},
    };
    ucs_status_t status = ucp_ep_create(net->worker, &parameters, &peer->endpoint);
    if (status != UCS_OK) {
        peer->endpoint = NULL;
        lose(net, to, ucs_status_string(status));
    }
    return status == UCS_OK;
}

static void ucx_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                     const void *payload, size_t bytes, uint32_t *done) {
    struct peer *peer = &net->peers[to];
    size_t copied = done ? 0 : bytes;
    struct message *message = NULL;
    if (__builtin_expect((peer->endpoint && !peer->lost) || reach(net, to), 1)) {
        message = message_new(net, header, header_bytes, copied);
        if (!message) {
            lose(net, to, "no memory for a message");
        }
    }
    if (!message) {
        if (done) {
            ++*done;
        }
        return;
    }
    message->done = done;
    if (copied) {
        payload = memcpy(message->payload, payload, bytes);
    }
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .cb.send = copied > SMALL ? large_left : small_left,
        .user_data = message,
    };
    ucs_status_ptr_t request = ucp_am_send_nbx(peer->endpoint, MESSAGE_ID, message->header,
                                               header_bytes, payload, bytes, &parameters);
    if (UCS_PTR_IS_PTR(request)) {
        net->waiting++;
        return;
    }
    message_end(message, copied);
    if (UCS_PTR_IS_ERR(request)) {
        lose(net, to, ucs_status_string(UCS_PTR_STATUS(request)));
    }
}

static unsigned ucx_poll(struct fl_net *net) {
    return ucp_worker_progress(net->worker);
}

/* ---- sleeping ---- */

static int ucx_descriptor(struct fl_net *net) {
    int fd;
    return ucp_worker_get_efd(net->worker, &fd) == UCS_OK ? fd : -1;
}

static bool ucx_arm(struct fl_net *net) {
    return ucp_worker_arm(net->worker) == UCS_OK;
}

/* ---- beginning and end ---- */

static void ucx_close(struct fl_net *net) {
    time_t end = time(NULL) + CLOSE_PATIENCE;
    while (net->waiting && time(NULL) < end) {
        ucp_worker_progress(net->worker);
    }
    ucp_request_param_t force = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_EP_CLOSE_FLAG_FORCE};
    for (unsigned i = 0; i < net->setup.procs; i++) {
        net->peers[i].lost = true; /* from now on nobody wants to know */
        if (!net->peers[i].endpoint) {
            continue;
        }
        ucs_status_ptr_t request = ucp_ep_close_nbx(net->peers[i].endpoint, &force);
        if (UCS_PTR_IS_PTR(request)) {
            while (ucp_request_check_status(request) == UCS_INPROGRESS) {
                ucp_worker_progress(net->worker);
            }
            ucp_request_free(request);
        }
    }
    ucp_worker_destroy(net->worker);
    ucp_cleanup(net->context);
    while (net->free) {
        struct message *next = net->free->next;
        free(net->free);
        net->free = next;
    }
    free(net->peers);
    free(net);
}

static const char *open_context(struct fl_net *net) {
    /* What it has to say comes through `lost` and `open`. Warnings are its default; whoever has set
     * another level gets that. */
    if (ucs_global_opts.log_component.log_level == UCS_LOG_LEVEL_WARN) {
        ucs_global_opts_set_value("LOG_LEVEL", "fatal");
    }
    ucp_config_t *config;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK) {
        return troubled("reading its settings", status);
    }
    for (size_t i = 0; status == UCS_OK && i < sizeof settings / sizeof settings[0]; i++) {
        status = ucp_config_modify(config, settings[i].name, settings[i].value);
    }
    if (status == UCS_OK && net->setup.interface) {
        status = ucp_config_modify(config, "NET_DEVICES", net->setup.interface);
    }
    if (status == UCS_OK) {
        ucp_params_t parameters = {
            .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
            .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
            .estimated_num_eps = net->setup.procs,
        };
        status = ucp_init(&parameters, config, &net->context);
    }
    ucp_config_release(config);
    return status == UCS_OK ? NULL : troubled("no context", status);
}

static const char *open_worker(struct fl_net *net) {
    ucp_worker_params_t parameters = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                      .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = ucp_worker_create(net->context, &parameters, &net->worker);
    if (status != UCS_OK) {
        return troubled(net->setup.interface ? net->setup.interface : "no network", status);
    }
    ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                      UCP_AM_HANDLER_PARAM_FIELD_ARG | UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
        .id = MESSAGE_ID,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = arrived,
        .arg = net,
    };
    status = ucp_worker_set_am_recv_handler(net->worker, &handler);
    return status == UCS_OK ? NULL : troubled("no active messages", status);
}

static const char *make_card(struct fl_net *net, struct fl_net_card *card) {
    ucp_address_t *address;
    size_t bytes;
    ucs_status_t status = ucp_worker_get_address(net->worker, &address, &bytes);
    if (status != UCS_OK) {
        return troubled("no address", status);
    }
    bool fits = bytes <= FL_NET_CARD_BYTES;
    if (fits) {
        card->bytes = (uint32_t)bytes;
        memcpy(card->text, address, bytes);
    }
    ucp_worker_release_address(net->worker, address);
    return fits ? NULL : "UCX: this host has too many networks: name the interface to use";
}

static const char *ucx_open(const struct fl_net_setup *setup, struct fl_net **net_p,
                            struct fl_net_card *card) {
    struct fl_net *net = calloc(1, sizeof *net);
    struct peer *peers = calloc(setup->procs, sizeof *peers);
    if (!net || !peers) {
        free(net);
        free(peers);
        return "no memory for the transport";
    }
    net->setup = *setup;
    net->peers = peers;
    const char *why = open_context(net);
    if (!why) {
        why = open_worker(net);
    }
    if (!why) {
        why = make_card(net, card);
    }
    if (!why) {
        *net_p = net;
        return NULL;
    }
    if (net->worker) {
        ucp_worker_destroy(net->worker);
    }
    if (net->context) {
        ucp_cleanup(net->context);
    }
    free(peers);
    free(net);
    return why;
}

static const char *ucx_connect(struct fl_net *net,
                               const struct fl_net_card *(*card_of)(void *context, unsigned proc),
                               void *context) {
    net->card_of = card_of;
    net->card_context = context;
    return NULL;
}

__attribute__((visibility("default"))) const struct fl_net_ops fl_net_ops = {
    .abi = FL_NET_ABI,
    .name = "ucx",
    .payload_most = PAYLOAD_MOST,
    .open = ucx_open,
    .connect = ucx_connect,
    .send = ucx_send,
    .poll = ucx_poll,
    .descriptor = ucx_descriptor,
    .arm = ucx_arm,
    .close = ucx_close,
};
