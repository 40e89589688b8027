/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See between.h. Messages come to one process of each host; its handler does there what a member of
 * the host would do, and never waits.
 */
#include "coll/between.h"

#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"
#include "sync/rounds.h"

#include <inttypes.h>
#include <string.h>

/* Kinds of messages: words[1]; words[0] is the team. */
enum what {
    CELLS, /* step, bytes, room; 1 + the round that they complete, or 0; payload: pieces */
    PIECE, /* the same; the place of one piece, whose bytes are the payload */
    ACKS,  /* step, rank, how many */
    END    /* half, round */
};

/* The team of all threads has the name 0. */
uint64_t fl_coll_new_id(struct fl_coll_hub *hub, unsigned thread) {
    fl_mutex_lock(&hub->mutex);
    uint32_t number = ++hub->ids;
    fl_mutex_unlock(&hub->mutex);
    return (uint64_t)thread << 32 | number;
}

void fl_coll_connect(struct fl_coll_team *team) {
    fl_mutex_lock(&team->hub->mutex);
    team->next = team->hub->first;
    team->hub->first = team;
    fl_mutex_unlock(&team->hub->mutex);
}

void fl_coll_disconnect(struct fl_coll_team *team) {
    fl_mutex_lock(&team->hub->mutex);
    struct fl_coll_team **at = &team->hub->first;
    while (*at != team) {
        fl_assert(*at);
        at = &(*at)->next;
    }
    *at = team->next;
    fl_mutex_unlock(&team->hub->mutex);
}

static unsigned proc_of(const struct fl_coll_team *team, unsigned host) {
    return team->procs ? team->procs[host] : team->layout->at[host].proc;
}

static void tell(const struct fl_coll_team *team, unsigned host, const uint64_t words[6],
                 const void *payload, size_t bytes) {
    fl_comm_tell(proc_of(team, host), FL_COMM_COLL, words, 6, payload, bytes);
}

/* ---- cells ---- */

/* Some bytes of a cell, which follow. */
struct piece {
    uint32_t rank;
    uint32_t at; /* in the member's bytes of the step */
    uint32_t bytes;
    uint16_t used;
    uint16_t is_last; /* of the cell: it may be read then */
};

/* A message, as it is filled; sent when it is full. Pieces of DIRECT_BYTES and more are messages of
 * their own, which the transport reads from the window (zero copy): the window is filled anew only
 * when all hosts have ended the half, and so have received them. */
enum { PARCEL_BYTES = 8 << 10, LEAST_PIECE = 512, DIRECT_BYTES = 2 << 10 };
struct parcel {
    const struct fl_coll_call *call;
    unsigned host;
    size_t cell_bytes; /* of each member at the step */
    size_t filled;
    unsigned char bytes[PARCEL_BYTES];
};

/* Sends the message, unless it is empty and completes no round: pieces may have gone by
 * themselves. */
static void send(struct parcel *parcel, unsigned completes) {
    const struct fl_coll_call *call = parcel->call;
    if (parcel->filled == 0 && completes == 0) {
        return;
    }
    const uint64_t words[6] = {call->team->id, CELLS,     call->step,
                               parcel->cell_bytes, call->room, completes};
    tell(call->team, parcel->host, words, parcel->bytes, parcel->filled);
    parcel->filled = 0;
}

/* A piece's place in its cell, in one word of a message. */
static uint64_t place_of(const struct piece *piece) {
    return (uint64_t)piece->rank << 32 | (uint64_t)piece->at << 2 | (uint64_t)piece->used << 1 |
           piece->is_last;
}

static struct piece piece_at(uint64_t place, size_t bytes) {
    return (struct piece){.rank = (uint32_t)(place >> 32),
                          .at = (uint32_t)place >> 2,
                          .bytes = (uint32_t)bytes,
                          .used = place >> 1 & 1,
                          .is_last = place & 1};
}

/* Sends a piece after the pieces before it, one of which may be the same cell's. */
static void send_direct(struct parcel *parcel, const struct piece *piece, const void *from) {
    const struct fl_coll_call *call = parcel->call;
    send(parcel, 0);
    const uint64_t words[6] = {call->team->id,     PIECE,      call->step,
                               parcel->cell_bytes, call->room, place_of(piece)};
    fl_comm_tell_in_place(proc_of(call->team, parcel->host), FL_COMM_COLL, words, 6, from,
                          piece->bytes);
}

static void append(struct parcel *parcel, const struct piece *piece, const void *from) {
    fl_assert(parcel->filled + sizeof *piece + piece->bytes <= PARCEL_BYTES);
    memcpy(parcel->bytes + parcel->filled, piece, sizeof *piece);
    memcpy(parcel->bytes + parcel->filled + sizeof *piece, from, piece->bytes);
    parcel->filled += sizeof *piece + piece->bytes;
}

/* How many of n bytes the next piece takes; the parcel is sent if they are to begin another. */
static size_t piece_bytes(struct parcel *parcel, size_t n) {
    size_t most = fl_comm_payload_most();
    if (n >= DIRECT_BYTES) {
        return n < most ? n : most;
    }
    size_t least = n < LEAST_PIECE ? n : LEAST_PIECE;
    if (parcel->filled + sizeof(struct piece) + least > PARCEL_BYTES) {
        send(parcel, 0);
    }
    size_t room = PARCEL_BYTES - parcel->filled - sizeof(struct piece);
    return n < room ? n : room;
}

/* Adds bytes from, ..., to - 1 of a member's cell. */
static void add(struct parcel *parcel, unsigned rank, size_t from, size_t to, bool is_last) {
    const struct fl_coll_call *call = parcel->call;
    const unsigned char *bytes = fl_coll_bytes_at(call, rank, parcel->cell_bytes);
    bool used = fl_coll_cell(call, rank)->used;
    do {
        size_t n = piece_bytes(parcel, to - from);
        fl_assert(n > 0 || from == to);
        const struct piece piece = {rank, (uint32_t)from, (uint32_t)n, used,
                                    is_last && from + n == to};
        if (n >= DIRECT_BYTES) {
            send_direct(parcel, &piece, bytes + from);
        } else {
            append(parcel, &piece, bytes + from);
        }
        from += n;
    } while (from < to);
}

static void begin(struct parcel *parcel, const struct fl_coll_call *call, unsigned host,
                  size_t bytes) {
    parcel->call = call;
    parcel->host = host;
    parcel->cell_bytes = bytes;
    parcel->filled = 0;
}

static void send_one(const struct fl_coll_call *call, unsigned host, unsigned rank, size_t bytes) {
    struct parcel parcel;
    begin(&parcel, call, host, bytes);
    add(&parcel, rank, 0, bytes, true);
    send(&parcel, 0);
}

void fl_coll_post_for_far(const struct fl_coll_call *call, unsigned rank, size_t bytes,
                          unsigned reader) {
    send_one(call, fl_coll_host_of(call->team, reader), rank, bytes);
}

static unsigned next_host(const struct fl_coll_team *team, unsigned host) {
    return host + 1 == team->hosts ? 0 : host + 1;
}

void fl_coll_post_for_all_far(const struct fl_coll_call *call, size_t bytes) {
    const struct fl_coll_team *team = call->team;
    for (unsigned host = next_host(team, team->host); host != team->host;
         host = next_host(team, host)) {
        send_one(call, host, fl_coll_me(call), bytes);
    }
}

void fl_coll_post_each_far(const struct fl_coll_call *call, size_t bytes) {
    const struct fl_coll_team *team = call->team;
    struct parcel parcel;
    for (unsigned host = next_host(team, team->host); host != team->host;
         host = next_host(team, host)) {
        begin(&parcel, call, host, bytes);
        for (unsigned rank = 0; rank < team->members; rank++) {
            if (fl_coll_host_of(team, rank) == host) {
                add(&parcel, rank, 0, bytes, true);
            }
        }
        send(&parcel, 0);
    }
}

/* The first member from `rank` on that is of the host, or is not. */
static unsigned next_member(const struct fl_coll_team *team, unsigned rank, unsigned host,
                            bool is_of) {
    while (rank < team->members && (fl_coll_host_of(team, rank) == host) != is_of) {
        rank++;
    }
    return rank;
}

/* Adds a member's blocks that are for members of the message's host. */
static void add_row(struct parcel *parcel, unsigned rank, size_t block) {
    const struct fl_coll_team *team = parcel->call->team;
    unsigned from = next_member(team, 0, parcel->host, true);
    while (from < team->members) {
        unsigned to = next_member(team, from, parcel->host, false);
        unsigned next = next_member(team, to, parcel->host, true);
        add(parcel, rank, from * block, to * block, next == team->members);
        from = next;
    }
}

/* Sends what all members of this host have left for a host. */
static void send_all(const struct fl_coll_call *call, unsigned host, size_t bytes, size_t block) {
    const struct fl_coll_team *team = call->team;
    struct parcel parcel;
    begin(&parcel, call, host, bytes);
    for (unsigned rank = 0; rank < team->members; rank++) {
        if (fl_coll_host_of(team, rank) != team->host) {
            continue;
        }
        if (block) {
            add_row(&parcel, rank, block);
        } else {
            add(&parcel, rank, 0, bytes, true);
        }
    }
    send(&parcel, 0);
}

void fl_coll_post_together_far(const struct fl_coll_call *call, size_t bytes, size_t block,
                               unsigned reader) {
    const struct fl_coll_team *team = call->team;
    unsigned to = reader == FL_COLL_EVERYBODY ? team->hosts : fl_coll_host_of(team, reader);
    if (to == team->host || !fl_coll_arrive_here(call)) {
        return;
    }
    for (unsigned host = next_host(team, team->host); host != team->host;
         host = next_host(team, host)) {
        if (to == team->hosts || to == host) {
            send_all(call, host, bytes, block);
        }
    }
    fl_coll_over(call);
}

static void take_piece(const struct fl_coll_call *call, size_t cell_bytes,
                       const struct piece *piece, const void *from) {
    struct fl_coll_cell *cell = fl_coll_cell(call, piece->rank);
    /* Relaxed: only this process receives cells, so it wrote what it reads. A cell that arrived in
     * a round before is not written again: it may be on its way to another host now. */
    if (atomic_load_explicit(&cell->step, memory_order_relaxed) == call->step << 1) {
        return;
    }
    fl_assert(piece->at + piece->bytes <= cell_bytes);
    memcpy(fl_coll_bytes_at(call, piece->rank, cell_bytes) + piece->at, from, piece->bytes);
    cell->used = piece->used;
    if (piece->is_last) {
        /* [K2] pairs [K3], and the acquire of fl_coll_take: else it would be read half written. */
        fl_wait_publish(&cell->step, call->step << 1);
    }
}

static void take_cells(const struct fl_coll_team *team, const struct fl_comm_call *message) {
    const struct fl_coll_call call = {
        .team = team, .step = (uint32_t)message->words[2], .room = (uint32_t)message->words[4]};
    struct piece piece;
    if (message->words[1] == PIECE) {
        piece = piece_at(message->words[5], message->bytes);
        take_piece(&call, message->words[3], &piece, message->payload);
        return;
    }
    for (size_t at = 0; at < message->bytes; at += sizeof piece + piece.bytes) {
        const char *from = (const char *)message->payload + at;
        memcpy(&piece, from, sizeof piece);
        take_piece(&call, message->words[3], &piece, from + sizeof piece);
    }
}

/* ---- turns ---- */

static _Atomic uint32_t *came(const struct fl_coll_team *team, uint32_t step, uint64_t round) {
    fl_assert(round < FL_COLL_ROUNDS);
    return &team->center->came[step % FL_COLL_RING][round];
}

/* Sends all cells of the step that members of this host have filled, or that have arrived here. */
static void send_round(const struct fl_coll_call *call, unsigned host, unsigned round) {
    struct parcel parcel;
    begin(&parcel, call, host, FL_COLL_CELL_BYTES);
    for (unsigned rank = 0; rank < call->team->members; rank++) {
        /* [K3] pairs [K2]. */
        if (fl_wait_reached(&fl_coll_cell(call, rank)->step, call->step << 1)) {
            add(&parcel, rank, 0, FL_COLL_CELL_BYTES, true);
        }
    }
    send(&parcel, round + 1);
}

void fl_coll_exchange_cells(const struct fl_coll_call *call) {
    const struct fl_coll_team *team = call->team;
    for (unsigned round = 0, distance = 1; distance < team->hosts; round++, distance *= 2) {
        send_round(call, (team->host + distance) % team->hosts, round);
        fl_coll_await(call, came(team, call->step, round), call->step << 1);
    }
}

/* ---- acknowledgements ---- */

/* The last member of this host to be done sends the acknowledgements of all. */
void fl_coll_ack_far(const struct fl_coll_call *call, unsigned rank, unsigned here) {
    _Atomic uint32_t *acks = &fl_coll_cell(call, rank)->acks;
    /* [K7] pairs itself: the others' copies are over when the message goes. */
    uint32_t before = atomic_fetch_add_explicit(acks, 2, memory_order_acq_rel) >> 1;
    fl_assert(before < here);
    if (before != here - 1) {
        return;
    }
    /* Relaxed: the step that has this cell next begins only when the caller has ended its half. */
    atomic_store_explicit(acks, 0, memory_order_relaxed);
    const uint64_t words[6] = {call->team->id, ACKS, call->step, rank, here, 0};
    tell(call->team, fl_coll_host_of(call->team, rank), words, NULL, 0);
}

/* ---- halves ---- */

/* Handles an event of the end of a half: this host's members have ended it, or a message has
 * arrived. */
static void happen(const struct fl_coll_team *team, uint32_t half, uint32_t bit) {
    struct fl_rounds_event event = fl_rounds_happen(&team->center->ends[half & 1],
                                                    fl_log2_ceil(team->hosts), half, bit);
    for (unsigned round = event.from; round < event.to; round++) {
        const uint64_t words[6] = {team->id, END, half, round, 0, 0};
        tell(team, (team->host + (1u << round)) % team->hosts, words, NULL, 0);
    }
    if (event.is_last) {
        fl_coll_half_over(team, half);
    }
}

void fl_coll_end_half(const struct fl_coll_team *team, uint32_t half) {
    happen(team, half, FL_ROUNDS_ARRIVED);
}

/* ---- messages ---- */

static const struct fl_coll_team *find(struct fl_coll_hub *hub, const struct fl_comm_call *call) {
    uint64_t id = call->words[0];
    fl_mutex_lock(&hub->mutex);
    const struct fl_coll_team *team = hub->first;
    while (team && team->id != id) {
        team = team->next;
    }
    fl_mutex_unlock(&hub->mutex);
    if (!team) {
        fl_fatal(FL_CODE_BAD_MESSAGE,
                 "process %u takes part in collective operations of the team 0x%" PRIx64
                 ", which is not known here",
                 call->asker.proc, id);
    }
    return team;
}

static void take(void *context, const struct fl_comm_call *message) {
    const struct fl_coll_team *team = find(context, message);
    const uint64_t *words = message->words;
    uint32_t step = (uint32_t)words[2];
    switch ((enum what)words[1]) {
    case PIECE: take_cells(team, message); break;
    case CELLS:
        take_cells(team, message);
        if (words[5]) {
            fl_wait_publish(came(team, step, words[5] - 1), step << 1);
        }
        break;
    case ACKS: {
        const struct fl_coll_call call = {.team = team, .step = step};
        fl_coll_add_acks(&fl_coll_cell(&call, (unsigned)words[3])->acks, (unsigned)words[4], 0);
        break;
    }
    case END: happen(team, step, fl_rounds_heard((unsigned)words[3]));
    }
    const struct fl_coll_hub *hub = context;
    if (hub->posted) {
        hub->posted();
    }
}

void fl_coll_listen(struct fl_coll_hub *hub) {
    fl_comm_register_mover(FL_COMM_COLL, take, hub);
}
