/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the transport by libfabric share: messages (ofi.c), the endpoint (ofi_endpoint.c)
 * and access to memory (ofi_memory.c). */
#ifndef FL_NET_OFI_H
#define FL_NET_OFI_H

#include "net/net.h"
#include "net/text.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

enum { FL_OFI_RECEIVES = 32 }; /* posted, so that messages go to their place at once */

enum fl_ofi_kind { FL_OFI_SEND, FL_OFI_RECEIVE, FL_OFI_PUT, FL_OFI_GET };

/* Room for a message, out or in, or an access to memory, whose bytes here are its payload.
 * libfabric's part comes first, since completions point to it. */
struct fl_ofi_message {
    struct fi_context2 context;
    struct fl_ofi_message *next;
    enum fl_ofi_kind kind;
    bool is_over; /* a receive has completed, and waits for its turn */
    unsigned to;
    uint32_t *done;      /* null: the payload is a copy, in the text, or an access's */
    const void *payload; /* the caller's */
    size_t room, text_bytes, payload_bytes;
    struct fi_rma_iov there; /* of an access, as is its token */
    void *token;
    _Alignas(8) struct fl_net_text text;
};

struct fl_ofi_peer {
    const void *name; /* in its card; `address` is its number */
    fi_addr_t address;
    unsigned under_way; /* sends and accesses that have not completed */
    uint64_t look_ms;   /* when to look whether it is still there; 0: no reason to */
    bool is_known, is_lost, is_refused; /* is_refused: in the list of peers whose messages wait */
    struct fl_ofi_message *first, **last; /* in the order of sending */
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
    bool is_closing; /* what arrives is not wanted any more */
    bool gathers;    /* a send may have two pieces */
    bool accesses;   /* the provider reaches other processes' memory */
    uint32_t next_key;
    struct fl_net_region *regions;
    int fd; /* to sleep on; -1: the provider has none */
    struct fl_ofi_peer *peers;
    unsigned *refused, n_refused; /* those of them whose messages wait */
    struct fl_ofi_message *free;
    uint64_t under_way; /* sends that have not completed */
    struct fl_ofi_message *receives[FL_OFI_RECEIVES];
    unsigned next_receive;
};

/* libfabric's objects begin with their identifiers. */
static inline void fl_ofi_close(void *object) {
    if (object) {
        fi_close(object);
    }
}

/* ---- messages (ofi.c) ---- */

/* Room for a text of so many bytes behind its numbers. Null: there is no memory. */
struct fl_ofi_message *fl_ofi_message_new(struct fl_net *net, size_t bytes);
void fl_ofi_message_end(struct fl_net *net, struct fl_ofi_message *message);

/* Sends or accesses; what libfabric refuses waits in its peer's list. */
void fl_ofi_submit(struct fl_net *net, struct fl_ofi_message *message);

/* Whether the peer's address is known; makes it so, or reports why not. */
bool fl_ofi_reach(struct fl_net *net, unsigned to);

/* Reports once that a process can no longer be reached, and frees what waits for it. */
void fl_ofi_lose(struct fl_net *net, unsigned to, const char *why);

/* ---- the endpoint (ofi_endpoint.c) ---- */

/* Null, or why there is none: text that lives on. */
const char *fl_ofi_open_endpoint(struct fl_net *net, struct fl_net_card *card);

/* After the exposed memory. */
void fl_ofi_close_endpoint(struct fl_net *net);

/* Whether the provider's network cards access memory without the CPU of its host. */
bool fl_ofi_is_direct(const struct fi_info *info);

/* Whether a process has ended that takes no message although none is under way to it: by TCP,
 * libfabric connects to it again and again without a word. Looks now and then. False where that
 * cannot be found out. */
bool fl_ofi_is_gone(const struct fi_info *info, struct fl_ofi_peer *peer);

/* What failed, and libfabric's word for it: text that lives on. */
const char *fl_ofi_trouble(const char *what, ssize_t error);

/* ---- memory (ofi_memory.c) ---- */

extern const struct fl_net_one_sided fl_ofi_one_sided;

/* Offers a put or get to libfabric: 0, or its error. */
ssize_t fl_ofi_offer_access(struct fl_net *net, struct fl_ofi_message *message);

void fl_ofi_close_regions(struct fl_net *net);

#endif
