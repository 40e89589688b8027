/* SPDX-License-Identifier: BSD-3-Clause */
/* See remote.h. */
#include "sync/remote.h"

#include "core/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fl_queue_start(struct fl_queue *queue, uint32_t keep_after) {
    queue->keep_after = keep_after;
    for (unsigned i = 0; i < FL_QUEUE_BUCKETS; i++) {
        queue->buckets[i].first = NULL;
        queue->buckets[i].last = &queue->buckets[i].first;
    }
    fl_comm_register(FL_COMM_LOCK, fl_lock_serve, queue);
    fl_comm_register(FL_COMM_SEMAPHORE, fl_semaphore_serve, queue);
}

/* Neighbours that are one or two cache lines apart come into different buckets. */
static unsigned bucket_of(uint64_t address) {
    return (unsigned)(address / FL_CACHE_LINE * 0x9e3779b97f4a7c15u >> 56) % FL_QUEUE_BUCKETS;
}

void fl_queue_add(struct fl_queue *queue, const struct fl_waiting *waiting) {
    struct fl_waiting *copy =
        FL_ALLOCATED(malloc(sizeof *copy),
                     "the queue of those who wait for %p", (void *)waiting->address);
    *copy = *waiting;
    copy->next = NULL;
    unsigned i = bucket_of(waiting->address);
    fl_assert(!*queue->buckets[i].last);
    *queue->buckets[i].last = copy;
    queue->buckets[i].last = &copy->next;
}

static struct fl_waiting *from(struct fl_waiting *waiting, uint64_t address) {
    while (waiting && waiting->address != address) {
        waiting = waiting->next;
    }
    return waiting;
}

struct fl_waiting *fl_queue_first(const struct fl_queue *queue, uint64_t address) {
    return from(queue->buckets[bucket_of(address)].first, address);
}

struct fl_waiting *fl_queue_next(const struct fl_waiting *waiting) {
    return from(waiting->next, waiting->address);
}

void fl_queue_remove(struct fl_queue *queue, struct fl_waiting *waiting) {
    unsigned i = bucket_of(waiting->address);
    struct fl_waiting **at = &queue->buckets[i].first;
    while (*at != waiting) {
        fl_assert(*at);
        at = &(*at)->next;
    }
    *at = waiting->next;
    fl_assert(waiting->next || queue->buckets[i].last == &waiting->next);
    if (!waiting->next) {
        queue->buckets[i].last = at;
    }
    free(waiting);
}

void fl_refuse(struct fl_refusal *refusal, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
    va_end(arguments);
    refusal->refused = true;
}

uint64_t fl_remote_ask(enum fl_comm_handler_id id, enum fl_code code, const uint64_t *words,
                       unsigned n_words, const char *name) {
    struct fl_refusal refusal;
    struct fl_comm_answer answer = {.payload = refusal.text, .room = sizeof refusal.text};
    fl_comm_ask(fl_comm_proc_of(words[1]), id, words, n_words, name, name ? strlen(name) + 1 : 0,
                &answer);
    if (answer.words[0] == FL_REMOTE_REFUSED) {
        fl_fatal(code, "%s", refusal.text);
    }
    return answer.words[0];
}

void fl_remote_answer(enum fl_comm_handler_id id, struct fl_comm_asker asker, uint64_t answer,
                      const struct fl_refusal *refusal) {
    const uint64_t refused = FL_REMOTE_REFUSED;
    if (!refusal->refused) {
        if (asker.cookie) {
            fl_comm_answer(asker, &answer, 1, NULL, 0);
        }
    } else if (asker.cookie) {
        fl_comm_answer(asker, &refused, 1, refusal->text, sizeof refusal->text);
    } else {
        fl_comm_tell(asker.proc, id, &refused, 1, refusal->text, sizeof refusal->text);
    }
}

void fl_remote_heed(const struct fl_comm_call *call, enum fl_code code) {
    if (call->words[0] == FL_REMOTE_REFUSED) {
        fl_fatal(code, "%s", (const char *)call->payload);
    }
}
