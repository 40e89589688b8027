/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mmap and its like. Anonymous memory is the heap's, and so is a copy of a file that is mapped. What
 * threads write to a shared mapping goes to the file page by page, by msync, munmap, and at the end
 * of the program, from the host that has mapped it: a page that has another sum than when it was
 * read.
 */
#include "spread/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* A file that this host has mapped, and threads may write to by the mapping. */
struct mapped {
    struct mapped *next;
    char *at;
    size_t bytes;
    int fd; /* the runtime's */
    off_t offset;
    uint64_t sums[]; /* of pages, as they are in the file */
};

static struct {
    struct fl_mutex mutex;
    struct mapped *first;
} mapped;

static uint64_t sum_of(const char *page) {
    uint64_t sum = 0, word;
    for (size_t i = 0; i < PAGE; i += sizeof word) {
        memcpy(&word, page + i, sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 29;
    }
    return sum;
}

/* The part of a mapping that is in the file is written; beyond its end there is nothing to write. */
static int write_back(struct mapped *of) {
    struct stat status;
    int error = fstat(of->fd, &status) != 0 ? errno : 0;
    for (size_t i = 0; !error && i * PAGE < of->bytes; i++) {
        off_t place = of->offset + (off_t)(i * PAGE);
        uint64_t sum = sum_of(of->at + i * PAGE);
        if (place >= status.st_size) {
            break;
        }
        size_t n = status.st_size - place < PAGE ? (size_t)(status.st_size - place) : PAGE;
        if (sum != of->sums[i]) {
            error = pwrite(of->fd, of->at + i * PAGE, n, place) < 0 ? errno : 0;
            of->sums[i] = sum;
        }
    }
    return error;
}

/* Those with memory among `bytes` at `at`. Returns an errno value, or 0. */
static int write_at(const char *at, size_t bytes) {
    int error = 0;
    fl_mutex_lock(&mapped.mutex);
    for (struct mapped *of = mapped.first; of; of = of->next) {
        if (of->at < at + bytes && at < of->at + of->bytes) {
            int failed = write_back(of);
            error = error ? error : failed;
        }
    }
    fl_mutex_unlock(&mapped.mutex);
    return error;
}

void fl_mapped_write(void) {
    (void)write_at(NULL, UINTPTR_MAX);
}

static void *map(void *address, size_t bytes, int rights, int flags, int fd, off_t offset) {
    return (void *)syscall(SYS_mmap, address, bytes, rights, flags, fd, offset);
}

/* ---- files ---- */

/* A file in memory is how processes share some. */
static bool is_in_memory(int fd) {
    struct statfs status;
    return fstatfs(fd, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

static bool is_written(int rights, int flags) {
    return (flags & MAP_TYPE) != MAP_PRIVATE && rights & PROT_WRITE;
}

/* Whether the program may have a copy of the file: it does not see by it what others write to the
 * file. */
static bool maps_copy(int rights, int flags, int fd) {
    struct stat status;
    bool by_place = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
    int mode = fcntl(fd, F_GETFL) & O_ACCMODE;
    bool may = (flags & MAP_TYPE) == MAP_PRIVATE ||
               (is_written(rights, flags) ? mode == O_RDWR && !is_in_memory(fd) : mode == O_RDONLY);
    return !(flags & MAP_ANONYMOUS) && !by_place && !(rights & PROT_EXEC) && may &&
           fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* In the heap, for all hosts, with `more` bytes behind it. Null: the file cannot be read, or is too
 * large. */
static void *copy_file(size_t bytes, size_t more, int fd, off_t offset) {
    char *block = offset % PAGE == 0 && bytes > 0 ? fl_heap_take_pages(bytes + more) : NULL;
    ssize_t n = block ? 1 : 0;
    for (size_t done = 0; n > 0 && done < bytes; done += (size_t)n) {
        n = pread(fd, block + done, bytes - done, offset + (off_t)done);
        if (n < 0) {
            fl_heap_give(block);
            return NULL;
        }
    }
    return block;
}

static void add_mapped(struct mapped *of) {
    fl_mutex_lock(&mapped.mutex);
    of->next = mapped.first;
    mapped.first = of;
    fl_mutex_unlock(&mapped.mutex);
}

/* A copy that is written back. It has a page more than the program knows of: munmap on another host,
 * which does not know of the file, leaves the block to this one. */
static void *copy_to_write(size_t bytes, int fd, off_t offset) {
    size_t pages = fl_heap_whole_pages(bytes) / PAGE;
    char *at = copy_file(bytes, PAGE, fd, offset);
    struct mapped *of = at ? malloc(sizeof *of + pages * sizeof *of->sums) : NULL;
    int own = of ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (own < 0) {
        free(of);
        free(at);
        return NULL;
    }
    *of = (struct mapped){.at = at, .bytes = bytes, .fd = own, .offset = offset};
    for (size_t i = 0; i < pages; i++) {
        of->sums[i] = sum_of(at + i * PAGE);
    }
    add_mapped(of);
    return at;
}

static bool is_mapped(const struct mapped *of, const void *at, size_t bytes) {
    return of->at == at && fl_heap_whole_pages(of->bytes) == fl_heap_whole_pages(bytes);
}

/* Takes it from the list. Null: there is none of this place and size. */
static struct mapped *take_mapped(const void *at, size_t bytes) {
    fl_mutex_lock(&mapped.mutex);
    struct mapped **link = &mapped.first;
    while (*link && !is_mapped(*link, at, bytes)) {
        link = &(*link)->next;
    }
    struct mapped *of = *link;
    if (of) {
        *link = of->next;
    }
    fl_mutex_unlock(&mapped.mutex);
    return of;
}

static void unmap_file(struct mapped *of) {
    (void)write_back(of);
    FL_NEXT(close)(of->fd);
    fl_heap_give(of->at);
    free(of);
}

static void *grow_file(struct mapped *of, size_t bytes) {
    void *larger = write_back(of) ? NULL : copy_to_write(bytes, of->fd, of->offset);
    if (larger) {
        unmap_file(of);
    } else {
        add_mapped(of);
    }
    return larger;
}

/* Null: the mapping is this host's own. */
static void *map_file(size_t bytes, int rights, int flags, int fd, off_t offset) {
    if (!maps_copy(rights, flags, fd)) {
        return NULL;
    }
    return is_written(rights, flags) ? copy_to_write(bytes, fd, offset)
                                     : copy_file(bytes, 0, fd, offset);
}

/* ---- in the C library's place ---- */

#define CALLED_BY_PROGRAM fl_heap_is_program(__builtin_return_address(0))

/* Anonymous memory comes from the heap, with all rights from the begin: a program that reserves
 * addresses makes them accessible later, which changes nothing, or maps zeros there. Memory at a
 * place that is not in the heap, or a reservation that exceeds it, is private. */
static void *map_program(void *address, size_t bytes, int rights, int flags, int fd, off_t offset) {
    bool at_place = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
    void *copy = map_file(bytes, rights, flags, fd, offset);
    if (copy) {
        return copy;
    }
    if (flags & MAP_ANONYMOUS && flags & MAP_FIXED && fl_heap_has(address)) {
        return memset(address, 0, bytes);
    }
    if (!(flags & MAP_ANONYMOUS) || at_place || bytes == 0) {
        return map(address, bytes, rights, flags, fd, offset);
    }
    void *block = fl_heap_take_pages(bytes);
    if (!block && rights == PROT_NONE) {
        return map(address, bytes, rights, flags, fd, offset);
    }
    return block ? block : MAP_FAILED;
}

/* Has no effect on coherent pages, whose rights the fault mechanism sets. */
FL_EXPORT int mprotect(void *address, size_t bytes, int rights) {
    bool stays = CALLED_BY_PROGRAM && (fl_heap_has(address) || fl_spread_is_coherent(address));
    return stays ? 0 : (int)syscall(SYS_mprotect, address, bytes, rights);
}

FL_EXPORT void *mmap(void *address, size_t bytes, int rights, int flags, int fd, off_t offset) {
    return CALLED_BY_PROGRAM ? map_program(address, bytes, rights, flags, fd, offset)
                             : map(address, bytes, rights, flags, fd, offset);
}

FL_EXPORT int msync(void *address, size_t bytes, int flags) {
    if (!fl_heap_has(address) || !fl_spread_phase()) {
        return (int)syscall(SYS_msync, address, bytes, flags);
    }
    int error = write_at(address, bytes);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

/* If only a part of a block is unmapped, the block stays until the program ends. */
FL_EXPORT int munmap(void *address, size_t bytes) {
    if (!fl_heap_has(address) || !fl_spread_phase()) {
        return (int)syscall(SYS_munmap, address, bytes);
    }
    struct mapped *of = take_mapped(address, bytes);
    if (of) {
        unmap_file(of);
    } else if (fl_heap_is_pages(address, bytes)) {
        fl_heap_give(address);
    }
    return 0;
}

static void *grow_block(void *address, size_t old, size_t bytes) {
    void *larger = fl_heap_take_pages(bytes);
    if (larger) {
        memcpy(larger, address, old);
        (void)munmap(address, old);
    }
    return larger;
}

/* What is in the heap moves where it has room: it stays coherent. */
static void *grow(void *address, size_t old, size_t bytes, int flags) {
    if (bytes <= old) {
        return address;
    }
    struct mapped *of = flags == MREMAP_MAYMOVE ? take_mapped(address, old) : NULL;
    void *larger = flags != MREMAP_MAYMOVE ? NULL
                   : of                    ? grow_file(of, bytes)
                                           : grow_block(address, old, bytes);
    if (!larger) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return larger;
}

FL_EXPORT void *mremap(void *address, size_t old, size_t bytes, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    return fl_heap_has(address) && fl_spread_phase()
               ? grow(address, old, bytes, flags)
               : (void *)syscall(SYS_mremap, address, old, bytes, flags, to);
}
