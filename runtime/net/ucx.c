/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX as a transport: its active messages, over whatever network it finds; and its puts and gets,
 * if comm wants one-sided operations. Else nothing but messages is asked for, so that no process
 * reads or writes another's memory through it.
 *
 * Messages between two processes keep their order because there is one lane from one to the other:
 * a TCP stream, or an InfiniBand connection, whose messages arrive as they were sent; UCX puts what
 * cannot go at once into a queue of the connection, behind which later messages wait. Rendezvous
 * and striping over several lanes would break that, and both are switched off. A message of several
 * fragments, where a network's are small, is whole before the next one's first fragment arrives.
 */
#include "net/devices.h"
#include "net/guard.h"
#include "net/net.h"
#include "net/signals.h"
#include "net/text.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucp/api/ucp.h>
#include <ucs/config/global_opts.h>
#include <unistd.h>

enum {
    /* With its headers just below four of the largest segments of TCP, which the kernel or the card
     * cuts: bytes beyond them cost a packet of their own, and of smaller pieces each costs calls. */
    PAYLOAD_MOST = 248 << 10,
    PACKED_MOST = 512,    /* payloads up to here travel in one piece with their header */
    CLOSE_PATIENCE = 2,   /* seconds for what has been sent to leave */
    LINK_MS = 4000,       /* for a link that has just come up */
    NEW_PROTOCOLS = 16,   /* 1.16 and later perform puts and gets on all lanes for them */
    DEVICES_BYTES = 1024, /* of their names */
};

enum message_id { PLAIN, PACKED };

/* What UCX is told; users' UCX_ variables come before these only where these say nothing. */
static const struct {
    const char *name, *value;
    const char *new_name; /* in versions that do not know the first one */
} settings[] = {
    {"RNDV_THRESH", "inf", NULL},
    {"MAX_EAGER_LANES", "1", NULL},
    {"MAX_RNDV_LANES", "1", NULL},
    /* A message with its headers in one segment, thus in one system call. */
    {"TX_SEG_SIZE", "252K", "TCP_TX_SEG_SIZE"},
    {"RX_SEG_SIZE", "252K", "TCP_RX_SEG_SIZE"},
    /* TCP: a host that does not answer must not hold up the caller; see guard.c. */
    {"CONN_NB", "y", "TCP_CONN_NB"},
};

/* Room for a text: header and payload as one costs one copy, and saves the kernel from gathering
 * pieces. */
struct packed {
    _Alignas(8) unsigned char bytes[FL_NET_TEXT_BYTES(PACKED_MOST)];
};

/* What must live until a message has left. */
struct message {
    struct fl_net *net;
    struct message *next; /* while it is free */
    uint32_t *done;
    union {
        struct packed packed;
        struct {
            unsigned char header[FL_NET_HEADER_BYTES];
            unsigned char payload[]; /* a copy, if the caller wants its own back at once */
        } plain;
    };
};

struct peer {
    ucp_ep_h endpoint; /* null until it is used */
    bool lost;
};

struct fl_net_region {
    struct fl_net_region *next;
    ucp_rkey_h key;
    unsigned owner;
};

/* A put or get that has not ended. */
struct operation {
    struct operation *next; /* while it is free */
    struct fl_net *net;
    void *token;
};

struct fl_net {
    struct fl_net_setup setup;
    const struct fl_net_card *(*card_of)(void *context, unsigned proc);
    void *card_context;
    ucp_context_h context;
    ucp_worker_h worker;
    struct peer *peers;
    struct message *free;
    struct operation *free_operations;
    struct fl_net_region *regions;
    uint64_t waiting; /* messages that have not left */
    uint64_t header_room[FL_NET_HEADER_BYTES / 8];
    struct packed packed_room;
};

/* Why `open` failed: text that lives on. */
static const char *trouble(const char *what, ucs_status_t status) {
    char *text;
    if (access("/proc/sys/kernel/random/boot_id", R_OK) != 0) {
        return "UCX cannot read /proc/sys/kernel/random/boot_id; mount /proc, with all of its files";
    }
    return asprintf(&text, "UCX: %s: %s", what, ucs_status_string(status)) < 0 ? what : text;
}

/* Why the interface that the user has named cannot be used: it is not there (and which are), or
 * down. */
static const char *no_interface(const char *name) {
    char known[256] = "", *text;
    if (access("/sys/class/net", R_OK) != 0) {
        return "UCX finds no network interface: it looks for them in /sys/class/net; mount /sys";
    }
    if (if_nametoindex(name)) {
        return asprintf(&text, "UCX: the network interface `%s` is down", name) < 0
                   ? "UCX: the network interface that is named is down"
                   : text;
    }
    struct if_nameindex *all = if_nameindex();
    for (struct if_nameindex *at = all; at && at->if_name; at++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s`%s`", used ? ", " : "", at->if_name);
    }
    if_freenameindex(all);
    return asprintf(&text, "UCX finds no network interface `%s`; there are %s", name, known) < 0
               ? "UCX does not find the network interface that is named"
               : text;
}

/* ---- arriving ---- */

/* TCP's segments deliver a message at any address. Copying moves what the caller would read next
 * anyway. */
static const void *aligned(const void *bytes, size_t n, void *room) {
    return ((uintptr_t)bytes & 7) == 0 ? bytes : memcpy(room, bytes, n);
}

static ucs_status_t plain_arrived(void *context, const void *header, size_t header_bytes,
                                  void *payload, size_t bytes,
                                  const ucp_am_recv_param_t *parameters) {
    struct fl_net *net = context;
    /* No process of the job sends these. */
    if (header_bytes > FL_NET_HEADER_BYTES || bytes > PAYLOAD_MOST ||
        (parameters->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
        return UCS_OK;
    }
    net->setup.deliver(net->setup.context, aligned(header, header_bytes, net->header_room),
                       header_bytes, payload, bytes);
    return UCS_OK;
}

static ucs_status_t packed_arrived(void *context, const void *no_header, size_t no_header_bytes,
                                   void *bytes, size_t n, const ucp_am_recv_param_t *parameters) {
    (void)no_header, (void)no_header_bytes;
    struct fl_net *net = context;
    if (n <= sizeof(struct packed) && !(parameters->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
        fl_net_text_deliver(&net->setup, aligned(bytes, n, &net->packed_room), n);
    }
    return UCS_OK;
}

/* ---- leaving ---- */

static struct message *message_new(struct fl_net *net, size_t copied) {
    struct message *message = net->free;
    if (message && !copied) {
        net->free = message->next;
        return message;
    }
    size_t plain = offsetof(struct message, plain.payload) + copied;
    message = malloc(plain > sizeof *message ? plain : sizeof *message);
    if (message) {
        message->net = net;
    }
    return message;
}

static void message_end(struct message *message) {
    if (message->done) {
        ++*message->done;
    }
    message->next = message->net->free;
    message->net->free = message;
}

/* What happened to it is reported by its endpoint. */
static void on_left(void *request, ucs_status_t status, void *context) {
    (void)status;
    struct message *message = context;
    message->net->waiting--;
    message_end(message);
    ucp_request_free(request);
}

static void on_copy_left(void *request, ucs_status_t status, void *context) {
    (void)status;
    struct message *message = context;
    message->net->waiting--;
    free(message);
    ucp_request_free(request);
}

static void lose(struct fl_net *net, unsigned peer, const char *why) {
    if (!net->peers[peer].lost) {
        net->peers[peer].lost = true;
        net->setup.lost(net->setup.context, peer, why);
    }
}

static const char *reason(ucs_status_t status) {
    if (fl_guard_met_stranger()) {
        return "what answers at its address does not know the job's key, so it is another program";
    }
    if (status != UCS_ERR_ENDPOINT_TIMEOUT && status != UCS_ERR_TIMED_OUT &&
        status != UCS_ERR_CONNECTION_RESET) {
        return ucs_status_string(status);
    }
    return fl_guard_was_reset()
               ? "its connection was reset, by that host or by what stands between (a firewall)"
               : "it acknowledges nothing that is sent to it; the host or its network is down";
}

static void on_error(void *context, ucp_ep_h endpoint, ucs_status_t status) {
    struct fl_net *net = context;
    for (unsigned peer = 0; peer < net->setup.procs; peer++) {
        if (net->peers[peer].endpoint == endpoint) {
            lose(net, peer, reason(status));
        }
    }
}

static ucs_status_t create_endpoint(struct fl_net *net, unsigned to, ucp_err_handling_mode_t mode) {
    const struct fl_net_card *card = net->card_of(net->card_context, to);
    ucp_ep_params_t parameters = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = (const ucp_address_t *)card->text,
        .err_mode = mode,
        .err_handler = {on_error, net},
    };
    return ucp_ep_create(net->worker, &parameters, &net->peers[to].endpoint);
}

/* Shared memory, if the user has named nothing else in UCX_TLS, does not report that a peer is
 * gone; the launcher sees that. */
static bool reach(struct fl_net *net, unsigned to) {
    struct peer *peer = &net->peers[to];
    if (peer->lost) {
        return false;
    }
    ucs_status_t status = create_endpoint(net, to, UCP_ERR_HANDLING_MODE_PEER);
    if (status == UCS_ERR_UNREACHABLE) {
        status = create_endpoint(net, to, UCP_ERR_HANDLING_MODE_NONE);
    }
    if (status != UCS_OK) {
        peer->endpoint = NULL;
        lose(net, to, reason(status));
    }
    return status == UCS_OK;
}

static bool is_reached(struct fl_net *net, unsigned to) {
    const struct peer *peer = &net->peers[to];
    return __builtin_expect(peer->endpoint && !peer->lost, 1) || reach(net, to);
}

/* Without a peer to go to, a message is over at once. */
static struct message *message_for(struct fl_net *net, unsigned to, size_t copied) {
    if (!is_reached(net, to)) {
        return NULL;
    }
    struct message *message = message_new(net, copied);
    if (!message) {
        lose(net, to, "no memory for a message");
    }
    return message;
}

static void ucx_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                     const void *payload, size_t bytes, uint32_t *done) {
    bool packed = bytes <= PACKED_MOST;
    size_t copied = done || packed ? 0 : bytes;
    struct message *message = message_for(net, to, copied);
    if (done && (packed || !message)) {
        ++*done;
    }
    if (!message) {
        return;
    }
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .cb.send = copied ? on_copy_left : on_left,
        .user_data = message,
    };
    ucs_status_ptr_t request;
    if (packed) {
        message->done = NULL;
        bytes = fl_net_text_write((struct fl_net_text *)&message->packed, header, header_bytes,
                                  payload, bytes);
        request = ucp_am_send_nbx(net->peers[to].endpoint, PACKED, NULL, 0, &message->packed, bytes,
                                  &parameters);
    } else {
        message->done = done;
        memcpy(message->plain.header, header, header_bytes);
        payload = copied ? memcpy(message->plain.payload, payload, bytes) : payload;
        request = ucp_am_send_nbx(net->peers[to].endpoint, PLAIN, message->plain.header,
                                  header_bytes, payload, bytes, &parameters);
    }
    if (UCS_PTR_IS_PTR(request)) {
        net->waiting++;
        return;
    }
    if (copied) {
        free(message);
    } else {
        message_end(message);
    }
    if (UCS_PTR_IS_ERR(request)) {
        lose(net, to, reason(UCS_PTR_STATUS(request)));
    }
}

/* ---- one-sided ---- */

/* What UCX prints of an endpoint has a line for each lane, as
 *     lane[1]:  2:rc_mlx5/mlx5_0:1.0 md[1] -> md[1]/ib/sysdev[0] am am_bw#0 rma_bw#0
 * Cards do puts and gets on reliable connections. UCX before 1.16 copies between processes of a
 * machine only where a message is large. All else is emulated by messages. */
static bool is_direct_lane(const char *line) {
    static const struct {
        const char *transport;
        unsigned since; /* minor version */
    } direct[] = {{":rc_", 0},          {":dc_", 0},           {":gga_", 0},
                  {":cma", NEW_PROTOCOLS}, {":xpmem", NEW_PROTOCOLS}, {":knem", NEW_PROTOCOLS}};
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    bool found = false;
    for (size_t i = 0; i < sizeof direct / sizeof direct[0]; i++) {
        found = found || ((major > 1 || minor >= direct[i].since) &&
                          strstr(line, direct[i].transport));
    }
    return found && strstr(line, " rma");
}

static bool ucx_is_direct(struct fl_net *net, unsigned peer) {
    char *text = NULL;
    size_t bytes;
    FILE *stream = is_reached(net, peer) ? open_memstream(&text, &bytes) : NULL;
    if (!stream) {
        return false;
    }
    ucp_ep_print_info(net->peers[peer].endpoint, stream);
    fclose(stream);
    bool direct = false;
    char *rest = text;
    for (char *line; rest && (line = strsep(&rest, "\n"));) {
        direct = direct || (strstr(line, " lane[") && is_direct_lane(line));
    }
    free(text);
    return direct;
}

/* What is registered stays so until the process ends. */
static bool ucx_expose(struct fl_net *net, void *memory, size_t bytes,
                       struct fl_net_access *access) {
    ucp_mem_map_params_t parameters = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
        .address = memory,
        .length = bytes,
    };
    ucp_mem_h region;
    void *key;
    size_t key_bytes;
    if (ucp_mem_map(net->context, &parameters, &region) != UCS_OK) {
        return false;
    }
    bool packed = ucp_rkey_pack(net->context, region, &key, &key_bytes) == UCS_OK;
    bool fits = packed && key_bytes <= sizeof access->text;
    if (fits) {
        access->bytes = (uint32_t)key_bytes;
        memcpy(access->text, key, key_bytes);
    }
    if (packed) {
        ucp_rkey_buffer_release(key);
    }
    if (!fits) {
        ucp_mem_unmap(net->context, region);
    }
    return fits;
}

static struct fl_net_region *ucx_open_region(struct fl_net *net, unsigned owner,
                                             const struct fl_net_access *access) {
    struct fl_net_region *region = is_reached(net, owner) ? malloc(sizeof *region) : NULL;
    if (region &&
        ucp_ep_rkey_unpack(net->peers[owner].endpoint, access->text, &region->key) == UCS_OK) {
        region->owner = owner;
        region->next = net->regions;
        net->regions = region;
        return region;
    }
    free(region);
    return NULL;
}

static void operation_end(struct operation *operation, ucs_status_t status) {
    struct fl_net *net = operation->net;
    void *token = operation->token;
    operation->next = net->free_operations;
    net->free_operations = operation;
    if (status == UCS_OK) {
        net->setup.ended(net->setup.context, token);
    }
}

static void on_operation_ended(void *request, ucs_status_t status, void *context) {
    ucp_request_free(request);
    operation_end(context, status);
}

/* The flush after it tells that a put has ended. */
static void on_put_left(void *request, ucs_status_t status, void *context) {
    (void)status;
    (void)context;
    ucp_request_free(request);
}

static struct operation *operation_new(struct fl_net *net, unsigned owner, void *token) {
    if (!is_reached(net, owner)) {
        return NULL;
    }
    struct operation *operation = net->free_operations;
    if (operation) {
        net->free_operations = operation->next;
    } else if (!(operation = malloc(sizeof *operation))) {
        lose(net, owner, "no memory for a transfer");
        return NULL;
    }
    operation->net = net;
    operation->token = token;
    return operation;
}

static void await_operation(struct operation *operation, unsigned owner, ucs_status_ptr_t request) {
    if (UCS_PTR_IS_PTR(request)) {
        return;
    }
    ucs_status_t status = UCS_PTR_STATUS(request);
    if (status != UCS_OK) {
        lose(operation->net, owner, reason(status));
    }
    operation_end(operation, status);
}

static void ucx_put(struct fl_net *net, struct fl_net_region *region, uint64_t address,
                    const void *from, size_t bytes, void *token) {
    struct operation *operation = operation_new(net, region->owner, token);
    if (!operation) {
        return;
    }
    ucp_ep_h endpoint = net->peers[region->owner].endpoint;
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_put_left,
        .user_data = operation,
    };
    ucs_status_ptr_t put =
        ucp_put_nbx(endpoint, from, bytes, address, region->key, &parameters);
    parameters.cb.send = on_operation_ended;
    await_operation(operation, region->owner,
                    UCS_PTR_IS_ERR(put) ? put : ucp_ep_flush_nbx(endpoint, &parameters));
}

static void ucx_get(struct fl_net *net, struct fl_net_region *region, uint64_t address, void *to,
                    size_t bytes, void *token) {
    struct operation *operation = operation_new(net, region->owner, token);
    if (!operation) {
        return;
    }
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_operation_ended,
        .user_data = operation,
    };
    await_operation(operation, region->owner,
                    ucp_get_nbx(net->peers[region->owner].endpoint, to, bytes, address,
                                region->key, &parameters));
}

static const struct fl_net_one_sided one_sided = {
    .is_direct = ucx_is_direct,
    .expose = ucx_expose,
    .open_region = ucx_open_region,
    .put = ucx_put,
    .get = ucx_get,
};

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

/* UCX 1.13 aborts if a worker is destroyed while another process connects to it, as one that ends
 * at the same time may, to say so. So nothing is destroyed: it ends with the process. */
static void ucx_close(struct fl_net *net) {
    static struct fl_net *closed; /* so that memory is not taken for lost */
    time_t end = time(NULL) + CLOSE_PATIENCE;
    while (net->waiting && time(NULL) < end) {
        ucp_worker_progress(net->worker);
    }
    for (unsigned i = 0; i < net->setup.procs; i++) {
        net->peers[i].lost = true; /* losses are not reported from now on */
    }
    closed = net;
    (void)closed;
}

/* Whether the user has set something by UCX's own variable; `unset` is the line that says not. */
static bool is_set(const ucp_config_t *config, const char *unset) {
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream) {
        return false;
    }
    ucp_config_print(config, stream, NULL, UCS_CONFIG_PRINT_CONFIG);
    fclose(stream);
    bool set = text && !strstr(text, unset);
    free(text);
    return set;
}

/* UCX would listen on the loopback interface too, by which no other host comes. */
static ucs_status_t choose_devices(const struct fl_net *net, ucp_config_t *config) {
    char names[DEVICES_BYTES];
    const char *devices = net->setup.interface;
    if (devices) {
        fl_devices_await(devices, LINK_MS);
    } else if (!is_set(config, "UCX_NET_DEVICES=all\n") &&
               fl_devices_list(names, sizeof names, LINK_MS)) {
        devices = names;
    }
    return devices ? ucp_config_modify(config, "NET_DEVICES", devices) : UCS_OK;
}

static const char *open_context(struct fl_net *net) {
    /* UCX's failures are reported by `lost` and `open`. Warnings are its default level; a user who
     * has set another one gets that. */
    if (ucs_global_opts.log_component.log_level == UCS_LOG_LEVEL_WARN) {
        ucs_global_opts_set_value("LOG_LEVEL", "fatal");
    }
    /* All memory is the CPU's here, so UCX need not watch munmap. */
    ucs_global_opts_set_value("MEMTYPE_CACHE", "n");
    ucp_config_t *config;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK) {
        return trouble("reading its settings", status);
    }
    /* Processes that see each other's memory do not come here, unless one machine plays several
     * hosts; then they shall talk over the network too. */
    if (status == UCS_OK && !is_set(config, "UCX_TLS=all\n")) {
        status = ucp_config_modify(config, "TLS", "^sm,self");
    }
    for (size_t i = 0; status == UCS_OK && i < sizeof settings / sizeof settings[0]; i++) {
        status = ucp_config_modify(config, settings[i].name, settings[i].value);
        if (status != UCS_OK && settings[i].new_name) {
            status = ucp_config_modify(config, settings[i].new_name, settings[i].value);
        }
    }
    if (status == UCS_OK) {
        status = choose_devices(net, config);
    }
    if (status == UCS_OK) {
        ucp_params_t parameters = {
            .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
            .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP |
                        (net->setup.one_sided ? UCP_FEATURE_RMA : 0u),
            .estimated_num_eps = net->setup.procs,
        };
        status = ucp_init(&parameters, config, &net->context);
    }
    ucp_config_release(config);
    if (status == UCS_ERR_NO_DEVICE && net->setup.interface) {
        return no_interface(net->setup.interface);
    }
    return status == UCS_OK ? NULL : trouble("no context", status);
}

static ucs_status_t create_worker(struct fl_net *net, const ucp_worker_params_t *parameters) {
    struct fl_net_signals signals;
    fl_net_signals_keep(&signals); /* UCX's thread begins here */
    ucs_status_t status = ucp_worker_create(net->context, parameters, &net->worker);
    fl_net_signals_restore(&signals);
    return status;
}

static const char *open_worker(struct fl_net *net) {
    ucp_worker_params_t parameters = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                      .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = create_worker(net, &parameters);
    if (status != UCS_OK) {
        return trouble(net->setup.interface ? net->setup.interface : "no network", status);
    }
    static const ucp_am_recv_callback_t arrived[] = {plain_arrived, packed_arrived};
    for (unsigned id = PLAIN; status == UCS_OK && id <= PACKED; id++) {
        ucp_am_handler_param_t handler = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                          UCP_AM_HANDLER_PARAM_FIELD_ARG | UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
            .id = id,
            .flags = UCP_AM_FLAG_WHOLE_MSG,
            .cb = arrived[id],
            .arg = net,
        };
        status = ucp_worker_set_am_recv_handler(net->worker, &handler);
    }
    return status == UCS_OK ? NULL : trouble("no active messages", status);
}

static const char *make_card(struct fl_net *net, struct fl_net_card *card) {
    ucp_address_t *address;
    size_t bytes;
    ucs_status_t status = ucp_worker_get_address(net->worker, &address, &bytes);
    if (status != UCS_OK) {
        return trouble("no address", status);
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
    const char *why = fl_guard_setup(setup->key, setup->patience_ms);
    if (!why) {
        why = open_context(net);
    }
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
    .sees_silence = true,
    .open = ucx_open,
    .connect = ucx_connect,
    .send = ucx_send,
    .poll = ucx_poll,
    .descriptor = ucx_descriptor,
    .arm = ucx_arm,
    .close = ucx_close,
    .one_sided = &one_sided,
};
