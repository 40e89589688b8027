/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to memory by libfabric: registration, regions of other processes, puts and gets. Keys have the
 * tag in their upper bits where the provider lets us choose them. */
#include "net/ofi.h"

#include <stdlib.h>
#include <string.h>

/* Memory that is exposed, or the key to that of another process. */
struct fl_net_region {
    struct fl_net_region *next;
    struct fid_mr *exposed; /* null: another process's */
    unsigned owner;
    struct key {
        uint64_t value, begin; /* begin: the provider counts from this address */
    } key;
};

/* Keys are different from each other, for providers that do not make them. */
static int register_memory(struct fl_net *net, const void *memory, size_t bytes,
                           struct fid_mr **exposed_p) {
    size_t key_bytes = net->info->domain_attr->mr_key_size;
    uint64_t key = (net->tag << 20) + net->next_key++;
    key = key_bytes < sizeof key ? key & ((UINT64_C(1) << 8 * key_bytes) - 1) : key;
    return fi_mr_reg(net->domain, memory, bytes, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, key, 0,
                     exposed_p, NULL);
}

/* A put completes when its bytes are in the other process's memory. */
ssize_t fl_ofi_offer_access(struct fl_net *net, struct fl_ofi_message *message) {
    struct iovec here = {(void *)(uintptr_t)message->payload, message->payload_bytes};
    struct fi_msg_rma call = {
        .msg_iov = &here,
        .iov_count = 1,
        .addr = net->peers[message->to].address,
        .rma_iov = &message->there,
        .rma_iov_count = 1,
        .context = &message->context,
    };
    return message->kind == FL_OFI_PUT
               ? fi_writemsg(net->endpoint, &call, FI_COMPLETION | FI_DELIVERY_COMPLETE)
               : fi_readmsg(net->endpoint, &call, FI_COMPLETION);
}

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
    if (!net->accesses || register_memory(net, memory, bytes, &exposed) != 0) {
        return false;
    }
    bool good = make_accessible(net, exposed) == 0;
    struct key key = {.value = good ? fi_mr_key(exposed) : FI_KEY_NOTAVAIL};
    if (key.value == FI_KEY_NOTAVAIL ||
        !region_new(net, (struct fl_net_region){.exposed = exposed})) {
        fl_ofi_close(exposed);
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
        (!net->peers[owner].is_known && !fl_ofi_reach(net, owner))) {
        return NULL;
    }
    memcpy(&region.key, access->text, sizeof region.key);
    return region_new(net, region);
}

static void access_memory(struct fl_net *net, enum fl_ofi_kind kind,
                          const struct fl_net_region *region, uint64_t address, const void *here,
                          size_t bytes, void *token) {
    bool is_lost = net->peers[region->owner].is_lost;
    struct fl_ofi_message *message = is_lost ? NULL : fl_ofi_message_new(net, 0);
    if (!message) {
        fl_ofi_lose(net, region->owner, "no memory for an access to it");
        return;
    }
    message->kind = kind;
    message->to = region->owner;
    message->done = NULL;
    message->payload = here;
    message->payload_bytes = bytes;
    message->there = (struct fi_rma_iov){address - region->key.begin, bytes, region->key.value};
    message->token = token;
    fl_ofi_submit(net, message);
}

static void ofi_put(struct fl_net *net, struct fl_net_region *region, uint64_t address,
                    const void *from, size_t bytes, void *token) {
    access_memory(net, FL_OFI_PUT, region, address, from, bytes, token);
}

static void ofi_get(struct fl_net *net, struct fl_net_region *region, uint64_t address, void *to,
                    size_t bytes, void *token) {
    access_memory(net, FL_OFI_GET, region, address, to, bytes, token);
}

const struct fl_net_one_sided fl_ofi_one_sided = {
    .is_direct = ofi_is_direct,
    .expose = ofi_expose,
    .open_region = ofi_open_region,
    .put = ofi_put,
    .get = ofi_get,
};

void fl_ofi_close_regions(struct fl_net *net) {
    for (struct fl_net_region *region = net->regions, *next; region; region = next) {
        next = region->next;
        fl_ofi_close(region->exposed);
        free(region);
    }
}
