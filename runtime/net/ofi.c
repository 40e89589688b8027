/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libfabric as a transport: tagged messages between reliable datagram endpoints, and access to other
 * processes' memory where that is wanted and the provider has it.
 *
 * Messages between two processes keep their order because the endpoint promises it (FI_ORDER_SAS),
 * all have one tag, and those that have arrived are delivered in the order in which their receives
 * were posted: a large one may complete after its successor. The tag is a hash of the job's key, so
 * that messages of strangers match no receive; a reader of the network can read the tag. Keys to
 * memory have it in their upper bits where the provider lets us choose them.
 *
 * libfabric refuses messages and accesses while it connects, and when a queue is full. Each peer has a
 * list of the refused ones, and poll offers these again.
 */
#include "net/net.h"
#include "net/ofi_provider.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAYLOAD_MOST = 64 << 10,
    SMALL = 1024,       /* bytes of text up to which a message's memory is used again */
    RECEIVES = 32,      /* posted, so that messages go to their place at once */
    COMPLETIONS = 16,   /* read at once */
    CLOSE_PATIENCE = 2, /* seconds for what has been sent to leave */
};

/* What travels, as one piece or, with a payload that stays the caller's, as two. */
struct text {
    uint32_t header_bytes, payload_at;
    unsigned char bytes[];
};
enum { TEXT_MOST = sizeof(struct text) + FL_NET_HEADER_BYTES + PAYLOAD_MOST };

/* Memory that is exposed, or the key to that of another process. */
struct fl_net_region {
    struct fl_net_region *next;
    struct fid_mr *exposed; /* null: another process's */
    unsigned owner;
    struct key {
        uint64_t value, begin; /* begin: the provider counts from this address */
    } key;
};

enum kind { SEND, RECEIVE, PUT, GET };

/* Room for a message, out or in, or an access to memory, whose bytes here are its payload.
 * libfabric's part comes first, since completions point to it. */
struct message {
    struct fi_context2 context;
    struct fid_mr *region; /* of the text, where the provider wants memory to be registered */
    struct message *next;
    enum kind kind;
    bool is_over; /* a receive has completed, and waits for its turn */
    unsigned to;
    uint32_t *done;      /* null: the payload is a copy, in the text, or an access's */
    const void *payload; /* the caller's */
    size_t room, text_bytes, payload_bytes;
    struct { /* of an access */
        struct fid_mr *region; /* of its bytes here, where they must be registered */
        struct fi_rma_iov there;
        void *token;
    } access;
    _Alignas(8) struct text text;
};

struct peer {
    const void *name; /* in its card; `address` is its number */
    fi_addr_t address;
    unsigned under_way; /* sends and accesses that have not completed */
    uint64_t look_ms;   /* when to look whether it is still there; 0: no reason to */
    bool is_known, is_lost, is_refused; /* is_refused: in the list of peers whose messages wait */
    struct message *first, **last;      /* in the order of sending */
};

struct fl_net {
    struct fl_net_setup setup;
    const struct fl_net_card *(*card_of)(void *context, unsigned proc);
    void *card_context;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *addresses;
    struct fid_cq *completions;
    struct fid_ep *endpoint;
    uint64_t tag;
    bool is_closing;         /* what arrives is not wanted any more */
    bool registers, gathers; /* memory must be registered; a send may have two pieces */
    bool accesses;           /* the provider reaches other processes' memory */
    uint32_t next_key;
    struct fl_net_region *regions;
    int fd;                  /* to sleep on; -1: the provider has none */
    struct peer *peers;
    unsigned *refused, n_refused; /* those of them whose messages wait */
    struct message *free;
    uint64_t under_way; /* sends that have not completed */
    struct message *receives[RECEIVES];
    unsigned next_receive;
};

/* libfabric's objects begin with their identifiers. */
static void close_object(void *object) {
    if (object) {
        fi_close(object);
    }
}

/* Keys are different from each other, for providers that do not make them. */
static int register_memory(struct fl_net *net, const void *memory, size_t bytes, uint64_t use,
                           struct fid_mr **region_p) {
    size_t key_bytes = net->info->domain_attr->mr_key_size;
    uint64_t key = (net->tag << 20) + net->next_key++;
    key = key_bytes < sizeof key ? key & ((UINT64_C(1) << 8 * key_bytes) - 1) : key;
    return fi_mr_reg(net->domain, memory, bytes, use, 0, key, 0, region_p, NULL);
}

/* ---- leaving ---- */

static struct message *message_new(struct fl_net *net, size_t bytes) {
    struct message *message = net->free;
    if (message && bytes <= SMALL) {
        net->free = message->next;
        return message;
    }
    size_t room = bytes > SMALL ? bytes : SMALL;
    message = malloc(sizeof *message + room);
    if (!message) {
        return NULL;
    }
    *message = (struct message){.room = room};
    if (net->registers && register_memory(net, &message->text, sizeof message->text + room,
                                          FI_SEND | FI_RECV, &message->region) != 0) {
        free(message);
        return NULL;
    }
    return message;
}

static void *descriptor_of(struct fid_mr *region) {
    return region ? fi_mr_desc(region) : NULL;
}

static void message_free(struct message *message) {
    close_object(message->region);
    free(message);
}

static void message_end(struct fl_net *net, struct message *message) {
    if (message->done) {
        ++*message->done;
    }
    if (message->kind == PUT || message->kind == GET) {
        close_object(message->access.region);
    }
    if (message->room > SMALL) {
        message_free(message);
    } else {
        message->next = net->free;
        net->free = message;
    }
}

static void lose(struct fl_net *net, unsigned to, const char *why) {
    struct peer *peer = &net->peers[to];
    if (peer->is_lost) {
        return;
    }
    peer->is_lost = true;
    while (peer->first) {
        struct message *message = peer->first;
        peer->first = message->next;
        message_end(net, message);
    }
    net->setup.lost(net->setup.context, to, why);
}

/* A card is the provider's name and, behind its end, the address. */
static bool reach(struct fl_net *net, unsigned to) {
    struct peer *peer = &net->peers[to];
    const struct fl_net_card *card = net->card_of(net->card_context, to);
    const char *theirs = (const char *)card->text, *ours = net->info->fabric_attr->prov_name;
    size_t length = strnlen(theirs, card->bytes);
    if (length + 1 >= card->bytes || strcmp(theirs, ours) != 0) {
        char *why = NULL;
        (void)!asprintf(&why, "it uses libfabric's provider `%.40s`, and this host `%s`: set "
                              "FI_PROVIDER on all hosts alike",
                        length < card->bytes ? theirs : "", ours);
        lose(net, to, why);
        return false;
    }
    peer->name = theirs + length + 1;
    int n = fi_av_insert(net->addresses, peer->name, 1, &peer->address, 0, NULL);
    if (n != 1) {
        lose(net, to, fl_ofi_trouble("its address", n < 0 ? n : -FI_EINVAL));
        return false;
    }
    peer->is_known = true;
    return true;
}

static ssize_t offer_send(struct fl_net *net, struct message *message) {
    struct iovec pieces[] = {{&message->text, message->text_bytes},
                             {(void *)(uintptr_t)message->payload, message->payload_bytes}};
    void *descriptors[] = {descriptor_of(message->region), NULL};
    struct fi_msg_tagged call = {
        .msg_iov = pieces,
        .desc = descriptors,
        .iov_count = message->payload ? 2 : 1,
        .addr = net->peers[message->to].address,
        .tag = net->tag,
        .context = &message->context,
    };
    return fi_tsendmsg(net->endpoint, &call, FI_COMPLETION);
}

/* A put completes when its bytes are in the other process's memory. */
static ssize_t offer_access(struct fl_net *net, struct message *message) {
    struct iovec here = {(void *)(uintptr_t)message->payload, message->payload_bytes};
    void *descriptor = descriptor_of(message->access.region);
    struct fi_msg_rma call = {
        .msg_iov = &here,
        .desc = &descriptor,
        .iov_count = 1,
        .addr = net->peers[message->to].address,
        .rma_iov = &message->access.there,
        .rma_iov_count = 1,
        .context = &message->context,
    };
    return message->kind == PUT
               ? fi_writemsg(net->endpoint, &call, FI_COMPLETION | FI_DELIVERY_COMPLETE)
               : fi_readmsg(net->endpoint, &call, FI_COMPLETION);
}

/* False: it has been refused; else it is on its way, or its peer is lost. It is in no list. */
static bool offer(struct fl_net *net, struct message *message) {
    ssize_t error =
        message->kind == SEND ? offer_send(net, message) : offer_access(net, message);
    if (error == -FI_EAGAIN) {
        return false;
    }
    if (error) {
        unsigned to = message->to;
        message_end(net, message);
        lose(net, to, fl_ofi_trouble("send or access", error));
    } else {
        net->under_way++;
        net->peers[message->to].under_way++;
        net->peers[message->to].look_ms = 0;
    }
    return true;
}

static void keep(struct fl_net *net, struct message *message) {
    struct peer *peer = &net->peers[message->to];
    message->next = NULL;
    if (!peer->first) {
        peer->last = &peer->first;
    }
    *peer->last = message;
    peer->last = &message->next;
    if (!peer->is_refused) {
        peer->is_refused = true;
        net->refused[net->n_refused++] = message->to;
    }
}

/* Large payloads that may stay where they are do so. */
static void ofi_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                     const void *payload, size_t bytes, uint32_t *done) {
    struct peer *peer = &net->peers[to];
    size_t payload_at = bytes ? (header_bytes + 7) & ~(size_t)7 : header_bytes;
    bool stays = done && net->gathers && payload_at + bytes > SMALL;
    bool goes = !peer->is_lost && (peer->is_known || reach(net, to));
    struct message *message = goes ? message_new(net, payload_at + (stays ? 0 : bytes)) : NULL;
    if (done && !(stays && message)) {
        ++*done;
    }
    if (!message) {
        if (goes) {
            lose(net, to, "no memory for a message to it");
        }
        return;
    }
    message->kind = SEND;
    message->to = to;
    message->done = stays ? done : NULL;
    message->payload = stays ? payload : NULL;
    message->payload_bytes = stays ? bytes : 0;
    message->text_bytes = sizeof message->text + payload_at + (stays ? 0 : bytes);
    message->text.header_bytes = (uint32_t)header_bytes;
    message->text.payload_at = (uint32_t)payload_at;
    memcpy(message->text.bytes, header, header_bytes);
    if (bytes && !stays) {
        memcpy(message->text.bytes + payload_at, payload, bytes);
    }
    if (peer->first || !offer(net, message)) {
        keep(net, message);
    }
}

/* Losing a peer may call for sends to others, which extend the list of refused peers. */
static void offer_again(struct fl_net *net) {
    unsigned kept = 0;
    for (unsigned i = 0; i < net->n_refused; i++) {
        struct peer *peer = &net->peers[net->refused[i]];
        while (peer->first) {
            struct message *message = peer->first;
            peer->first = message->next;
            if (!offer(net, message)) {
                peer->first = message;
                if (!peer->under_way && fl_ofi_is_gone(net->info, peer->name, &peer->look_ms)) {
                    lose(net, message->to, "it has ended: nobody listens at its address");
                }
                break;
            }
        }
        peer->is_refused = peer->first != NULL;
        if (peer->is_refused) {
            net->refused[kept++] = net->refused[i];
        }
    }
    net->n_refused = kept;
}

/* ---- arriving ---- */

static ssize_t post(struct fl_net *net, struct message *receive) {
    receive->is_over = false;
    return fi_trecv(net->endpoint, &receive->text, TEXT_MOST, descriptor_of(receive->region),
                    FI_ADDR_UNSPEC, net->tag, 0, &receive->context);
}

static void deliver(struct fl_net *net, const struct text *text, size_t n) {
    size_t most = n - sizeof *text;
    bool is_whole = n >= sizeof *text && text->header_bytes <= text->payload_at &&
                    text->payload_at <= most;
    if (is_whole && !net->is_closing) {
        net->setup.deliver(net->setup.context, text->bytes, text->header_bytes,
                           text->bytes + text->payload_at, most - text->payload_at);
    }
}

/* Delivers what has arrived, in the order in which the receives were posted. */
static void deliver_in_order(struct fl_net *net) {
    for (struct message *receive; (receive = net->receives[net->next_receive])->is_over;) {
        net->next_receive = (net->next_receive + 1) % RECEIVES;
        deliver(net, &receive->text, receive->text_bytes);
        while (post(net, receive) == -FI_EAGAIN) {
            (void)fi_cq_read(net->completions, NULL, 0); /* the provider's queue has room then */
        }
    }
}

static void complete(struct fl_net *net, struct message *message, size_t bytes, int error) {
    if (message->kind == RECEIVE) {
        message->is_over = true;
        message->text_bytes = error ? 0 : bytes;
        return;
    }
    unsigned to = message->to;
    net->under_way--;
    net->peers[to].under_way--;
    if (message->kind != SEND && !error) {
        net->setup.ended(net->setup.context, message->access.token);
    }
    message_end(net, message);
    if (error && !net->peers[to].is_lost) {
        lose(net, to, fl_ofi_trouble("its connection", -error));
    }
}

static unsigned ofi_poll(struct fl_net *net) {
    struct fi_cq_msg_entry entries[COMPLETIONS];
    ssize_t n = fi_cq_read(net->completions, entries, COMPLETIONS);
    for (ssize_t i = 0; i < n; i++) {
        complete(net, entries[i].op_context, entries[i].len, 0);
    }
    struct fi_cq_err_entry failed = {0};
    if (n == -FI_EAVAIL && fi_cq_readerr(net->completions, &failed, 0) == 1 && failed.op_context) {
        complete(net, failed.op_context, 0, failed.err);
        n = 1;
    }
    deliver_in_order(net);
    offer_again(net);
    return n > 0 ? (unsigned)n : 0;
}

static int ofi_descriptor(struct fl_net *net) {
    return net->fd;
}

/* What was refused is offered again without sleep: the descriptor need not tell of room for it. */
static bool ofi_arm(struct fl_net *net) {
    struct fid *queue = &net->completions->fid;
    return !net->n_refused && net->fd >= 0 && fi_trywait(net->fabric, &queue, 1) == FI_SUCCESS;
}

/* ---- one-sided ---- */

static bool ofi_is_direct(struct fl_net *net, unsigned peer) {
    (void)peer;
    return net->accesses && fl_ofi_is_direct(net->info);
}

static struct fl_net_region *region_new(struct fl_net *net, struct fl_net_region content) {
    struct fl_net_region *region = malloc(sizeof *region);
    if (region) {
        *region = content;
        region->next = net->regions;
        net->regions = region;
    }
    return region;
}

static int make_accessible(struct fl_net *net, struct fid_mr *exposed) {
    if (!(net->info->domain_attr->mr_mode & FI_MR_ENDPOINT)) {
        return 0;
    }
    int error = fi_mr_bind(exposed, &net->endpoint->fid, 0);
    return error ? error : fi_mr_enable(exposed);
}

static bool ofi_expose(struct fl_net *net, void *memory, size_t bytes,
                       struct fl_net_access *access) {
    struct fid_mr *exposed;
    if (!net->accesses || register_memory(net, memory, bytes, FI_REMOTE_READ | FI_REMOTE_WRITE,
                                          &exposed) != 0) {
        return false;
    }
    bool good = make_accessible(net, exposed) == 0;
    struct key key = {.value = good ? fi_mr_key(exposed) : FI_KEY_NOTAVAIL};
    if (key.value == FI_KEY_NOTAVAIL ||
        !region_new(net, (struct fl_net_region){.exposed = exposed})) {
        close_object(exposed);
        return false;
    }
    bool by_address = net->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
    key.begin = by_address ? 0 : (uintptr_t)memory;
    access->bytes = sizeof key;
    memcpy(access->text, &key, sizeof key);
    return true;
}

static struct fl_net_region *ofi_open_region(struct fl_net *net, unsigned owner,
                                             const struct fl_net_access *access) {
    struct fl_net_region region = {.owner = owner};
    if (!net->accesses || access->bytes != sizeof region.key ||
        (!net->peers[owner].is_known && !reach(net, owner))) {
        return NULL;
    }
    memcpy(&region.key, access->text, sizeof region.key);
    return region_new(net, region);
}

static void access_memory(struct fl_net *net, enum kind kind, const struct fl_net_region *region,
                          uint64_t address, const void *here, size_t bytes, void *token) {
    struct peer *peer = &net->peers[region->owner];
    struct message *message = peer->is_lost ? NULL : message_new(net, 0);
    if (!message) {
        lose(net, region->owner, "no memory for an access to it");
        return;
    }
    message->kind = kind;
    message->to = region->owner;
    message->done = NULL;
    message->payload = here;
    message->payload_bytes = bytes;
    message->access.region = NULL;
    message->access.there =
        (struct fi_rma_iov){address - region->key.begin, bytes, region->key.value};
    message->access.token = token;
    int error = net->registers ? register_memory(net, here, bytes, FI_READ | FI_WRITE,
                                                 &message->access.region)
                               : 0;
    if (error) {
        message_end(net, message);
        lose(net, region->owner, fl_ofi_trouble("memory for an access to it", error));
    } else if (peer->first || !offer(net, message)) {
        keep(net, message);
    }
}

static void ofi_put(struct fl_net *net, struct fl_net_region *region, uint64_t address,
                    const void *from, size_t bytes, void *token) {
    access_memory(net, PUT, region, address, from, bytes, token);
}

static void ofi_get(struct fl_net *net, struct fl_net_region *region, uint64_t address, void *to,
                    size_t bytes, void *token) {
    access_memory(net, GET, region, address, to, bytes, token);
}

static const struct fl_net_one_sided one_sided = {
    .is_direct = ofi_is_direct,
    .expose = ofi_expose,
    .open_region = ofi_open_region,
    .put = ofi_put,
    .get = ofi_get,
};

/* ---- beginning and end ---- */

static void close_all(struct fl_net *net) {
    for (struct fl_net_region *region = net->regions, *next; region; region = next) {
        next = region->next;
        close_object(region->exposed);
        free(region);
    }
    close_object(net->endpoint);
    close_object(net->completions);
    close_object(net->addresses);
    for (unsigned i = 0; i < RECEIVES && net->receives[i]; i++) {
        message_free(net->receives[i]);
    }
    while (net->free) {
        struct message *message = net->free;
        net->free = message->next;
        message_free(message);
    }
    close_object(net->domain);
    close_object(net->fabric);
    fi_freeinfo(net->info);
    free(net->refused);
    free(net->peers);
    free(net);
}

static void ofi_close(struct fl_net *net) {
    net->is_closing = true;
    for (time_t end = time(NULL) + CLOSE_PATIENCE;
         (net->under_way || net->n_refused) && time(NULL) < end;) {
        ofi_poll(net);
    }
    close_all(net);
}

static int open_queue(struct fl_net *net) {
    struct fi_cq_attr attributes = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    int error = fi_cq_open(net->domain, &attributes, &net->completions, NULL);
    if (error == 0 && fi_control(&net->completions->fid, FI_GETWAIT, &net->fd) == 0) {
        return 0;
    }
    close_object(net->completions);
    net->fd = -1;
    attributes.wait_obj = FI_WAIT_NONE;
    return fi_cq_open(net->domain, &attributes, &net->completions, NULL);
}

static const char *open_endpoint(struct fl_net *net) {
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

static const char *post_all(struct fl_net *net) {
    for (unsigned i = 0; i < RECEIVES; i++) {
        net->receives[i] = message_new(net, TEXT_MOST);
        if (!net->receives[i]) {
            return "no memory for the transport";
        }
        net->receives[i]->kind = RECEIVE;
        ssize_t error = post(net, net->receives[i]);
        if (error) {
            return fl_ofi_trouble("fi_trecv", error);
        }
    }
    return NULL;
}

static const char *make_card(struct fl_net *net, struct fl_net_card *card) {
    const char *provider = net->info->fabric_attr->prov_name;
    size_t name = strlen(provider) + 1, bytes = sizeof card->text - name;
    memcpy(card->text, provider, name);
    int error = fi_getname(&net->endpoint->fid, card->text + name, &bytes);
    card->bytes = (uint32_t)(name + bytes);
    return error ? fl_ofi_trouble("fi_getname", error) : NULL;
}

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

static const char *open_all(struct fl_net *net, struct fl_net_card *card) {
    if (!fl_ofi_make_tag(net->setup.key, &net->tag)) {
        return "libsodium cannot be used here";
    }
    const char *why = find_provider(net);
    if (why) {
        return why;
    }
    net->registers = net->info->domain_attr->mr_mode & FI_MR_LOCAL;
    net->gathers = net->info->tx_attr->iov_limit >= 2 && !net->registers;
    why = open_endpoint(net);
    why = why ? why : post_all(net);
    return why ? why : make_card(net, card);
}

/* Providers' threads leave signals to the program's, and faults are the runtime's to report. */
static const char *open_quietly(struct fl_net *net, struct fl_net_card *card) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM};
    enum { FAULTS = sizeof faults / sizeof faults[0] };
    struct sigaction actions[FAULTS];
    sigset_t all, before;
    for (size_t i = 0; i < FAULTS; i++) {
        (void)sigaction(faults[i], NULL, &actions[i]);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const char *why = open_all(net, card);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (size_t i = 0; i < FAULTS; i++) {
        (void)sigaction(faults[i], &actions[i], NULL);
    }
    return why;
}

static const char *ofi_open(const struct fl_net_setup *setup, struct fl_net **net_p,
                            struct fl_net_card *card) {
    struct fl_net *net = calloc(1, sizeof *net);
    if (!net) {
        return "no memory for the transport";
    }
    net->setup = *setup;
    net->fd = -1;
    net->peers = calloc(setup->procs, sizeof *net->peers);
    net->refused = calloc(setup->procs, sizeof *net->refused);
    const char *why =
        net->peers && net->refused ? open_quietly(net, card) : "no memory for the transport";
    if (why) {
        close_all(net);
    } else {
        *net_p = net;
    }
    return why;
}

static const char *ofi_connect(struct fl_net *net,
                               const struct fl_net_card *(*card_of)(void *context, unsigned proc),
                               void *context) {
    net->card_of = card_of;
    net->card_context = context;
    return NULL;
}

__attribute__((visibility("default"))) const struct fl_net_ops fl_net_ops = {
    .abi = FL_NET_ABI,
    .name = "ofi",
    .payload_most = PAYLOAD_MOST,
    .open = ofi_open,
    .connect = ofi_connect,
    .send = ofi_send,
    .poll = ofi_poll,
    .descriptor = ofi_descriptor,
    .arm = ofi_arm,
    .close = ofi_close,
    .one_sided = &one_sided,
};
