/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open files of UPC-IO, for the files io_*.c. A handle consists of a part in each thread's segment,
 * through which threads agree on results, and of private data of each thread: its own descriptor,
 * and its file pointer, or its copy of the common one. All threads move that copy alike, so a
 * common file pointer needs no shared memory.
 */
#ifndef FL_LIBRARY_IO_FILE_H
#define FL_LIBRARY_IO_FILE_H

#include "io/transfer.h"
#include "io/worker.h"
#include "library/io.h"
#include "library/io_hints.h"
#include "library/io_memory.h"
#include "sync/lock.h"
#include "upc/collective.h"

/* A thread's contribution to an agreement in a collective call. */
struct upc_io_vote {
    int64_t value;
    int32_t error;
};

/* In each segment, at the same offset; the handle is the address of thread 0's. */
struct upc_io_part {
    struct fl_lock lock;         /* thread 0's: held while a strong operation runs */
    struct upc_io_vote votes[2]; /* by the parity of the barrier that publishes them */
};

/* A function that moves data. */
struct upc_io_name {
    enum upc_barrier_use use;
    bool writes;
    bool begins; /* asynchronous */
};

/* One thread's share of one call that moves data. */
struct upc_io_call {
    struct upc_file *file;
    enum upc_barrier_use use;
    unsigned me; /* the UPC thread whose share it is, also when the worker does it */
    bool writes;
    bool at_pointer; /* moves the file pointer; lists do not */
    bool common;     /* the file pointer is common: the threads divide the work */
    upc_flag_t flags;
    int error;      /* not 0: the call is refused, and only takes part in barriers */
    uint64_t total; /* bytes requested; if common, by all threads */
    struct upc_io_memory memory;
    struct fl_io_extent one;
    struct fl_io_extent *extents; /* null: only that one */
    size_t n_extents;
    int64_t moved; /* or a negative error */
};

/* A file that the calling thread has open; private to it. */
struct upc_file {
    struct upc_file *next;
    struct upc_io_part *handle;
    int fd;
    int flags; /* as given to upc_all_fopen, and changed since */
    upc_off_t position;
    char *name;
    char *path; /* of the file, if it is to be deleted: independent of the working directory */
    unsigned lent_mode; /* permissions that the file has only until all threads have opened it */
    struct upc_io_hints hints;
    bool outstanding; /* an asynchronous operation, which is `pending` */
    bool at_work;     /* the worker does it */
    struct upc_io_call pending;
    struct fl_io_worker *worker; /* null: none needed yet */
};

/* The calling thread's open file of that handle, or null (io_open.c). */
struct upc_file *upc_io_find(const struct upcr_file *handle);

/* The file of a handle: _any for a function that UPC 1.3 allows while an operation is outstanding,
 * _idle for one that it does not. Null and errno if the file is not open, or for _idle an operation
 * is outstanding. Fatal between upc_notify and upc_wait. */
struct upc_file *upc_io_file_any(struct upcr_file *handle, enum upc_barrier_use use);
struct upc_file *upc_io_file_idle(struct upcr_file *handle, enum upc_barrier_use use);

/* Reports misuse of a function: fatal in a checked job, otherwise returns `error`. */
int upc_io_misuse(enum upc_barrier_use use, int error, const char *what);

/* The same for a call on a null file, or on one with an operation outstanding. */
int upc_io_unusable(const struct upc_file *file, enum upc_barrier_use use);

/* In a checked job, ends it if the threads give different values. */
void upc_io_same(enum upc_barrier_use use, const struct upc_argument *arguments, unsigned count);

/* Passes the file's hints to the system as far as it can use them. Collective. */
void upc_io_heed_hints(const struct upc_file *file, enum upc_barrier_use use);

/* Collective: each thread gives an error or 0, and a value; all get the same verdict. */
struct upc_io_verdict {
    int error;     /* of the first thread that has one */
    int64_t least; /* the least value */
    int64_t first; /* thread 0's value */
};
struct upc_io_verdict upc_io_agree(struct upc_io_part *handle, enum upc_barrier_use use, int error,
                                   int64_t value);

/* Collective: thread 0 does `work` while no other thread uses the file; all get its result, a value
 * or a negative error. */
typedef int64_t upc_io_work(struct upc_file *file, int64_t argument);
int64_t upc_io_alone(struct upc_file *file, enum upc_barrier_use use, upc_io_work *work,
                     int64_t argument);

/* Such work: writes to the device what all threads have written. */
int64_t upc_io_sync_work(struct upc_file *file, int64_t unused);

/* Waits until the worker has done the outstanding operation, if there is one. */
void upc_io_settle(struct upc_file *file);

/* Returns the value; -1 and sets errno if it is a negative error. */
upc_off_t upc_io_result(int64_t value_or_error);

/* ---- calls that move data (io_transfer.c) ---- */

/* The parts of such a call: enter waits as the flags require, move does this thread's share in any
 * thread of the process, leave waits and returns the result, under the name `use`. */
void upc_io_enter(struct upc_io_call *call);
void upc_io_move(struct upc_io_call *call);
upc_off_t upc_io_leave(struct upc_io_call *call, enum upc_barrier_use use);

/* Does all three. */
upc_off_t upc_io_run(struct upc_io_call *call);

/* ---- making a call ---- */

/* Sets a call's file, name and flags, without any data to move. False and errno if the handle is
 * not that of an open file, or an operation is outstanding: to begin another is fatal then, whether
 * the job is checked or not (7.8.7p1). */
bool upc_io_call(struct upc_io_call *call, const struct upc_io_name *name, struct upcr_file *handle,
                 upc_flag_t flags);

/* The same, with the arguments of each form of transfer (io_pointer.c, io_list.c). */
bool upc_io_local(struct upc_io_call *call, const struct upc_io_name *name, struct upcr_file *handle,
                  void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
bool upc_io_shared(struct upc_io_call *call, const struct upc_io_name *name, struct upcr_file *handle,
                   upcr_pts buffer, size_t blocksize, size_t size, size_t nmemb, upc_flag_t flags);

/* The lists of a call; of `local` and `shared` one is null. */
struct upc_io_lists {
    size_t n_memory, n_file;
    const struct upc_local_memvec *local;
    const struct upc_shared_memvec *shared;
    const struct upc_filevec *file;
};
bool upc_io_list(struct upc_io_call *call, const struct upc_io_name *name, struct upcr_file *handle,
                 const struct upc_io_lists *lists, upc_flag_t flags);

#endif
