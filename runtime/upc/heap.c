/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See heap.h. On several hosts process 0 alone allocates and frees in the global heap. It has the
 * first process of each other host charge that host's part of a block, and give its memory back
 * later. The caller gets a new block when all hosts have answered, so they have given back by then
 * what was freed before. If a host has no room for its part, the block is freed again.
 */
#include "upc/heap.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what { ALLOC, FREE, CHARGE, CHARGED, DISCHARGE };

/* An allocation that waits for the other hosts. */
struct pending {
    struct fl_comm_asker asker;
    uint64_t address;
    unsigned left; /* hosts that have not answered */
    struct fl_heap_failure failure;
};

/* ---- callers ---- */

uint64_t upc_heap_alloc_global(uint64_t bytes, struct fl_heap_failure *failure) {
    struct fl_heap_effect effect;
    if (fl_comm_here.one_host) {
        return fl_heap_alloc_global(&upc_process.heap, bytes, &effect, failure);
    }
    const uint64_t words[] = {ALLOC, bytes};
    struct fl_comm_answer answer = {.payload = failure, .room = sizeof *failure};
    fl_comm_ask(0, FL_COMM_HEAP, words, 2, NULL, 0, &answer);
    return answer.words[0];
}

/* Whether another process must free the block: processes of a host share its local heaps. */
static bool must_ask(uint64_t address) {
    return !fl_comm_here.one_host && fl_space_holds(&upc_process.space, address) &&
           (!fl_comm_is_here(address) || fl_heap_is_global(&upc_process.heap, address));
}

bool upc_heap_free(uint64_t address, struct upc_heap_why *why) {
    if (must_ask(address)) {
        unsigned keeper =
            fl_heap_is_global(&upc_process.heap, address) ? 0 : fl_comm_proc_of(address);
        const uint64_t words[] = {FREE, address};
        struct fl_comm_answer answer = {.payload = why->text, .room = sizeof why->text};
        fl_comm_ask(keeper, FL_COMM_HEAP, words, 2, NULL, 0, &answer);
        return answer.words[0];
    }
    struct fl_heap_effect effect;
    const char *text;
    bool good = fl_heap_free(&upc_process.heap, address, &effect, &text) == FL_OK;
    if (!good) {
        snprintf(why->text, sizeof why->text, "%s", text);
    }
    return good;
}

/* ---- process 0, for the global heap ---- */

static void tell_hosts(const uint64_t *words, unsigned n_words) {
    const struct fl_layout *layout = &upc_process.layout;
    for (unsigned host = 1; host < layout->hosts; host++) {
        fl_comm_tell(layout->at[host].proc, FL_COMM_HEAP, words, n_words, NULL, 0);
    }
}

static void answer_alloc(struct fl_comm_asker asker, uint64_t address,
                         const struct fl_heap_failure *failure) {
    fl_comm_answer(asker, &address, 1, failure, sizeof *failure);
}

static void alloc(const struct fl_comm_call *call) {
    struct fl_heap_effect effect;
    struct fl_heap_failure failure = {0};
    uint64_t address = fl_heap_alloc_global(&upc_process.heap, call->words[1], &effect, &failure);
    if (effect.bytes == 0) {
        answer_alloc(call->asker, address, &failure);
        return;
    }
    struct pending *pending = FL_ALLOCATED(malloc(sizeof *pending),
                                           "an allocation on several hosts");
    *pending = (struct pending){
        .asker = call->asker, .address = address, .left = upc_process.layout.hosts - 1};
    tell_hosts((const uint64_t[]){CHARGE, effect.bytes, (uint64_t)pending}, 3);
}

/* Frees a block. Null, or why it could not. */
static const char *free_block(uint64_t address) {
    struct fl_heap_effect effect;
    const char *why;
    if (fl_heap_free(&upc_process.heap, address, &effect, &why) != FL_OK) {
        return why;
    }
    if (effect.bytes > 0 && fl_heap_is_global(&upc_process.heap, address)) {
        tell_hosts((const uint64_t[]){DISCHARGE, effect.bytes, effect.offset, effect.punched}, 4);
    }
    return NULL;
}

/* Handles a host's answer to CHARGE: a failure if it has no room. */
static void charged(const struct fl_comm_call *call) {
    struct pending *pending = (struct pending *)call->words[1];
    if (call->bytes > 0) {
        memcpy(&pending->failure, call->payload, sizeof pending->failure);
    }
    if (--pending->left > 0) {
        return;
    }
    if (pending->failure.status != FL_OK) {
        (void)free_block(pending->address);
        pending->address = 0;
    }
    answer_alloc(pending->asker, pending->address, &pending->failure);
    free(pending);
}

/* ---- the first process of another host ---- */

static void charge(const struct fl_comm_call *call) {
    const struct fl_heap_effect effect = {.bytes = call->words[1]};
    struct fl_heap_failure failure;
    bool good = fl_heap_charge(&upc_process.heap, &effect, &failure);
    const uint64_t words[] = {CHARGED, call->words[2]};
    fl_comm_tell(call->asker.proc, FL_COMM_HEAP, words, 2, good ? NULL : &failure,
                 good ? 0 : sizeof failure);
}

static void discharge(const struct fl_comm_call *call) {
    const struct fl_heap_effect effect = {
        .bytes = call->words[1], .offset = call->words[2], .punched = call->words[3]};
    fl_heap_discharge(&upc_process.heap, &effect);
}

static void serve(void *context, const struct fl_comm_call *call) {
    (void)context;
    switch ((enum what)call->words[0]) {
    case ALLOC:
        alloc(call);
        break;
    case FREE: {
        const char *why = free_block(call->words[1]);
        fl_comm_answer(call->asker, (const uint64_t[]){!why}, 1, why, why ? strlen(why) + 1 : 0);
        break;
    }
    case CHARGE:
        charge(call);
        break;
    case CHARGED:
        charged(call);
        break;
    case DISCHARGE:
        discharge(call);
        break;
    }
}

void upc_heap_start(void) {
    fl_comm_register(FL_COMM_HEAP, serve, NULL);
}
