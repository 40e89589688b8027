/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of <upc_io.h> as C sees them: `shared void *` is upcr_pts, a packed pointer, and
 * upc_file_t * is the address of the handle's part at thread 0. Contracts: UPC 1.3 library 7.8.
 */
#ifndef FL_LIBRARY_IO_H
#define FL_LIBRARY_IO_H

#include "include/upc_io.h"
#include "upc/abi.h"

struct upcr_file;

struct upc_shared_memvec {
    upcr_pts baseaddr;
    size_t blocksize;
    size_t len;
};

struct upcr_file *upc_all_fopen(const char *fname, int flags, size_t numhints,
                                const upc_hint_t *hints);
int upc_all_fclose(struct upcr_file *fd);
int upc_all_fsync(struct upcr_file *fd);
upc_off_t upc_all_fseek(struct upcr_file *fd, upc_off_t offset, int origin);
int upc_all_fset_size(struct upcr_file *fd, upc_off_t size);
upc_off_t upc_all_fget_size(struct upcr_file *fd);
int upc_all_fpreallocate(struct upcr_file *fd, upc_off_t size);
int upc_all_fcntl(struct upcr_file *fd, int cmd, void *arg);

/* The eight transfers, blocking and asynchronous. */
#define UPC_IO_TRANSFERS(result, form)                                                             \
    result upc_all_fread_local##form(struct upcr_file *fd, void *buffer, size_t size,              \
                                     size_t nmemb, upc_flag_t flags);                              \
    result upc_all_fread_shared##form(struct upcr_file *fd, upcr_pts buffer, size_t blocksize,     \
                                      size_t size, size_t nmemb, upc_flag_t flags);                \
    result upc_all_fwrite_local##form(struct upcr_file *fd, void *buffer, size_t size,             \
                                      size_t nmemb, upc_flag_t flags);                             \
    result upc_all_fwrite_shared##form(struct upcr_file *fd, upcr_pts buffer, size_t blocksize,    \
                                       size_t size, size_t nmemb, upc_flag_t flags);               \
    result upc_all_fread_list_local##form(                                                         \
        struct upcr_file *fd, size_t memvec_entries, const struct upc_local_memvec *memvec,        \
        size_t filevec_entries, const struct upc_filevec *filevec, upc_flag_t flags);              \
    result upc_all_fread_list_shared##form(                                                        \
        struct upcr_file *fd, size_t memvec_entries, const struct upc_shared_memvec *memvec,       \
        size_t filevec_entries, const struct upc_filevec *filevec, upc_flag_t flags);              \
    result upc_all_fwrite_list_local##form(                                                        \
        struct upcr_file *fd, size_t memvec_entries, const struct upc_local_memvec *memvec,        \
        size_t filevec_entries, const struct upc_filevec *filevec, upc_flag_t flags);              \
    result upc_all_fwrite_list_shared##form(                                                       \
        struct upcr_file *fd, size_t memvec_entries, const struct upc_shared_memvec *memvec,       \
        size_t filevec_entries, const struct upc_filevec *filevec, upc_flag_t flags)

UPC_IO_TRANSFERS(upc_off_t, );
UPC_IO_TRANSFERS(void, _async);

upc_off_t upc_all_fwait_async(struct upcr_file *fd);
upc_off_t upc_all_ftest_async(struct upcr_file *fd, int *flag);

#endif
