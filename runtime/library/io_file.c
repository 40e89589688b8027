/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks with which every function of UPC-IO begins, and how threads agree on its result. See
 * io_file.h. */
#include "library/io_file.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "io/file.h"
#include "library/alloc.h"

#include <errno.h>

int upc_io_misuse(enum upc_barrier_use use, int error, const char *what) {
    if (upc_process.check) {
        fl_fatal(FL_CODE_FILE_MISUSE, "%s in thread %u: %s", upc_barrier_names[use], upc_self->me,
                 what);
    }
    return error;
}

void upc_io_same(enum upc_barrier_use use, const struct upc_argument *arguments, unsigned count) {
    if (upc_process.check) {
        upc_collective_agree(use, arguments, count);
    }
}

/* Checks that all threads have the same number of nodes: others would leave holes between their
 * shares of a transfer. */
void upc_io_heed_hints(const struct upc_file *file, enum upc_barrier_use use) {
    uint64_t nodes = upc_io_hints_number(&file->hints, "cb_nodes");
    upc_io_same(use, &(struct upc_argument){"the hint cb_nodes", nodes, UPC_NUMBER}, 1);
    upc_io_hints_advise(&file->hints, file->fd);
}

struct upc_file *upc_io_file_any(struct upcr_file *handle, enum upc_barrier_use use) {
    upc_collective_enter(use);
    upc_io_same(use, &(struct upc_argument){"fd", (uint64_t)handle, UPC_POINTER}, 1);
    struct upc_file *file = upc_io_find(handle);
    if (!file) {
        errno = EBADF;
    }
    return file;
}

/* Reports why a call cannot use its handle: the two reasons. */
int upc_io_unusable(const struct upc_file *file, enum upc_barrier_use use) {
    return file ? upc_io_misuse(use, EBUSY,
                                "an asynchronous operation on the file is outstanding; complete "
                                "it with upc_all_fwait_async first")
                : upc_io_misuse(use, EBADF, "the handle is not that of an open file");
}

struct upc_file *upc_io_file_idle(struct upcr_file *handle, enum upc_barrier_use use) {
    struct upc_file *file = upc_io_file_any(handle, use);
    if (!file || file->outstanding) {
        errno = upc_io_unusable(file, use);
        return NULL;
    }
    return file;
}

static struct upc_io_part *part_of(struct upc_io_part *handle, unsigned thread) {
    return (struct upc_io_part *)upcr_address_on(upcr_addrfield((uint64_t)handle), thread);
}

/* Votes of some threads, copied to where they can be read. */
struct ballot {
    struct upc_io_vote votes[64];
};
enum { BALLOT = sizeof(struct ballot) / sizeof(struct upc_io_vote) };

static void collect(struct upc_io_part *handle, unsigned slot, unsigned from, unsigned n,
                    struct ballot *ballot) {
    struct fl_comm_op op = {0};
    for (unsigned i = 0; i < n; i++) {
        fl_comm_get_nb(&ballot->votes[i], (uint64_t)&part_of(handle, from + i)->votes[slot],
                       sizeof ballot->votes[i], &op);
    }
    fl_comm_wait(&op);
}

/* Two votes suffice: a thread can write one again only after a barrier that all threads entered
 * after they had read the votes of that parity. */
struct upc_io_verdict upc_io_agree(struct upc_io_part *handle, enum upc_barrier_use use, int error,
                                   int64_t value) {
    unsigned slot = upc_self->barrier.epoch & 1, threads = upc_process.job.threads;
    part_of(handle, upc_self->me)->votes[slot] = (struct upc_io_vote){value, error};
    upc_barrier_called(use);
    struct upc_io_verdict verdict = {0, INT64_MAX, 0};
    for (unsigned from = 0; from < threads; from += BALLOT) {
        unsigned n = threads - from < BALLOT ? threads - from : BALLOT;
        struct ballot ballot;
        collect(handle, slot, from, n, &ballot);
        if (from == 0) {
            verdict.first = ballot.votes[0].value;
        }
        for (unsigned i = 0; i < n; i++) {
            const struct upc_io_vote *vote = &ballot.votes[i];
            verdict.error = verdict.error ? verdict.error : vote->error;
            verdict.least = vote->value < verdict.least ? vote->value : verdict.least;
        }
    }
    return verdict;
}

int64_t upc_io_alone(struct upc_file *file, enum upc_barrier_use use, upc_io_work *work,
                     int64_t argument) {
    upc_barrier_called(use);
    int64_t value = upc_self->me == 0 ? work(file, argument) : 0;
    return upc_io_agree(file->handle, use, 0, value).first;
}

int64_t upc_io_sync_work(struct upc_file *file, int64_t unused) {
    (void)unused;
    return fl_io_sync(file->fd);
}

void upc_io_settle(struct upc_file *file) {
    if (file->outstanding && file->at_work) {
        fl_wait_begin("an asynchronous operation on a file", NULL, 0);
        fl_io_worker_wait(file->worker, upc_process.wait);
        fl_wait_end();
    }
}

upc_off_t upc_io_result(int64_t value_or_error) {
    if (value_or_error < 0) {
        errno = (int)-value_or_error;
        return -1;
    }
    return value_or_error;
}
