/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See tickets.h. A handle is
 *
 *     6 bits mark | 6 bits call | 16 bits thread | 18 bits slot | 18 bits generation
 *
 * and a slot's generation changes when its handle is closed: so an old handle is known for one
 * until the slot has been used 2^18 times.
 */
#include "library/tickets.h"

#include "core/fatal.h"
#include "upc/finish.h"
#include "upc/process.h"

#include <stdlib.h>

enum { SLOT_BITS = 18, GENERATION_BITS = 18, MARK = 0x2b, MAX_SLOTS = 1 << SLOT_BITS };
_Static_assert(NB_CALLS <= 64, "the call of a handle has 6 bits");

static const char *const call_names[NB_CALLS] = {
#define NB_CALL(name) [NB_##name] = #name,
#include "library/nb_calls.def"
#undef NB_CALL
};

struct slot {
    uint32_t generation;
    uint8_t call;
    bool open;
    uint32_t next_free; /* slot + 1; 0: none */
};

/* The calling thread's. */
static _Thread_local struct {
    struct slot *slots;
    uint32_t used, capacity;
    uint32_t first_free; /* slot + 1; 0: none */
    uint32_t open;
} tickets;

static void warn_of_open(bool in_order) {
    if (tickets.open == 0 || !in_order) {
        return;
    }
    uint32_t i = 0;
    while (!tickets.slots[i].open) {
        i++;
    }
    fl_warn("thread %u ends with %u transfer%s never synchronised, initiated by %s%s: pass the "
            "handle to upc_sync",
            upc_self->me, tickets.open, tickets.open == 1 ? "" : "s",
            call_names[tickets.slots[i].call], tickets.open == 1 ? "" : " and others");
}

static bool grow(void) {
    uint32_t capacity = tickets.capacity ? 2 * tickets.capacity : 64;
    if (tickets.capacity == MAX_SLOTS) {
        return false;
    }
    struct slot *slots = realloc(tickets.slots, capacity * sizeof *slots);
    if (!slots) {
        return false;
    }
    if (!tickets.slots) {
        upc_finish_also(warn_of_open);
    }
    tickets.slots = slots;
    tickets.capacity = capacity;
    return true;
}

upc_handle_t nb_ticket_open(enum nb_call call) {
    if (!upc_self) {
        return NULL;
    }
    uint32_t i = tickets.first_free - 1;
    if (tickets.first_free) {
        tickets.first_free = tickets.slots[i].next_free;
    } else {
        if (tickets.used == tickets.capacity && !grow()) {
            return NULL;
        }
        i = tickets.used++;
        tickets.slots[i] = (struct slot){.generation = 0};
    }
    tickets.slots[i].open = true;
    tickets.slots[i].call = (uint8_t)call;
    tickets.open++;
    uint64_t number = (uint64_t)MARK << 58 | (uint64_t)call << 52 | (uint64_t)upc_self->me << 36 |
                      (uint64_t)i << GENERATION_BITS | tickets.slots[i].generation;
    return (upc_handle_t)number;
}

void nb_ticket_close(upc_handle_t handle, const char *by) {
    uint64_t number = (uint64_t)handle;
    unsigned call = (unsigned)(number >> 52) & 63, thread = (unsigned)(number >> 36) & 0xffff;
    uint32_t i = (uint32_t)(number >> GENERATION_BITS) & (MAX_SLOTS - 1);
    uint32_t generation = (uint32_t)number & ((1u << GENERATION_BITS) - 1);
    bool possible = number >> 58 == MARK && call < NB_CALLS && thread < upcr_threads();
    bool mine = upc_self && thread == upc_self->me;
    if (!possible || (mine && i >= tickets.used)) {
        fl_fatal(FL_CODE_HANDLE_MISUSE, "%s: 0x%llx is no handle of a transfer; was it initialised?",
                 by, (unsigned long long)number);
    }
    if (!mine) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "%s: the handle was made for thread %u by %s; only the thread that initiated a "
                 "transfer may synchronise it",
                 by, thread, call_names[call]);
    }
    struct slot *slot = &tickets.slots[i];
    if (!slot->open || slot->generation != generation) {
        fl_fatal(FL_CODE_HANDLE_MISUSE,
                 "%s: the handle, made by %s, has been synchronised before; each handle is used "
                 "once",
                 by, call_names[call]);
    }
    slot->open = false;
    slot->generation = (generation + 1) & ((1u << GENERATION_BITS) - 1);
    slot->next_free = tickets.first_free;
    tickets.first_free = i + 1;
    tickets.open--;
}
