/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on a host's files for other hosts. As they may block, a thread of their own performs
 * them, one request after another, in the order of arrival; one that may wait for another process,
 * or for another request, gets a thread for itself. What is to be printed has a queue and a thread
 * of its own: a thread of the program waits for it under a lock. These threads send no requests and
 * touch no memory of the program, so hosts cannot wait for each other here.
 */
#include "spread/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct queue {
    struct fl_mutex mutex;
    struct fl_proxy_request *first, **end;
    _Atomic uint32_t come; /* requests so far */
};

static struct {
    struct queue files, output;
    _Atomic uint64_t sent; /* to other hosts; relaxed, as a statistic */
} proxy = {.files.end = &proxy.files.first, .output.end = &proxy.output.first};

/* In a handler. */
void fl_spread_serve_proxy(const struct fl_comm_call *call,
                           const struct fl_spread_proxy_message *words) {
    struct fl_proxy_request *request =
        FL_ALLOCATED(malloc(sizeof *request + call->bytes),
                     "what host %u wants done with a file", call->asker.proc);
    request->next = NULL;
    request->asker = call->asker;
    request->operation = words->operation;
    memcpy(request->words, words->words, sizeof request->words);
    request->bytes = call->bytes;
    memcpy(request->payload, call->payload, call->bytes);
    struct queue *queue = words->operation == FL_PROXY_OUTPUT ? &proxy.output : &proxy.files;
    fl_mutex_lock(&queue->mutex);
    *queue->end = request;
    queue->end = &request->next;
    /* [P1] pairs [P2]: else the thread sleeps, and the request is not seen. */
    atomic_fetch_add_explicit(&queue->come, 1, memory_order_release);
    fl_mutex_unlock(&queue->mutex);
    fl_os_futex_wake(&queue->come, 1);
}

static struct fl_proxy_request *take(struct queue *queue) {
    fl_mutex_lock(&queue->mutex);
    struct fl_proxy_request *request = queue->first;
    if (request) {
        queue->first = request->next;
        queue->end = queue->first ? queue->end : &queue->first;
    }
    fl_mutex_unlock(&queue->mutex);
    return request;
}

void fl_proxy_answer(const struct fl_proxy_request *request, int64_t result, const void *payload,
                     size_t bytes) {
    const uint64_t words[2] = {(uint64_t)result, result < 0 ? (uint64_t)errno : 0};
    fl_comm_answer(request->asker, words, 2, payload, bytes);
}

static fl_proxy_operation *const operations[FL_PROXY_OPERATIONS] = {
#define FL_PROXY(name, function) [FL_PROXY_##name] = function,
    FL_PROXY_LIST
#undef FL_PROXY
};

/* Whether it may block until another process acts, or another request is performed. */
static bool may_wait(const struct fl_proxy_request *request) {
    switch (request->operation) {
    case FL_PROXY_READ:
    case FL_PROXY_WRITE:
        return fl_descriptors_may_wait((int)request->words[0]);
    case FL_PROXY_STREAM_READ:
    case FL_PROXY_STREAM_WRITE:
    case FL_PROXY_STREAM_FLUSH:
    case FL_PROXY_STREAM_CLOSE:
        return fl_descriptors_may_wait(fl_streams_descriptor(request));
    }
    return false;
}

static void *perform(void *request_p) {
    struct fl_proxy_request *request = request_p;
    operations[request->operation](request);
    free(request);
    return NULL;
}

static void *serve(void *queue_p) {
    struct queue *queue = queue_p;
    for (;;) {
        /* [P2] pairs [P1]. */
        uint32_t come = atomic_load_explicit(&queue->come, memory_order_acquire);
        struct fl_proxy_request *request = take(queue);
        if (!request) {
            fl_os_futex_wait(&queue->come, come);
            continue;
        }
        if (request->operation >= FL_PROXY_OPERATIONS) {
            fl_fatal(FL_CODE_BAD_MESSAGE, "host %u wants something done with a file that there is "
                     "not", request->asker.proc);
        }
        if (!may_wait(request) || fl_os_thread_start_quiet(perform, request) != 0) {
            (void)perform(request);
        }
    }
    return NULL;
}

void fl_proxy_start(void) {
    int error = fl_os_thread_start_quiet(serve, &proxy.files);
    if (!error && fl_spread_me() == 0) {
        error = fl_os_thread_start_quiet(serve, &proxy.output);
    }
    if (error) {
        fl_fatal(FL_CODE_THREAD_START, "the thread that serves other hosts' use of files: %s",
                 strerror(error));
    }
}

int64_t fl_proxy_ask(unsigned host, enum fl_proxy_number operation, const uint64_t words[3],
                     const void *payload, size_t bytes, void *to, size_t room) {
    struct fl_comm_answer answer = {.payload = to, .room = room};
    void *copy = NULL;
    if (bytes > 0 && fl_spread_is_coherent(payload)) {
        copy = FL_ALLOCATED(malloc(bytes), "what goes to a file");
        payload = memcpy(copy, payload, bytes); /* a send cannot wait for a page */
    }
    atomic_fetch_add_explicit(&proxy.sent, 1, memory_order_relaxed);
    bool begins = fl_wait_begin_inside("what another host does with a file of its own");
    fl_comm_ask(host, FL_COMM_SPREAD,
                FL_MESSAGE_WORDS(fl_spread, proxy, .operation = operation,
                                 .words = {words[0], words[1], words[2]}),
                payload, bytes, &answer);
    fl_wait_end_inside(begins);
    free(copy);
    if ((int64_t)answer.words[0] < 0) {
        errno = (int)answer.words[1];
    }
    return (int64_t)answer.words[0];
}

uint64_t fl_proxy_sent(void) {
    return atomic_load_explicit(&proxy.sent, memory_order_relaxed);
}

size_t fl_proxy_most(void) {
    return fl_comm_payload_most() < FL_PROXY_PIECE ? fl_comm_payload_most() : FL_PROXY_PIECE;
}
