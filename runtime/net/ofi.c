/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libfabric as a transport: tagged messages between reliable datagram endpoints. Access to other
 * processes' memory, where that is wanted and the provider has it: ofi_memory.c.
 *
 * Messages between two processes keep their order because the endpoint promises it (FI_ORDER_SAS),
 * all have one tag, and those that have arrived are delivered in the order in which their receives
 * were posted: a large one may complete after its successor. The tag is a hash of the job's key, so
 * that messages of strangers match no receive; a reader of the network can read the tag.
 *
 * libfabric refuses messages and accesses while it connects, and when a queue is full. Each peer has a
 * list of the refused ones, and poll offers these again.
 */
#include "net/ofi.h"
#include "net/signals.h"

#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAYLOAD_MOST = 64 << 10,
    SMALL = 1024,       /* bytes of text up to which a message's memory is used again */
    COMPLETIONS = 16,   /* read at once */
    CLOSE_PATIENCE = 2, /* seconds for what has been sent to leave */
};

/* ---- leaving ---- */

struct fl_ofi_message *fl_ofi_message_new(struct fl_net *net, size_t bytes) {
    struct fl_ofi_message *message = net->free;
    if (message && bytes <= SMALL) {
        net->free = message->next;
        return message;
    }
    size_t room = bytes > SMALL ? bytes : SMALL;
    message = malloc(sizeof *message + room);
    if (message) {
        message->room = room;
    }
    return message;
}

void fl_ofi_message_end(struct fl_net *net, struct fl_ofi_message *message) {
    if (message->done) {
        ++*message->done;
    }
    if (message->room > SMALL) {
        free(message);
    } else {
        message->next = net->free;
        net->free = message;
    }
}

void fl_ofi_lose(struct fl_net *net, unsigned to, const char *why) {
    struct fl_ofi_peer *peer = &net->peers[to];
    if (peer->is_lost) {
        return;
    }
    peer->is_lost = true;
    while (peer->first) {
        struct fl_ofi_message *message = peer->first;
        peer->first = message->next;
        fl_ofi_message_end(net, message);
    }
    net->setup.lost(net->setup.context, to, why);
}

/* A card is the provider's name and, behind its end, the address. */
bool fl_ofi_reach(struct fl_net *net, unsigned to) {
    struct fl_ofi_peer *peer = &net->peers[to];
    const struct fl_net_card *card = net->card_of(net->card_context, to);
    const char *theirs = (const char *)card->text, *ours = net->info->fabric_attr->prov_name;
    size_t length = strnlen(theirs, card->bytes);
    if (length + 1 >= card->bytes || strcmp(theirs, ours) != 0) {
        char *why = NULL;
        (void)!asprintf(&why, "it uses libfabric's provider `%.40s`, and this host `%s`: set "
                              "FI_PROVIDER on all hosts alike",
                        length < card->bytes ? theirs : "", ours);
        fl_ofi_lose(net, to, why);
        return false;
    }
    peer->name = theirs + length + 1;
    int n = fi_av_insert(net->addresses, peer->name, 1, &peer->address, 0, NULL);
    if (n != 1) {
        fl_ofi_lose(net, to, fl_ofi_trouble("its address", n < 0 ? n : -FI_EINVAL));
        return false;
    }
    peer->is_known = true;
    return true;
}

static ssize_t offer_send(struct fl_net *net, struct fl_ofi_message *message) {
    struct iovec pieces[] = {{&message->text, message->text_bytes},
                             {(void *)(uintptr_t)message->payload, message->payload_bytes}};
    struct fi_msg_tagged call = {
        .msg_iov = pieces,
        .iov_count = message->payload ? 2 : 1,
        .addr = net->peers[message->to].address,
        .tag = net->tag,
        .context = &message->context,
    };
    return fi_tsendmsg(net->endpoint, &call, FI_COMPLETION);
}

/* False: it has been refused; else it is on its way, or its peer is lost. It is in no list. */
static bool offer(struct fl_net *net, struct fl_ofi_message *message) {
    ssize_t error =
        message->kind == FL_OFI_SEND ? offer_send(net, message) : fl_ofi_offer_access(net, message);
    if (error == -FI_EAGAIN) {
        return false;
    }
    if (error) {
        unsigned to = message->to;
        fl_ofi_message_end(net, message);
        fl_ofi_lose(net, to, fl_ofi_trouble("send or access", error));
    } else {
        net->under_way++;
        net->peers[message->to].under_way++;
        net->peers[message->to].look_ms = 0;
    }
    return true;
}

static void keep(struct fl_net *net, struct fl_ofi_message *message) {
    struct fl_ofi_peer *peer = &net->peers[message->to];
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

void fl_ofi_submit(struct fl_net *net, struct fl_ofi_message *message) {
    if (net->peers[message->to].first || !offer(net, message)) {
        keep(net, message);
    }
}

/* Large payloads that may stay where they are do so. */
static void ofi_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                     const void *payload, size_t bytes, uint32_t *done) {
    struct fl_ofi_peer *peer = &net->peers[to];
    size_t payload_at = fl_net_text_payload_at(header_bytes, bytes);
    bool stays = done && net->gathers && payload_at + bytes > SMALL;
    bool goes = !peer->is_lost && (peer->is_known || fl_ofi_reach(net, to));
    struct fl_ofi_message *message = goes ? fl_ofi_message_new(net, payload_at + (stays ? 0 : bytes)) : NULL;
    if (done && !(stays && message)) {
        ++*done;
    }
    if (!message) {
        if (goes) {
            fl_ofi_lose(net, to, "no memory for a message to it");
        }
        return;
    }
    message->kind = FL_OFI_SEND;
    message->to = to;
    message->done = stays ? done : NULL;
    message->payload = stays ? payload : NULL;
    message->payload_bytes = stays ? bytes : 0;
    message->text_bytes = fl_net_text_write(&message->text, header, header_bytes,
                                            stays ? NULL : payload, bytes);
    fl_ofi_submit(net, message);
}

/* Losing a peer may call for sends to others, which extend the list of refused peers. */
static void offer_again(struct fl_net *net) {
    unsigned kept = 0;
    for (unsigned i = 0; i < net->n_refused; i++) {
        struct fl_ofi_peer *peer = &net->peers[net->refused[i]];
        while (peer->first) {
            struct fl_ofi_message *message = peer->first;
            peer->first = message->next;
            if (!offer(net, message)) {
                peer->first = message;
                if (!peer->under_way && fl_ofi_is_gone(net->info, peer)) {
                    fl_ofi_lose(net, message->to, "it has ended: nobody listens at its address");
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

static ssize_t post(struct fl_net *net, struct fl_ofi_message *receive) {
    receive->is_over = false;
    return fi_trecv(net->endpoint, &receive->text, FL_NET_TEXT_BYTES(PAYLOAD_MOST), NULL,
                    FI_ADDR_UNSPEC, net->tag, 0, &receive->context);
}

/* Delivers what has arrived, in the order in which the receives were posted. */
static void deliver_in_order(struct fl_net *net) {
    for (struct fl_ofi_message *receive; (receive = net->receives[net->next_receive])->is_over;) {
        net->next_receive = (net->next_receive + 1) % FL_OFI_RECEIVES;
        if (!net->is_closing) {
            fl_net_text_deliver(&net->setup, &receive->text, receive->text_bytes);
        }
        while (post(net, receive) == -FI_EAGAIN) {
            (void)fi_cq_read(net->completions, NULL, 0); /* the provider's queue has room then */
        }
    }
}

static void complete(struct fl_net *net, struct fl_ofi_message *message, size_t bytes, int error) {
    if (message->kind == FL_OFI_RECEIVE) {
        message->is_over = true;
        message->text_bytes = error ? 0 : bytes;
        return;
    }
    unsigned to = message->to;
    net->under_way--;
    net->peers[to].under_way--;
    if (message->kind != FL_OFI_SEND && !error) {
        net->setup.ended(net->setup.context, message->token);
    }
    fl_ofi_message_end(net, message);
    if (error && !net->peers[to].is_lost) {
        fl_ofi_lose(net, to, fl_ofi_trouble("its connection", -error));
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

/* ---- beginning and end ---- */

static void close_all(struct fl_net *net) {
    fl_ofi_close_regions(net);
    fl_ofi_close_endpoint(net);
    for (unsigned i = 0; i < FL_OFI_RECEIVES; i++) {
        free(net->receives[i]);
    }
    while (net->free) {
        struct fl_ofi_message *message = net->free;
        net->free = message->next;
        free(message);
    }
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

static const char *post_all(struct fl_net *net) {
    for (unsigned i = 0; i < FL_OFI_RECEIVES; i++) {
        net->receives[i] = fl_ofi_message_new(net, FL_NET_TEXT_BYTES(PAYLOAD_MOST));
        if (!net->receives[i]) {
            return "no memory for the transport";
        }
        net->receives[i]->kind = FL_OFI_RECEIVE;
        ssize_t error = post(net, net->receives[i]);
        if (error) {
            return fl_ofi_trouble("fi_trecv", error);
        }
    }
    return NULL;
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
    struct fl_net_signals signals;
    fl_net_signals_keep(&signals);
    const char *why = net->peers && net->refused ? fl_ofi_open_endpoint(net, card)
                                                 : "no memory for the transport";
    why = why ? why : post_all(net);
    fl_net_signals_restore(&signals);
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
    .one_sided = &fl_ofi_one_sided,
};
