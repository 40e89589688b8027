/* SPDX-License-Identifier: BSD-3-Clause */
/* File pointers, sizes, synchronisation and settings of open files (UPC 1.3 library 7.8.3.3 to
 * 7.8.3.8). Thread 0 performs operations on the file itself, while no other thread uses it. */
#include "io/file.h"
#include "library/io_file.h"

#include <errno.h>

int upc_all_fsync(struct upcr_file *fd) {
    struct upc_file *file = upc_io_file_idle(fd, UPC_AT_FSYNC);
    return file ? (int)upc_io_result(upc_io_alone(file, UPC_AT_FSYNC, upc_io_sync_work, 0)) : -1;
}

static int64_t size_work(struct upc_file *file, int64_t unused) {
    (void)unused;
    int64_t size;
    int error = fl_io_size(file->fd, &size);
    return error ? error : size;
}

static int64_t resize_work(struct upc_file *file, int64_t size) {
    int error = fl_io_sync(file->fd);
    return error ? error : fl_io_resize(file->fd, size);
}

static int64_t reserve_work(struct upc_file *file, int64_t size) {
    return fl_io_reserve(file->fd, size);
}

/* The end of the file: with a common file pointer all threads must find the same one, after all
 * that each of them has written. */
static int64_t end_of(struct upc_file *file) {
    return file->flags & UPC_COMMON_FP ? upc_io_alone(file, UPC_AT_FSEEK, size_work, 0)
                                       : size_work(file, 0);
}

upc_off_t upc_all_fseek(struct upcr_file *fd, upc_off_t offset, int origin) {
    struct upc_file *file = upc_io_file_idle(fd, UPC_AT_FSEEK);
    if (!file) {
        return -1;
    }
    if (file->flags & UPC_COMMON_FP) {
        const struct upc_argument arguments[] = {{"offset", (uint64_t)offset, UPC_NUMBER},
                                                 {"origin", (uint64_t)origin, UPC_NUMBER}};
        upc_io_same(UPC_AT_FSEEK, arguments, 2);
    }
    int64_t from = origin == UPC_SEEK_SET   ? 0
                   : origin == UPC_SEEK_CUR ? file->position
                   : origin == UPC_SEEK_END ? end_of(file)
                                            : -EINVAL;
    int64_t to = from;
    if (from >= 0) {
        to = __builtin_add_overflow(from, offset, &to) ? -EOVERFLOW : to < 0 ? -EINVAL : to;
    }
    if (to >= 0) {
        file->position = to;
    }
    return upc_io_result(to);
}

static int change_size(struct upcr_file *fd, enum upc_barrier_use use, upc_io_work *work,
                       upc_off_t size) {
    struct upc_file *file = upc_io_file_idle(fd, use);
    if (!file) {
        return -1;
    }
    upc_io_same(use, &(struct upc_argument){"size", (uint64_t)size, UPC_NUMBER}, 1);
    if (file->flags & UPC_RDONLY || size < 0) {
        errno = size < 0 ? EINVAL : EBADF;
        return -1;
    }
    return (int)upc_io_result(upc_io_alone(file, use, work, size));
}

int upc_all_fset_size(struct upcr_file *fd, upc_off_t size) {
    return change_size(fd, UPC_AT_FSET_SIZE, resize_work, size);
}

int upc_all_fpreallocate(struct upcr_file *fd, upc_off_t size) {
    return change_size(fd, UPC_AT_FPREALLOCATE, reserve_work, size);
}

upc_off_t upc_all_fget_size(struct upcr_file *fd) {
    struct upc_file *file = upc_io_file_idle(fd, UPC_AT_FGET_SIZE);
    return file ? upc_io_result(upc_io_alone(file, UPC_AT_FGET_SIZE, size_work, 0)) : -1;
}

/* The UPC_SET_ commands: the file is synchronised, then the flags are changed. */
static int set(struct upc_file *file, int cmd, const void *arg) {
    enum { POINTERS = UPC_COMMON_FP | UPC_INDIVIDUAL_FP };
    int64_t error = upc_io_alone(file, UPC_AT_FCNTL, upc_io_sync_work, 0);
    if (error) {
        return (int)error;
    }
    switch (cmd) {
    case UPC_SET_WEAK_CA_SEMANTICS:
        file->flags &= ~UPC_STRONG_CA;
        return 0;
    case UPC_SET_STRONG_CA_SEMANTICS:
        file->flags |= UPC_STRONG_CA;
        return 0;
    case UPC_SET_COMMON_FP:
    case UPC_SET_INDIVIDUAL_FP:
        file->flags = (file->flags & ~POINTERS) |
                      (cmd == UPC_SET_COMMON_FP ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP);
        file->position = 0;
        return 0;
    default:
        error = -upc_io_hints_set(&file->hints, arg);
        upc_io_heed_hints(file, UPC_AT_FCNTL);
        return (int)error;
    }
}

static int control(struct upc_file *file, int cmd, void *arg) {
    bool wants_argument = cmd == UPC_GET_FN || cmd == UPC_GET_HINTS || cmd == UPC_SET_HINT;
    if (wants_argument && !arg) {
        return -EFAULT;
    }
    switch (cmd) {
    case UPC_GET_CA_SEMANTICS:
        return file->flags & UPC_STRONG_CA;
    case UPC_GET_FP:
        return file->flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_GET_FL:
        return file->flags;
    case UPC_GET_FN:
        *(const char **)arg = file->name;
        return 0;
    case UPC_GET_HINTS:
        *(const upc_hint_t **)arg = file->hints.list;
        return (int)file->hints.count;
    case UPC_ASYNC_OUTSTANDING:
        return 0;
    case UPC_SET_WEAK_CA_SEMANTICS:
    case UPC_SET_STRONG_CA_SEMANTICS:
    case UPC_SET_COMMON_FP:
    case UPC_SET_INDIVIDUAL_FP:
    case UPC_SET_HINT:
        return set(file, cmd, arg);
    default:
        return -EINVAL;
    }
}

int upc_all_fcntl(struct upcr_file *fd, int cmd, void *arg) {
    struct upc_file *file = upc_io_file_any(fd, UPC_AT_FCNTL);
    if (!file) {
        return -1;
    }
    upc_io_same(UPC_AT_FCNTL, &(struct upc_argument){"cmd", (uint64_t)cmd, UPC_NUMBER}, 1);
    if (file->outstanding) {
        if (cmd == UPC_ASYNC_OUTSTANDING) {
            return 1;
        }
        errno = upc_io_misuse(UPC_AT_FCNTL, EBUSY,
                              "an asynchronous operation on the file is outstanding; only "
                              "UPC_ASYNC_OUTSTANDING may be asked for");
        return -1;
    }
    return (int)upc_io_result(control(file, cmd, arg));
}
