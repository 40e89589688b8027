/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that read and write lists of places (UPC 1.3 library 7.8.6). Lists are copied: the
 * program may change those of an asynchronous operation as soon as it has begun (7.8.7p4). */
#include "library/io_file.h"

#include <errno.h>
#include <stdlib.h>

/* Copies the regions and adds up their bytes; false if the sum overflows. Empty entries are left
 * out. */
static bool copy_memory(const struct upc_io_lists *lists, struct upc_io_region *regions,
                        size_t *n_p, uint64_t *bytes_p) {
    size_t n = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < lists->n_memory; i++) {
        struct upc_io_region region =
            lists->local
                ? (struct upc_io_region){(uint64_t)lists->local[i].baseaddr, 0, lists->local[i].len}
                : upc_io_region(upcr_address(lists->shared[i].baseaddr),
                                lists->shared[i].blocksize, lists->shared[i].len);
        if (region.bytes > 0) {
            regions[n++] = region;
        }
        if (__builtin_add_overflow(bytes, region.bytes, &bytes)) {
            return false;
        }
    }
    *n_p = n;
    *bytes_p = bytes;
    return true;
}

/* The same for the file; adjoining entries become one extent. Null, or what is wrong. */
static const char *copy_extents(const struct upc_io_lists *lists, bool writes,
                                struct fl_io_extent *extents, size_t *n_p, uint64_t *bytes_p) {
    size_t n = 0;
    uint64_t bytes = 0;
    int64_t least = 0, end = 0;
    for (size_t i = 0; i < lists->n_file; i++) {
        struct fl_io_extent extent = {lists->file[i].offset, lists->file[i].len};
        if (extent.bytes == 0) {
            continue;
        }
        if (extent.offset < least) {
            return "the offsets of filevec must not be negative, nor decrease";
        }
        if (writes && extent.offset < end) {
            return "the entries of filevec overlap";
        }
        bool adjoins = n > 0 && extent.offset == end;
        if (__builtin_add_overflow(extent.offset, extent.bytes, &end)) {
            return "an entry of filevec ends beyond the largest file";
        }
        if (adjoins) {
            extents[n - 1].bytes += extent.bytes;
        } else {
            extents[n++] = extent;
        }
        least = extent.offset;
        bytes += extent.bytes;
    }
    *n_p = n;
    *bytes_p = bytes;
    return NULL;
}

static int by_base(const void *a, const void *b) {
    const struct upc_io_region *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

/* Whether regions overlap. Costs a copy and a sort, so only for checked jobs; blocked regions are
 * not checked. */
static bool overlap(const struct upc_io_region *regions, size_t n) {
    struct upc_io_region *sorted = malloc(n * sizeof *sorted);
    bool found = false;
    size_t m = 0;
    for (size_t i = 0; i < n && sorted; i++) {
        if (regions[i].block == 0) {
            sorted[m++] = regions[i];
        }
    }
    if (m > 1) {
        qsort(sorted, m, sizeof *sorted, by_base);
    }
    for (size_t i = 1; i < m; i++) {
        found = found || sorted[i].base - sorted[i - 1].base < sorted[i - 1].bytes;
    }
    free(sorted);
    return found;
}

static const char *check_memory(const struct upc_io_call *call, bool shared, size_t n) {
    const struct upc_io_region *regions = call->memory.list;
    for (size_t i = 0; i < n; i++) {
        if (shared ? !fl_space_holds(&upc_process.space, regions[i].base) : regions[i].base == 0) {
            return "an entry of memvec is null, or not in shared memory";
        }
    }
    if (upc_process.check && !call->writes && overlap(regions, n)) {
        return "the entries of memvec overlap";
    }
    return NULL;
}

static void set_lists(struct upc_io_call *call, const struct upc_io_lists *lists) {
    size_t n;
    uint64_t bytes;
    if ((lists->n_memory > 0 && !lists->local && !lists->shared) ||
        (lists->n_file > 0 && !lists->file)) {
        call->error = upc_io_misuse(call->use, EFAULT, "a list is null");
        return;
    }
    call->memory.list = calloc(lists->n_memory + 1, sizeof *call->memory.list);
    call->extents = calloc(lists->n_file + 1, sizeof *call->extents);
    if (!call->memory.list || !call->extents) {
        call->error = ENOMEM;
        return;
    }
    const char *wrong =
        copy_extents(lists, call->writes, call->extents, &call->n_extents, &call->total);
    if (!wrong && (!copy_memory(lists, call->memory.list, &n, &bytes) || bytes != call->total)) {
        wrong = "memvec and filevec have different numbers of bytes";
    }
    if (wrong) {
        call->error = upc_io_misuse(call->use, EINVAL, wrong);
        return;
    }
    wrong = check_memory(call, lists->shared != NULL, n);
    if (wrong) {
        call->error = upc_io_misuse(call->use, EFAULT, wrong);
    }
}

bool upc_io_list(struct upc_io_call *call, const struct upc_io_name *name, struct upcr_file *handle,
                 const struct upc_io_lists *lists, upc_flag_t flags) {
    if (!upc_io_call(call, name, handle, flags)) {
        return false;
    }
    if (!call->error) {
        set_lists(call, lists);
    }
    return true;
}

static upc_off_t run(struct upcr_file *fd, enum upc_barrier_use use, bool writes,
                     const struct upc_io_lists *lists, upc_flag_t flags) {
    const struct upc_io_name name = {use, writes, false};
    struct upc_io_call call;
    return upc_io_list(&call, &name, fd, lists, flags) ? upc_io_run(&call) : -1;
}

upc_off_t upc_all_fread_list_local(struct upcr_file *fd, size_t memvec_entries,
                                   const struct upc_local_memvec *memvec, size_t filevec_entries,
                                   const struct upc_filevec *filevec, upc_flag_t flags) {
    return run(fd, UPC_AT_FREAD_LIST_LOCAL, false,
               &(struct upc_io_lists){memvec_entries, filevec_entries, memvec, NULL, filevec},
               flags);
}

upc_off_t upc_all_fwrite_list_local(struct upcr_file *fd, size_t memvec_entries,
                                    const struct upc_local_memvec *memvec, size_t filevec_entries,
                                    const struct upc_filevec *filevec, upc_flag_t flags) {
    return run(fd, UPC_AT_FWRITE_LIST_LOCAL, true,
               &(struct upc_io_lists){memvec_entries, filevec_entries, memvec, NULL, filevec},
               flags);
}

upc_off_t upc_all_fread_list_shared(struct upcr_file *fd, size_t memvec_entries,
                                    const struct upc_shared_memvec *memvec, size_t filevec_entries,
                                    const struct upc_filevec *filevec, upc_flag_t flags) {
    return run(fd, UPC_AT_FREAD_LIST_SHARED, false,
               &(struct upc_io_lists){memvec_entries, filevec_entries, NULL, memvec, filevec},
               flags);
}

upc_off_t upc_all_fwrite_list_shared(struct upcr_file *fd, size_t memvec_entries,
                                     const struct upc_shared_memvec *memvec,
                                     size_t filevec_entries, const struct upc_filevec *filevec,
                                     upc_flag_t flags) {
    return run(fd, UPC_AT_FWRITE_LIST_SHARED, true,
               &(struct upc_io_lists){memvec_entries, filevec_entries, NULL, memvec, filevec},
               flags);
}
