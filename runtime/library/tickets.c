/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See tickets.h. A handle is
 *
 *     6 bits mark | 6 bits call | 16 bits thread | 18 bits slot | 18 bits generation
 *
 * and a slot's generation changes when its handle is closed: so an old handle is recognised until
 * the slot has been used 2^18 times.
 */
#include "library/tickets.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "core/mutex.h"
#include "upc/finish.h"
#include "upc/process.h"

#include <stdlib.h>

enum { SLOT_BITS = 18, GENERATION_BITS = 18, MARK = 0x2b, MAX_SLOTS = 1 << SLOT_BITS };
enum { BLOCK = 64, MAX_BLOCKS = MAX_SLOTS / BLOCK };
_Static_assert(NB_CALLS <= 64, "the call of a handle has 6 bits");

static const char *const call_names[NB_CALLS] = {
#define NB_CALL(name) [NB_##name] = #name,
#include "library/nb_calls.def"
#undef NB_CALL
};

const char *nb_call_name(enum nb_call call) {
    return call_names[call];
}

struct slot {
    struct fl_comm_op op;
    uint32_t generation;
    uint8_t call;
    bool open;
    uint32_t next_free; /* slot + 1; 0: none */
};

/* The tickets of a UPC thread. In blocks, since slots must not move while transfers count in
 * them. */
struct tickets {
    struct slot **blocks;
    uint32_t used, capacity;
    uint32_t first_free; /* slot + 1; 0: none */
    uint32_t open;
};

static _Thread_local struct tickets of_thread;

/* Under -nopthreads: other threads open and close tickets of the UPC thread too. */
static struct {
    struct fl_mutex mutex;
    struct tickets tickets;
} of_process;

/* The tickets of the UPC thread for which the caller calls. No other thread has them until
 * release. */
static struct tickets *hold(void) {
    if (FL_LIKELY(!upc_process.nopthreads)) {
        return &of_thread;
    }
    fl_mutex_lock(&of_process.mutex);
    return &of_process.tickets;
}

static void release(void) {
    if (FL_UNLIKELY(upc_process.nopthreads)) {
        fl_mutex_unlock(&of_process.mutex);
    }
}

static struct slot *slot_of(const struct tickets *tickets, uint32_t i) {
    return &tickets->blocks[i / BLOCK][i % BLOCK];
}

static void warn_of_open(bool in_order) {
    const struct tickets *tickets = hold();
    uint32_t i = 0, open = tickets->open;
    release();
    if (open == 0 || !in_order || !upc_process.check) {
        return;
    }
    while (!slot_of(tickets, i)->open) {
        i++;
    }
    fl_warn("thread %u ends with %u transfer%s never synchronised, initiated by %s%s: pass the "
            "handle to upc_sync",
            upc_me_or_first(), open, open == 1 ? "" : "s", call_names[slot_of(tickets, i)->call],
            open == 1 ? "" : " and others");
}

static bool grow(struct tickets *tickets) {
    if (!tickets->blocks) {
        tickets->blocks = calloc(MAX_BLOCKS, sizeof *tickets->blocks);
        if (!tickets->blocks) {
            return false;
        }
        upc_finish_also(warn_of_open);
    }
    struct slot *block = tickets->capacity < MAX_SLOTS ? calloc(BLOCK, sizeof *block) : NULL;
    if (block) {
        tickets->blocks[tickets->capacity / BLOCK] = block;
        tickets->capacity += BLOCK;
    }
    return block;
}

/* A free slot; null: there is none. */
static struct slot *take_slot(struct tickets *tickets, uint32_t *number_p) {
    uint32_t i = tickets->first_free - 1;
    if (tickets->first_free) {
        tickets->first_free = slot_of(tickets, i)->next_free;
    } else {
        if (tickets->used == tickets->capacity && !grow(tickets)) {
            return NULL;
        }
        i = tickets->used++;
    }
    tickets->open++;
    *number_p = i;
    return slot_of(tickets, i);
}

upc_handle_t nb_ticket_open(enum nb_call call, struct fl_comm_op **op_p) {
    if (!upc_self && !upc_process.nopthreads) {
        return NULL;
    }
    uint32_t i = 0;
    struct slot *slot = take_slot(hold(), &i);
    if (slot) {
        slot->open = true;
        slot->call = (uint8_t)call;
    }
    release();
    if (!slot) {
        return NULL;
    }
    *op_p = &slot->op;
    uint64_t number = (uint64_t)MARK << 58 | (uint64_t)call << 52 |
                      (uint64_t)upc_me_or_first() << 36 | (uint64_t)i << GENERATION_BITS |
                      slot->generation;
    return (upc_handle_t)number;
}

static uint32_t slot_number(upc_handle_t handle) {
    return (uint32_t)((uint64_t)handle >> GENERATION_BITS) & (MAX_SLOTS - 1);
}

struct fl_comm_op *nb_ticket_op(upc_handle_t handle, const char *by) {
    uint64_t number = (uint64_t)handle;
    unsigned call = (unsigned)(number >> 52) & 63, thread = (unsigned)(number >> 36) & 0xffff;
    uint32_t generation = (uint32_t)number & ((1u << GENERATION_BITS) - 1);
    bool possible = number >> 58 == MARK && call < NB_CALLS && thread < upcr_threads();
    bool mine = (upc_self || upc_process.nopthreads) && thread == upc_me_or_first();
    const struct tickets *tickets = hold();
    bool used = slot_number(handle) < tickets->used;
    release();
    if (!possible || (mine && !used)) {
        fl_fatal(FL_CODE_HANDLE_MISUSE, "%s: 0x%llx is no handle of a transfer; was it initialised?",
                 by, (unsigned long long)number);
    }
    if (!mine) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "%s: the handle was made for thread %u by %s; only the thread that initiated a "
                 "transfer may synchronise it",
                 by, thread, call_names[call]);
    }
    struct slot *slot = slot_of(tickets, slot_number(handle));
    if (!slot->open || slot->generation != generation) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "%s: the handle, made by %s, has been synchronised before; each handle is used "
                 "once",
                 by, call_names[call]);
    }
    return &slot->op;
}

void nb_ticket_close(upc_handle_t handle) {
    uint32_t i = slot_number(handle);
    struct tickets *tickets = hold();
    struct slot *slot = slot_of(tickets, i);
    slot->open = false;
    slot->generation = (slot->generation + 1) & ((1u << GENERATION_BITS) - 1);
    slot->next_free = tickets->first_free;
    tickets->first_free = i + 1;
    tickets->open--;
    release();
}
