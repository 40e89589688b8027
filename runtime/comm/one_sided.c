/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided transfers: puts and gets that the transport performs without the target's CPU. Whether
 * a transfer is one is decided here, for all of comm.
 *
 * Order. A transport orders one-sided transfers neither with each other nor with messages, but comm
 * promises that what a thread does to an address keeps its order. So
 *   - towards one process there are transfers by messages or one-sided ones on their way, never
 *     both: while there are messages (an open batch is one), a transfer becomes a message behind
 *     them; and a message waits for the end of the one-sided transfers, as it waits for room;
 *   - of two one-sided transfers that overlap, the later one waits for the end of the earlier one,
 *     unless both are gets.
 *
 * Memory is registered in chunks when it is first used. The first transfer to a chunk is a message,
 * as is any until the owner's process has answered a request for the chunk's key. Owner and asker
 * keep keys until the end.
 *
 * A burst of small relaxed puts would be slower one by one than in batches: when SLOTS of them are
 * on their way, the next ones are aggregated.
 */
#include "comm/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 2 << 20, /* bytes; segments begin at multiples of it */
    SLOTS = 32,      /* transfers to one process at a time */
    ROOM = 16,       /* bytes of a put that are copied into its slot */
    TABLE_LEAST = 64
};

/* A transfer that has not ended. */
struct slot {
    uint64_t address;
    size_t bytes;
    struct fl_comm_op *op;
    void *copy; /* of what is put; null: its source stays, or it is in `room` */
    uint32_t proc;
    bool is_put;
    unsigned char room[ROOM];
};

/* How far a process is with the key of a chunk of another one, or of its own. */
enum key_state { KEY_NONE, KEY_ASKED, KEY_KNOWN, KEY_REFUSED };
struct key {
    uint64_t chunk; /* address */
    enum key_state state;
    union {
        struct fl_net_region *region;
        struct fl_net_access *access; /* of its own */
    };
};

struct peer {
    uint32_t busy;      /* set of slots */
    struct slot *slots; /* null until they are used */
};
_Static_assert(SLOTS == 32, "a set of slots is a word");

struct fl_one_sided {
    const struct fl_net_one_sided *ops;
    bool forced;
    struct peer *peers;
    uint32_t pending; /* transfers */
    struct key *keys; /* hash table */
    uint32_t n_keys, mask;
};

static void *allocate(size_t n, size_t size) {
    return fl_comm_allocate(n, size, "transfers to other hosts");
}

void fl_comm_one_sided_start(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (!comm->setup.net->one_sided || comm->setup.one_sided == FL_ONE_SIDED_NEVER) {
        return;
    }
    comm->one_sided = allocate(1, sizeof *comm->one_sided);
    comm->one_sided->ops = comm->setup.net->one_sided;
    comm->one_sided->forced = comm->setup.one_sided == FL_ONE_SIDED_ALWAYS;
    comm->one_sided->peers = allocate(comm->procs, sizeof *comm->one_sided->peers);
    comm->one_sided->keys = allocate(TABLE_LEAST, sizeof *comm->one_sided->keys);
    comm->one_sided->mask = TABLE_LEAST - 1;
}

void fl_comm_one_sided_stop(void) {
    struct fl_one_sided *one_sided = fl_comm_state.one_sided;
    if (!one_sided) {
        return;
    }
    for (unsigned p = 0; p < fl_comm_state.procs; p++) {
        free(one_sided->peers[p].slots);
    }
    for (uint32_t i = 0; i <= one_sided->mask; i++) {
        if (one_sided->keys[i].state == KEY_KNOWN && fl_comm_is_here(one_sided->keys[i].chunk)) {
            free(one_sided->keys[i].access);
        }
    }
    free(one_sided->keys);
    free(one_sided->peers);
    free(one_sided);
    fl_comm_state.one_sided = NULL;
}

bool fl_comm_one_sided_pending(unsigned proc) {
    const struct fl_one_sided *one_sided = fl_comm_state.one_sided;
    return one_sided && one_sided->peers[proc].busy;
}

bool fl_comm_one_sided_any(void) {
    return fl_comm_state.one_sided && fl_comm_state.one_sided->pending;
}

/* ---- keys ---- */

static uint64_t chunk_of(uint64_t address) {
    return address & ~(uint64_t)(CHUNK - 1);
}

static struct key *place_of(struct key *keys, uint32_t mask, uint64_t chunk) {
    uint32_t i = (uint32_t)((chunk / CHUNK) * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (keys[i].state != KEY_NONE && keys[i].chunk != chunk) {
        i = (i + 1) & mask;
    }
    return &keys[i];
}

static void grow(struct fl_one_sided *one_sided) {
    uint32_t mask = one_sided->mask * 2 + 1;
    struct key *keys = allocate((size_t)mask + 1, sizeof *keys);
    for (uint32_t i = 0; i <= one_sided->mask; i++) {
        if (one_sided->keys[i].state != KEY_NONE) {
            *place_of(keys, mask, one_sided->keys[i].chunk) = one_sided->keys[i];
        }
    }
    free(one_sided->keys);
    one_sided->keys = keys;
    one_sided->mask = mask;
}

/* New ones are KEY_NONE, and must become something else. */
static struct key *key_of(struct fl_one_sided *one_sided, uint64_t chunk) {
    struct key *key = place_of(one_sided->keys, one_sided->mask, chunk);
    if (key->state == KEY_NONE) {
        if (one_sided->n_keys++ >= one_sided->mask / 2) {
            grow(one_sided);
            key = place_of(one_sided->keys, one_sided->mask, chunk);
        }
        key->chunk = chunk;
    }
    return key;
}

static bool is_direct(struct fl_one_sided *one_sided, unsigned proc) {
    _Atomic uint8_t *reach = &fl_comm_state.peers[proc].reach;
    /* Relaxed: changed only by a thread that has entered. */
    if (FL_UNLIKELY(atomic_load_explicit(reach, memory_order_relaxed) == FL_COMM_REACH_UNKNOWN)) {
        bool direct = one_sided->forced || one_sided->ops->is_direct(fl_comm_state.net, proc);
        atomic_store_explicit(reach, direct ? FL_COMM_REACH_DIRECT : FL_COMM_REACH_MESSAGES,
                              memory_order_relaxed);
    }
    return atomic_load_explicit(reach, memory_order_relaxed) == FL_COMM_REACH_DIRECT;
}

/* The region of a chunk of another process; null: its key is not known, but asked for. */
static struct fl_net_region *region_of(struct fl_one_sided *one_sided, unsigned proc,
                                       uint64_t address) {
    struct key *key = key_of(one_sided, chunk_of(address));
    if (FL_UNLIKELY(key->state == KEY_NONE)) {
        key->state = KEY_ASKED;
        struct fl_comm_message m = {
            .kind = FL_COMM_KIND_KEY_ASKED, .n_words = 1, .words = {key->chunk}};
        fl_comm_send(proc, &m, NULL, 0, false);
    }
    return key->state == KEY_KNOWN ? key->region : NULL;
}

static void expose(struct fl_one_sided *one_sided, struct key *key) {
    fl_space_keep_pages(fl_comm_state.setup.space);
    struct fl_net_access *access = allocate(1, sizeof *access);
    bool exposed = one_sided->ops->expose(fl_comm_state.net, (void *)(uintptr_t)key->chunk, CHUNK,
                                          access);
    key->state = exposed ? KEY_KNOWN : KEY_REFUSED;
    key->access = access;
    if (!exposed) {
        free(access);
        key->access = NULL;
    }
}

void fl_comm_serve_key_asked(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    struct fl_one_sided *one_sided = fl_comm_state.one_sided;
    uint64_t chunk = chunk_of(m->words[0]);
    struct fl_comm_message answer = {
        .kind = FL_COMM_KIND_KEY, .n_words = 1, .words = {m->words[0]}};
    struct key *key = NULL;
    if (one_sided && fl_comm_is_here(chunk) && fl_comm_is_here(chunk + CHUNK - 1)) {
        key = key_of(one_sided, chunk);
        if (key->state == KEY_NONE) {
            expose(one_sided, key);
        }
    }
    bool known = key && key->state == KEY_KNOWN;
    fl_comm_send(m->from, &answer, known ? key->access->text : NULL,
                 known ? key->access->bytes : 0, false);
}

void fl_comm_serve_key(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct fl_one_sided *one_sided = fl_comm_state.one_sided;
    struct fl_net_access access = {.bytes = (uint32_t)bytes};
    struct key *key = one_sided && !fl_comm_is_here(m->words[0])
                          ? place_of(one_sided->keys, one_sided->mask, m->words[0])
                          : NULL;
    if (!key || key->state != KEY_ASKED || bytes > sizeof access.text) {
        fl_comm_bad(m, "it has a key that nobody asked for");
    }
    memcpy(access.text, payload, bytes);
    key->region = bytes > 0 ? one_sided->ops->open_region(fl_comm_state.net, m->from, &access)
                            : NULL;
    key->state = key->region ? KEY_KNOWN : KEY_REFUSED;
}

/* ---- transfers ---- */

static bool overlaps_any(const struct peer *peer, const struct fl_comm_transfer *transfer,
                         uint64_t address, size_t bytes) {
    for (uint32_t left = peer->busy; left; left &= left - 1) {
        const struct slot *slot = &peer->slots[__builtin_ctz(left)];
        if ((slot->is_put || transfer->from) && slot->address < address + bytes &&
            address < slot->address + slot->bytes) {
            return true;
        }
    }
    return false;
}

/* Where the bytes of a put are until it has ended. */
static const void *source(struct slot *slot, const struct fl_comm_transfer *transfer,
                          const void *from) {
    slot->copy = NULL;
    if (!transfer->is_copied && slot->bytes > FL_COMM_COPIED) {
        return from;
    }
    if (slot->bytes <= ROOM) {
        fl_comm_copy_small(slot->room, from, slot->bytes);
        return slot->room;
    }
    slot->copy = allocate(1, slot->bytes);
    return memcpy(slot->copy, from, slot->bytes);
}

static void begin(struct fl_one_sided *one_sided, unsigned proc, struct fl_net_region *region,
                  const struct fl_comm_transfer *transfer, size_t done, size_t bytes) {
    struct peer *peer = &one_sided->peers[proc];
    if (FL_UNLIKELY(!peer->slots)) {
        peer->slots = allocate(SLOTS, sizeof *peer->slots);
    }
    unsigned i = (unsigned)__builtin_ctz(~peer->busy);
    struct slot *slot = &peer->slots[i];
    peer->busy |= 1u << i;
    one_sided->pending++;
    slot->address = transfer->address + done;
    slot->bytes = bytes;
    slot->op = transfer->op;
    slot->proc = proc;
    slot->is_put = transfer->from;
    fl_comm_begin_towards(proc, slot->op);
    fl_comm_state.peers[proc].talked = true;
    fl_comm_wake_progress();
    if (transfer->from) {
        const void *from = source(slot, transfer, (const char *)transfer->from + done);
        one_sided->ops->put(fl_comm_state.net, region, slot->address, from, bytes, slot);
    } else {
        slot->copy = NULL;
        one_sided->ops->get(fl_comm_state.net, region, slot->address, (char *)transfer->to + done,
                            bytes, slot);
    }
}

void fl_comm_one_sided_ended(void *context, void *token) {
    (void)context;
    struct fl_one_sided *one_sided = fl_comm_state.one_sided;
    struct slot *slot = token;
    struct peer *peer = &one_sided->peers[slot->proc];
    fl_assert(fl_comm_has_entered() && peer->busy & 1u << (slot - peer->slots));
    free(slot->copy);
    peer->busy &= ~(1u << (slot - peer->slots));
    one_sided->pending--;
    fl_comm_op_end(slot->op);
}

/* Whether transfers to the process may be one-sided right now. */
static bool may_begin(unsigned proc) {
    const struct fl_comm_peer *peer = &fl_comm_state.peers[proc];
    return peer->transfers == 0 && peer->waiting == 0;
}

/* The caller has entered, and has so when this returns. */
static bool await_slot(const struct peer *peer, unsigned proc,
                       const struct fl_comm_transfer *transfer, uint64_t address, size_t bytes) {
    struct fl_comm_patience patience = {0};
    while (may_begin(proc)) {
        bool full = peer->busy == UINT32_MAX;
        if (full && transfer->is_copied) {
            return false;
        }
        if (!full && !overlaps_any(peer, transfer, address, bytes)) {
            return true;
        }
        fl_comm_leave();
        fl_comm_idle(&patience);
        fl_comm_enter();
    }
    return false;
}

/* Begins with what is left of the transfer in one chunk; how many bytes. The caller has entered. */
static size_t begin_in_chunk(struct fl_one_sided *one_sided, unsigned proc,
                             const struct fl_comm_transfer *transfer, size_t done) {
    uint64_t address = transfer->address + done;
    size_t left = transfer->bytes - done, in_chunk = chunk_of(address) + CHUNK - address;
    size_t bytes = left < in_chunk ? left : in_chunk;
    struct fl_net_region *region = region_of(one_sided, proc, address);
    if (!region || !await_slot(&one_sided->peers[proc], proc, transfer, address, bytes)) {
        return 0;
    }
    begin(one_sided, proc, region, transfer, done, bytes);
    return bytes;
}

size_t fl_comm_begin_one_sided(const struct fl_comm_transfer *transfer) {
    struct fl_one_sided *one_sided = fl_comm_state.one_sided;
    unsigned proc = fl_comm_find_proc(transfer->address);
    size_t done = 0, now = 1;
    int error = errno; /* see fl_comm_serve */
    fl_comm_enter();
    if (is_direct(one_sided, proc) && may_begin(proc)) {
        for (; done < transfer->bytes && now > 0; done += now) {
            now = begin_in_chunk(one_sided, proc, transfer, done);
        }
    }
    fl_comm_leave();
    errno = error;
    return done;
}
