/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that read and write at the file pointer (UPC 1.3 library 7.8.4, 7.8.5): they make
 * calls of their arguments. */
#include "library/io_file.h"

#include <errno.h>

/* Sets the requested bytes: one extent of the file from the pointer on; false if there are none, or
 * too many. */
static bool set_extent(struct upc_io_call *call, size_t size, size_t nmemb) {
    int64_t end;
    call->at_pointer = true;
    if (call->error) {
        return false;
    }
    if (__builtin_mul_overflow(size, nmemb, &call->total) ||
        __builtin_add_overflow(call->file->position, call->total, &end)) {
        call->error = EOVERFLOW;
        return false;
    }
    call->one = (struct fl_io_extent){call->file->position, call->total};
    call->n_extents = call->total > 0;
    return call->total > 0;
}

bool upc_io_local(struct upc_io_call *call, const struct upc_io_name *name,
                  struct upcr_file *handle, void *buffer, size_t size, size_t nmemb,
                  upc_flag_t flags) {
    if (!upc_io_call(call, name, handle, flags)) {
        return false;
    }
    if (!call->error && call->file->flags & UPC_COMMON_FP) {
        call->error = upc_io_misuse(name->use, EINVAL,
                                    "the file has a common file pointer, which needs a shared "
                                    "buffer");
    }
    if (set_extent(call, size, nmemb)) {
        if (!buffer) {
            call->error = upc_io_misuse(name->use, EFAULT, "the buffer is null");
        }
        call->memory.one = (struct upc_io_region){(uint64_t)buffer, 0, call->total};
    }
    return true;
}

bool upc_io_shared(struct upc_io_call *call, const struct upc_io_name *name,
                   struct upcr_file *handle, upcr_pts buffer, size_t blocksize, size_t size,
                   size_t nmemb, upc_flag_t flags) {
    if (!upc_io_call(call, name, handle, flags)) {
        return false;
    }
    uint64_t address = upcr_address(buffer);
    call->common = call->file->flags & UPC_COMMON_FP;
    if (call->common) {
        const struct upc_argument arguments[] = {{"buffer", address, UPC_POINTER},
                                                 {"blocksize", blocksize, UPC_NUMBER},
                                                 {"size", size, UPC_NUMBER},
                                                 {"nmemb", nmemb, UPC_NUMBER}};
        upc_io_same(name->use, arguments, 4);
    }
    if (set_extent(call, size, nmemb)) {
        if (!fl_space_holds(&upc_process.space, address)) {
            call->error = upc_io_misuse(name->use, EFAULT,
                                        address ? "the buffer is not in shared memory"
                                                : "the buffer is null");
        }
        /* A single block needs no layout; and its size in bytes could overflow. */
        uint64_t block = blocksize < nmemb ? blocksize * size : 0;
        call->memory.one = upc_io_region(address, block, call->total);
    }
    return true;
}

#define NAME(use, writes) (&(const struct upc_io_name){use, writes, false})

upc_off_t upc_all_fread_local(struct upcr_file *fd, void *buffer, size_t size, size_t nmemb,
                              upc_flag_t flags) {
    struct upc_io_call call;
    bool open = upc_io_local(&call, NAME(UPC_AT_FREAD_LOCAL, false), fd, buffer, size, nmemb, flags);
    return open ? upc_io_run(&call) : -1;
}

upc_off_t upc_all_fwrite_local(struct upcr_file *fd, void *buffer, size_t size, size_t nmemb,
                               upc_flag_t flags) {
    struct upc_io_call call;
    bool open = upc_io_local(&call, NAME(UPC_AT_FWRITE_LOCAL, true), fd, buffer, size, nmemb, flags);
    return open ? upc_io_run(&call) : -1;
}

upc_off_t upc_all_fread_shared(struct upcr_file *fd, upcr_pts buffer, size_t blocksize, size_t size,
                               size_t nmemb, upc_flag_t flags) {
    struct upc_io_call call;
    bool open = upc_io_shared(&call, NAME(UPC_AT_FREAD_SHARED, false), fd, buffer, blocksize, size,
                              nmemb, flags);
    return open ? upc_io_run(&call) : -1;
}

upc_off_t upc_all_fwrite_shared(struct upcr_file *fd, upcr_pts buffer, size_t blocksize,
                                size_t size, size_t nmemb, upc_flag_t flags) {
    struct upc_io_call call;
    bool open = upc_io_shared(&call, NAME(UPC_AT_FWRITE_SHARED, true), fd, buffer, blocksize, size,
                              nmemb, flags);
    return open ? upc_io_run(&call) : -1;
}
