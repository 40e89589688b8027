/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of operations that have not ended, and access regions. What is done on this host has ended
 * when it was started, and has no event; so only transfers between hosts take memory here.
 */
#include "gas/inside.h"

#include <stdlib.h>
#include <string.h>

/* The calling thread's operations without an event of their own. */
static _Thread_local struct {
    struct gas_event all;
    struct gas_event *region; /* under way, or null */
} implicit;

struct gas_event *gas_event_new(void) {
    struct gas_event *event = calloc(1, sizeof *event);
    if (!event) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for an operation's event");
    }
    event->users = 1;
    return event;
}

static void release(struct gas_event *event) {
    if (--event->users == 0) {
        free(event);
    }
}

static bool parts_ended(struct gas_event *event);

/* Whether it has; does what is to be done then. */
static bool has_ended(struct gas_event *event) {
    struct gas_event *operation = event->of ? event->of : event;
    if (!fl_comm_test(&operation->op) || !parts_ended(operation)) {
        return false;
    }
    if (operation->result) {
        memcpy(operation->result, &operation->value, operation->bytes);
        operation->result = NULL;
    }
    return true;
}

static void end(struct gas_event *event) {
    if (event->of) {
        release(event->of);
    }
    release(event);
}

static bool parts_ended(struct gas_event *event) {
    while (event->parts && has_ended(event->parts)) {
        struct gas_event *next = event->parts->next;
        end(event->parts);
        event->parts = next;
    }
    return !event->parts;
}

gas_event_t gas_event_started(struct gas_event *event) {
    if (has_ended(event)) {
        end(event);
        return GAS_EVENT_DONE;
    }
    return event;
}

gas_event_t gas_event_local(struct gas_event *event) {
    struct gas_event *local = gas_event_new();
    local->of = event;
    event->users++;
    return local;
}

int gas_event_test(gas_event_t event) {
    if (!event) {
        return GAS_OK;
    }
    if (!has_ended(event)) {
        gas_poll();
        return GAS_ERR_NOT_READY;
    }
    end(event);
    return GAS_OK;
}

void gas_event_wait(gas_event_t event) {
    if (event) {
        GAS_BLOCK_UNTIL(has_ended(event));
        end(event);
    }
}

/* How many have ended, or had before; those are set to GAS_EVENT_DONE. */
static size_t test_each(gas_event_t *events, size_t n) {
    size_t ended = 0;
    for (size_t i = 0; i < n; i++) {
        if (gas_event_test(events[i]) == GAS_OK) {
            events[i] = GAS_EVENT_DONE;
            ended++;
        }
    }
    return ended;
}

int gas_event_test_some(gas_event_t *events, size_t n) {
    return n == 0 || test_each(events, n) > 0 ? GAS_OK : GAS_ERR_NOT_READY;
}

int gas_event_test_all(gas_event_t *events, size_t n) {
    return test_each(events, n) == n ? GAS_OK : GAS_ERR_NOT_READY;
}

void gas_event_wait_some(gas_event_t *events, size_t n) {
    GAS_BLOCK_UNTIL(gas_event_test_some(events, n) == GAS_OK);
}

void gas_event_wait_all(gas_event_t *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gas_event_wait(events[i]);
        events[i] = GAS_EVENT_DONE;
    }
}

/* ---- without an event of their own ---- */

static void add(struct gas_event *whole, struct gas_event *part) {
    part->next = whole->parts;
    whole->parts = part;
}

void gas_nbi_add(gas_event_t event) {
    if (event) {
        add(implicit.region ? implicit.region : &implicit.all, event);
    }
}

struct fl_comm_op *gas_nbi_op(void) {
    return implicit.region ? &implicit.region->op : &implicit.all.op;
}

int gas_nbi_test(void) {
    return has_ended(&implicit.all) ? GAS_OK : GAS_ERR_NOT_READY;
}

void gas_nbi_wait(void) {
    GAS_BLOCK_UNTIL(has_ended(&implicit.all));
}

void gas_nbi_begin(void) {
    if (implicit.region) {
        gas_misuse("an access region begins within another");
    }
    implicit.region = gas_event_new();
}

gas_event_t gas_nbi_end(void) {
    struct gas_event *region = implicit.region;
    if (!region) {
        gas_misuse("an access region ends that has not begun");
    }
    implicit.region = NULL;
    return gas_event_started(region);
}
