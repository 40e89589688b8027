/* SPDX-License-Identifier: BSD-3-Clause */
/* See worker.h. The two sides count pieces of work on two wait words. */
#include "io/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { STACK = 256 << 10 };

struct fl_io_worker {
    _Atomic uint32_t begun; /* wait words: pieces of work << 1 */
    _Atomic uint32_t over;
    uint32_t pieces;  /* the asker's count */
    fl_io_work *work; /* null: the worker ends */
    void *argument;
};

static void *run(void *argument) {
    struct fl_io_worker *worker = argument;
    const struct fl_wait_policy asleep = {.spins = 1, .yields = 1}; /* it takes no CPU from UPC */
    for (uint32_t piece = 1;; piece++) {
        fl_wait_until(&worker->begun, piece << 1, asleep);
        if (!worker->work) {
            break;
        }
        worker->work(worker->argument);
        fl_wait_publish(&worker->over, piece << 1);
    }
    free(worker);
    return NULL;
}

struct fl_io_worker *fl_io_worker_start(void) {
    struct fl_io_worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        return NULL;
    }
    /* The program's signal handlers expect to run in a UPC thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = fl_os_thread_start(run, worker, STACK);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        free(worker);
        return NULL;
    }
    return worker;
}

static void publish(struct fl_io_worker *worker) {
    worker->pieces++;
    fl_wait_publish(&worker->begun, worker->pieces << 1);
}

void fl_io_worker_end(struct fl_io_worker *worker) {
    worker->work = NULL;
    publish(worker);
}

void fl_io_worker_begin(struct fl_io_worker *worker, fl_io_work *work, void *argument) {
    worker->work = work;
    worker->argument = argument;
    publish(worker);
}

bool fl_io_worker_done(struct fl_io_worker *worker) {
    return fl_wait_reached(&worker->over, worker->pieces << 1);
}

void fl_io_worker_wait(struct fl_io_worker *worker, struct fl_wait_policy policy) {
    fl_wait_until(&worker->over, worker->pieces << 1, policy);
}
