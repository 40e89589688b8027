/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asynchronous operations (UPC 1.3 library 7.8.7). A worker thread of the process does a UPC
 * thread's share; there is one for each file and UPC thread, which sleeps between operations. The
 * UPC threads do the barriers themselves: those at entry when the operation begins, those at exit
 * when it is completed.
 */
#include "library/io_file.h"

#include <errno.h>

static void work(void *call) {
    upc_io_move(call);
}

/* Begins an operation. If no worker can be started it is done at once, as 7.8.7p3 allows. */
static void begin(const struct upc_io_call *call) {
    struct upc_file *file = call->file;
    file->pending = *call;
    upc_io_enter(&file->pending);
    file->outstanding = true;
    if (file->pending.n_extents == 0) {
        return;
    }
    if (!file->worker) {
        file->worker = fl_io_worker_start();
    }
    file->at_work = file->worker != NULL;
    if (file->at_work) {
        fl_io_worker_begin(file->worker, work, &file->pending);
    } else {
        upc_io_move(&file->pending);
    }
}

static upc_off_t complete(struct upc_file *file, enum upc_barrier_use use) {
    file->outstanding = false;
    file->at_work = false;
    return upc_io_leave(&file->pending, use);
}

/* The file, if an operation on it is outstanding; else null and errno. */
static struct upc_file *file_outstanding(struct upcr_file *fd, enum upc_barrier_use use) {
    struct upc_file *file = upc_io_file_any(fd, use);
    if (!file) {
        errno = upc_io_unusable(file, use);
    } else if (!file->outstanding) {
        errno = upc_io_misuse(use, EINVAL, "no asynchronous operation is outstanding on the file");
        file = NULL;
    }
    return file;
}

upc_off_t upc_all_fwait_async(struct upcr_file *fd) {
    struct upc_file *file = file_outstanding(fd, UPC_AT_FWAIT_ASYNC);
    if (!file) {
        return -1;
    }
    upc_io_settle(file);
    return complete(file, UPC_AT_FWAIT_ASYNC);
}

upc_off_t upc_all_ftest_async(struct upcr_file *fd, int *flag) {
    struct upc_file *file = file_outstanding(fd, UPC_AT_FTEST_ASYNC);
    if (!file) {
        *flag = 1;
        return -1;
    }
    bool done = !file->at_work || fl_io_worker_done(file->worker);
    *flag = (int)upc_io_agree(file->handle, UPC_AT_FTEST_ASYNC, 0, done).least;
    return *flag ? complete(file, UPC_AT_FTEST_ASYNC) : 0;
}

#define NAME(use, writes) (&(const struct upc_io_name){use, writes, true})

void upc_all_fread_local_async(struct upcr_file *fd, void *buffer, size_t size, size_t nmemb,
                               upc_flag_t flags) {
    struct upc_io_call call;
    if (upc_io_local(&call, NAME(UPC_AT_FREAD_LOCAL_ASYNC, false), fd, buffer, size, nmemb, flags)) {
        begin(&call);
    }
}

void upc_all_fwrite_local_async(struct upcr_file *fd, void *buffer, size_t size, size_t nmemb,
                                upc_flag_t flags) {
    struct upc_io_call call;
    if (upc_io_local(&call, NAME(UPC_AT_FWRITE_LOCAL_ASYNC, true), fd, buffer, size, nmemb, flags)) {
        begin(&call);
    }
}

void upc_all_fread_shared_async(struct upcr_file *fd, upcr_pts buffer, size_t blocksize,
                                size_t size, size_t nmemb, upc_flag_t flags) {
    struct upc_io_call call;
    if (upc_io_shared(&call, NAME(UPC_AT_FREAD_SHARED_ASYNC, false), fd, buffer, blocksize, size,
                      nmemb, flags)) {
        begin(&call);
    }
}

void upc_all_fwrite_shared_async(struct upcr_file *fd, upcr_pts buffer, size_t blocksize,
                                 size_t size, size_t nmemb, upc_flag_t flags) {
    struct upc_io_call call;
    if (upc_io_shared(&call, NAME(UPC_AT_FWRITE_SHARED_ASYNC, true), fd, buffer, blocksize, size,
                      nmemb, flags)) {
        begin(&call);
    }
}

static void begin_list(struct upcr_file *fd, const struct upc_io_name *name,
                       const struct upc_io_lists *lists, upc_flag_t flags) {
    struct upc_io_call call;
    if (upc_io_list(&call, name, fd, lists, flags)) {
        begin(&call);
    }
}

void upc_all_fread_list_local_async(struct upcr_file *fd, size_t memvec_entries,
                                    const struct upc_local_memvec *memvec, size_t filevec_entries,
                                    const struct upc_filevec *filevec, upc_flag_t flags) {
    begin_list(fd, NAME(UPC_AT_FREAD_LIST_LOCAL_ASYNC, false),
               &(struct upc_io_lists){memvec_entries, filevec_entries, memvec, NULL, filevec},
               flags);
}

void upc_all_fwrite_list_local_async(struct upcr_file *fd, size_t memvec_entries,
                                     const struct upc_local_memvec *memvec, size_t filevec_entries,
                                     const struct upc_filevec *filevec, upc_flag_t flags) {
    begin_list(fd, NAME(UPC_AT_FWRITE_LIST_LOCAL_ASYNC, true),
               &(struct upc_io_lists){memvec_entries, filevec_entries, memvec, NULL, filevec},
               flags);
}

void upc_all_fread_list_shared_async(struct upcr_file *fd, size_t memvec_entries,
                                     const struct upc_shared_memvec *memvec,
                                     size_t filevec_entries, const struct upc_filevec *filevec,
                                     upc_flag_t flags) {
    begin_list(fd, NAME(UPC_AT_FREAD_LIST_SHARED_ASYNC, false),
               &(struct upc_io_lists){memvec_entries, filevec_entries, NULL, memvec, filevec},
               flags);
}

void upc_all_fwrite_list_shared_async(struct upcr_file *fd, size_t memvec_entries,
                                      const struct upc_shared_memvec *memvec,
                                      size_t filevec_entries, const struct upc_filevec *filevec,
                                      upc_flag_t flags) {
    begin_list(fd, NAME(UPC_AT_FWRITE_LIST_SHARED_ASYNC, true),
               &(struct upc_io_lists){memvec_entries, filevec_entries, NULL, memvec, filevec},
               flags);
}
