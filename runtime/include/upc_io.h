/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_io.h>: parallel input and output (UPC 1.3 library 7.8). A file is an ordinary file, with the
 * bytes in the order of the file pointer. All functions are collective. */
#ifndef FURLONG_UPC_IO_H
#define FURLONG_UPC_IO_H

#include <stddef.h>
#include <stdint.h>
#include <upc_types.h>

/* Types (7.8.2). */
typedef int64_t upc_off_t;

/* Flags of upc_all_fopen (7.8.3.1): one of the first three, and one of the next two. */
#define UPC_RDONLY 0x0001
#define UPC_WRONLY 0x0002
#define UPC_RDWR 0x0004
#define UPC_INDIVIDUAL_FP 0x0008
#define UPC_COMMON_FP 0x0010
#define UPC_APPEND 0x0020
#define UPC_CREATE 0x0040
#define UPC_EXCL 0x0080
#define UPC_STRONG_CA 0x0100
#define UPC_TRUNC 0x0200
#define UPC_DELETE_ON_CLOSE 0x0400

/* Origins of upc_all_fseek (7.8.3.4). */
#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* Commands of upc_all_fcntl (7.8.3.8). */
#define UPC_GET_CA_SEMANTICS 1
#define UPC_SET_WEAK_CA_SEMANTICS 2
#define UPC_SET_STRONG_CA_SEMANTICS 3
#define UPC_GET_FP 4
#define UPC_SET_COMMON_FP 5
#define UPC_SET_INDIVIDUAL_FP 6
#define UPC_GET_FL 7
#define UPC_GET_FN 8
#define UPC_GET_HINTS 9
#define UPC_SET_HINT 10
#define UPC_ASYNC_OUTSTANDING 11

/* A hint (7.8.3.1p7). */
typedef struct upc_hint {
    const char *key;
    const char *value;
} upc_hint_t;

/* Entries of lists (7.8.6): `len` and `blocksize` are bytes. */
struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upc_filevec {
    upc_off_t offset;
    size_t len;
};

#ifdef __UPC__
typedef shared struct upcr_file upc_file_t;

struct upc_shared_memvec {
    shared void *baseaddr;
    size_t blocksize;
    size_t len;
};

/* Files (7.8.3). The pointer is null, or the result -1, if there was an error, which is in errno;
 * upc_all_fopen, upc_all_fclose, upc_all_fsync, upc_all_fset_size and upc_all_fpreallocate report
 * the same error in all threads. */
upc_file_t *upc_all_fopen(const char *fname, int flags, size_t numhints,
                          struct upc_hint const *hints);
int upc_all_fclose(upc_file_t *fd);
int upc_all_fsync(upc_file_t *fd);
upc_off_t upc_all_fseek(upc_file_t *fd, upc_off_t offset, int origin);
int upc_all_fset_size(upc_file_t *fd, upc_off_t size);
upc_off_t upc_all_fget_size(upc_file_t *fd);
int upc_all_fpreallocate(upc_file_t *fd, upc_off_t size);
int upc_all_fcntl(upc_file_t *fd, int cmd, void *arg);

/* Transfers at the file pointer (7.8.4, 7.8.5): bytes moved, or -1 and errno. The local forms need
 * an individual file pointer. */
upc_off_t upc_all_fread_local(upc_file_t *fd, void *buffer, size_t size, size_t nmemb,
                              upc_flag_t flags);
upc_off_t upc_all_fread_shared(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                               size_t nmemb, upc_flag_t flags);
upc_off_t upc_all_fwrite_local(upc_file_t *fd, void *buffer, size_t size, size_t nmemb,
                               upc_flag_t flags);
upc_off_t upc_all_fwrite_shared(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                                size_t nmemb, upc_flag_t flags);

/* Lists (7.8.6): bytes moved, or -1 and errno. They neither use nor move file pointers. */
upc_off_t upc_all_fread_list_local(upc_file_t *fd, size_t memvec_entries,
                                   struct upc_local_memvec const *memvec, size_t filevec_entries,
                                   struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fread_list_shared(upc_file_t *fd, size_t memvec_entries,
                                    struct upc_shared_memvec const *memvec, size_t filevec_entries,
                                    struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwrite_list_local(upc_file_t *fd, size_t memvec_entries,
                                    struct upc_local_memvec const *memvec, size_t filevec_entries,
                                    struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwrite_list_shared(upc_file_t *fd, size_t memvec_entries,
                                     struct upc_shared_memvec const *memvec,
                                     size_t filevec_entries, struct upc_filevec const *filevec,
                                     upc_flag_t flags);

/* The same, begun and not waited for (7.8.7); one at a time on a file. upc_all_fwait_async and
 * upc_all_ftest_async end it and return what the form above would have. */
void upc_all_fread_local_async(upc_file_t *fd, void *buffer, size_t size, size_t nmemb,
                               upc_flag_t flags);
void upc_all_fread_shared_async(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                                size_t nmemb, upc_flag_t flags);
void upc_all_fwrite_local_async(upc_file_t *fd, void *buffer, size_t size, size_t nmemb,
                                upc_flag_t flags);
void upc_all_fwrite_shared_async(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size,
                                 size_t nmemb, upc_flag_t flags);
void upc_all_fread_list_local_async(upc_file_t *fd, size_t memvec_entries,
                                    struct upc_local_memvec const *memvec, size_t filevec_entries,
                                    struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fread_list_shared_async(upc_file_t *fd, size_t memvec_entries,
                                     struct upc_shared_memvec const *memvec,
                                     size_t filevec_entries, struct upc_filevec const *filevec,
                                     upc_flag_t flags);
void upc_all_fwrite_list_local_async(upc_file_t *fd, size_t memvec_entries,
                                     struct upc_local_memvec const *memvec, size_t filevec_entries,
                                     struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fwrite_list_shared_async(upc_file_t *fd, size_t memvec_entries,
                                      struct upc_shared_memvec const *memvec,
                                      size_t filevec_entries, struct upc_filevec const *filevec,
                                      upc_flag_t flags);
upc_off_t upc_all_fwait_async(upc_file_t *fd);
upc_off_t upc_all_ftest_async(upc_file_t *fd, int *flag);
#endif

#endif
