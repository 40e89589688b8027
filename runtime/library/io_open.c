/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening and closing (UPC 1.3 library 7.8.3.1, 7.8.3.2). Each thread opens a descriptor of its
 * own: thread 0 first, which creates and truncates; the others when it has succeeded.
 */
#include "core/fatal.h"
#include "io/file.h"
#include "library/alloc.h"
#include "library/io_file.h"
#include "upc/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file opened last comes first. The order is the same in all threads. */
static _Thread_local struct upc_file *files;

struct upc_file *upc_io_find(const struct upcr_file *handle) {
    struct upc_file *file = files;
    while (file && file->handle != (const struct upc_io_part *)handle) {
        file = file->next;
    }
    return file;
}

static bool one_bit(int flags) {
    return flags != 0 && (flags & (flags - 1)) == 0;
}

/* 0, or why the arguments are invalid. */
static int check_arguments(const char *name, int flags, size_t n_hints, const upc_hint_t *hints) {
    if (!name || (n_hints > 0 && !hints)) {
        return EFAULT;
    }
    bool valid = one_bit(flags & (UPC_RDONLY | UPC_WRONLY | UPC_RDWR)) &&
                 one_bit(flags & (UPC_INDIVIDUAL_FP | UPC_COMMON_FP)) &&
                 (!(flags & UPC_EXCL) || (flags & UPC_CREATE)) &&
                 !((flags & UPC_TRUNC) && (flags & UPC_RDONLY)) && (flags & ~0x7ff) == 0;
    return valid ? 0 : EINVAL;
}

static int access_mode(const struct upc_file *file) {
    return file->flags & UPC_RDWR ? O_RDWR : file->flags & UPC_WRONLY ? O_WRONLY : O_RDONLY;
}

/* The other threads have to open the file that the first one creates: until all have, it has
 * permissions of the owner that the hint file_perm does not give. */
static int open_first(struct upc_file *file) {
    enum { OWNER = 0600 };
    int flags = access_mode(file) | (file->flags & UPC_CREATE ? O_CREAT : 0) |
                (file->flags & UPC_EXCL ? O_EXCL : 0) | (file->flags & UPC_TRUNC ? O_TRUNC : 0);
    unsigned mode = upc_io_hints_mode(&file->hints);
    if (flags & O_CREAT && (mode & OWNER) != OWNER) {
        int error = fl_io_open(file->name, flags | O_EXCL, mode | OWNER, &file->fd);
        if (error != -EEXIST || flags & O_EXCL) {
            file->lent_mode = error ? 0 : OWNER & ~mode;
            return error;
        }
    }
    return fl_io_open(file->name, flags, mode, &file->fd);
}

static int open_descriptor(struct upc_file *file, bool first) {
    return first ? open_first(file) : fl_io_open(file->name, access_mode(file), 0, &file->fd);
}

static char *absolute_path(const char *name) {
    char path[PATH_MAX];
    if (name[0] == '/' || !getcwd(path, sizeof path)) {
        return strdup(name);
    }
    size_t length = strlen(path);
    char *copy = malloc(length + strlen(name) + 2);
    if (copy) {
        memcpy(copy, path, length);
        copy[length] = '/';
        strcpy(copy + length + 1, name);
    }
    return copy;
}

/* The thread's private data of a file, without a descriptor yet. Null if there is no memory. */
static struct upc_file *new_file(const char *name, int flags, size_t n_hints,
                                 const upc_hint_t *hints) {
    struct upc_file *file = calloc(1, sizeof *file);
    if (!file) {
        return NULL;
    }
    file->fd = -1;
    file->flags = flags;
    file->name = strdup(name);
    bool complete = file->name;
    if (flags & UPC_DELETE_ON_CLOSE) {
        file->path = absolute_path(name);
        complete = complete && file->path;
    }
    for (size_t i = 0; i < n_hints && complete; i++) {
        complete = upc_io_hints_set(&file->hints, &hints[i]) == 0;
    }
    if (!complete) {
        free(file->name);
        free(file->path);
        upc_io_hints_free(&file->hints);
        free(file);
        return NULL;
    }
    return file;
}

static void free_file(struct upc_file *file) {
    if (file->fd >= 0) {
        fl_io_close(file->fd);
    }
    if (file->worker) {
        fl_io_worker_end(file->worker);
    }
    upc_io_hints_free(&file->hints);
    free(file->pending.memory.list);
    free(file->pending.extents);
    free(file->name);
    free(file->path);
    free(file);
}

/* Deletes the file, if that was asked for. One thread does so; others can still use it. */
static void delete_file(const struct upc_file *file) {
    if (file->flags & UPC_DELETE_ON_CLOSE) {
        (void)unlink(file->path);
    }
}

/* Synchronises a file that is about to be closed, unless it is deleted: its data need not be on the
 * device then. */
static int sync_finally(const struct upc_file *file) {
    bool kept = !(file->flags & (UPC_RDONLY | UPC_DELETE_ON_CLOSE));
    return kept ? fl_io_sync(file->fd) : 0;
}

/* Closes the files that are open when the thread ends (7.8p5). In order: all threads do so, and use
 * no file again. Otherwise the job is about to be ended, and this thread closes for all. */
static void close_all(bool in_order) {
    while (files) {
        struct upc_file *file = files;
        files = file->next;
        if (in_order) {
            upc_io_settle(file);
        }
        int error = sync_finally(file);
        if (error) {
            fl_warn("%s, open at the end of the program: %s", file->name, strerror(-error));
        }
        if (!in_order || upc_self->me == 0) {
            delete_file(file);
        }
        if (in_order) {
            free_file(file); /* otherwise its worker may be using it */
        }
    }
}

static void keep(struct upc_file *file) {
    static _Thread_local bool prepared;
    if (!prepared) {
        upc_finish_also(close_all);
        prepared = true;
    }
    file->next = files;
    files = file;
}

static void forget(struct upc_file *file) {
    struct upc_file **link = &files;
    while (*link != file) {
        link = &(*link)->next;
    }
    *link = file->next;
}

static uint64_t new_handle(void) {
    uint64_t handle = upc_alloc_global("upc_all_fopen", sizeof(struct upc_io_part));
    if (handle) {
        fl_lock_init(&((struct upc_io_part *)handle)->lock);
    }
    return handle;
}

/* Frees the handle, which no thread may use any more once it calls this. */
static void free_handle(struct upc_io_part *handle, enum upc_barrier_use use) {
    upc_barrier_called(use);
    if (upc_self->me == 0) {
        fl_lock_destroy(&handle->lock);
        upc_alloc_free(upc_barrier_names[use], (uint64_t)handle);
    }
}

/* What the other threads needed to open the file is taken back, whether they have or not. */
static void end_loan(const struct upc_file *file) {
    if (file && file->lent_mode) {
        fl_io_forbid(file->fd, file->lent_mode);
    }
}

/* Opens in thread 0, then in the others. `file`: null after an error. The verdict's first value is the
 * file's size. */
static struct upc_io_verdict open_together(struct upc_io_part *handle, struct upc_file *file,
                                           int error) {
    bool first = upc_self->me == 0;
    if (!error && first) {
        error = -open_descriptor(file, true);
    }
    struct upc_io_verdict verdict = upc_io_agree(handle, UPC_AT_FOPEN, error, 0);
    if (verdict.error) {
        end_loan(file);
        return verdict;
    }
    int64_t size = 0;
    error = first ? 0 : -open_descriptor(file, false);
    if (!error && first) {
        error = -fl_io_size(file->fd, &size);
    }
    verdict = upc_io_agree(handle, UPC_AT_FOPEN, error, size);
    end_loan(file);
    return verdict;
}

struct upcr_file *upc_all_fopen(const char *fname, int flags, size_t numhints,
                                const upc_hint_t *hints) {
    struct upc_thread *self = upc_collective_enter(UPC_AT_FOPEN);
    const struct upc_argument arguments[] = {{"flags", (uint64_t)flags, UPC_NUMBER},
                                             {"numhints", numhints, UPC_NUMBER}};
    upc_io_same(UPC_AT_FOPEN, arguments, 2);
    uint64_t address = self->me == 0 ? new_handle() : 0;
    address = upc_alloc_broadcast(UPC_AT_FOPEN, address);
    if (!address) {
        errno = ENOMEM;
        return NULL;
    }
    struct upc_io_part *handle = (struct upc_io_part *)address;
    struct upc_file *file = NULL;
    int error = check_arguments(fname, flags, numhints, hints);
    if (!error) {
        file = new_file(fname, flags, numhints, hints);
        error = file ? 0 : ENOMEM;
    }
    struct upc_io_verdict verdict = open_together(handle, file, error);
    if (verdict.error) {
        if (file) {
            free_file(file);
        }
        free_handle(handle, UPC_AT_FOPEN);
        errno = verdict.error;
        return NULL;
    }
    bool one_host = upc_process.layout.hosts == 1;
    const struct upc_argument identity = {"fname's file",
                                          fl_io_identity(file->fd, one_host), UPC_NUMBER};
    upc_io_same(UPC_AT_FOPEN, &identity, 1);
    upc_io_heed_hints(file, UPC_AT_FOPEN);
    file->handle = handle;
    file->position = flags & UPC_APPEND ? verdict.first : 0;
    keep(file);
    return (struct upcr_file *)handle;
}

static int64_t close_work(struct upc_file *file, int64_t unused) {
    (void)unused;
    int error = sync_finally(file);
    delete_file(file);
    return error;
}

int upc_all_fclose(struct upcr_file *fd) {
    struct upc_file *file = upc_io_file_any(fd, UPC_AT_FCLOSE);
    if (!file) {
        return -1;
    }
    if (file->outstanding) {
        errno = EBUSY;
        return -1;
    }
    struct upc_io_part *handle = file->handle;
    int64_t error = upc_io_alone(file, UPC_AT_FCLOSE, close_work, 0);
    forget(file);
    free_file(file);
    free_handle(handle, UPC_AT_FCLOSE);
    return (int)upc_io_result(error);
}
