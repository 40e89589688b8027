/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory files and reservations. Linux. See os.h. */
#include "platform/os.h"
#include "platform/os_available.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1; older headers lack it */
#endif

int fl_os_memory_create(const char *name, int *fd_p) {
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0 && (errno == EPERM || errno == ENOSYS)) {
        /* A sandbox refuses the call: create an unnamed file in memory, freed when its users
         * end. */
        fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    }
    if (fd < 0) {
        return -errno;
    }
    *fd_p = fd;
    return 0;
}

int fl_os_memory_open(int pid, int fd, int *fd_p) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    int own = open(path, O_RDWR | O_CLOEXEC);
    if (own < 0) {
        return -errno;
    }
    *fd_p = own;
    return 0;
}

int fl_os_memory_grow(int fd, uint64_t bytes) {
    /* Over `ulimit -f` the kernel also sends SIGXFSZ, which would end the process unexplained. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGXFSZ, &ignore, &old);
    int error = ftruncate(fd, (off_t)bytes) == 0 ? 0 : -errno;
    sigaction(SIGXFSZ, &old, NULL);
    return error;
}

int fl_os_file_create(const char *path, uint64_t bytes, int *fd_p) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        return -errno;
    }
    int error = fallocate(fd, 0, 0, (off_t)bytes) == 0 ? 0 : -errno;
    if (error == -EOPNOTSUPP || error == -ENOSYS) {
        error = fl_os_memory_grow(fd, bytes);
    }
    if (error) {
        close(fd);
        return error;
    }
    *fd_p = fd;
    return 0;
}

uint64_t fl_os_resident_peak_sigsafe(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

int fl_os_memory_reserve(uintptr_t address, uint64_t bytes) {
    void *got = mmap((void *)address, bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        return -errno;
    }
    if (got != (void *)address) { /* kernels before 4.17 ignore the flag */
        munmap(got, bytes);
        return -EEXIST;
    }
    madvise(got, bytes, MADV_DONTDUMP);
    return 0;
}

void *fl_os_memory_private(uint64_t bytes) {
    void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? NULL : got;
}

int fl_os_memory_private_at(uintptr_t address, uint64_t bytes) {
    int error = fl_os_memory_reserve(address, bytes);
    return error ? error : fl_os_memory_protect((void *)address, bytes, true, true);
}

int fl_os_memory_map_at(uintptr_t address, int fd, uint64_t offset, uint64_t bytes) {
    void *got = mmap((void *)address, bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, (off_t)offset);
    if (got == MAP_FAILED) {
        return -errno;
    }
    madvise(got, bytes, MADV_DONTDUMP);
    return 0;
}

int fl_os_memory_map(int fd, uint64_t offset, uint64_t bytes, void **address_p) {
    void *got =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);
    if (got == MAP_FAILED) {
        return -errno;
    }
    madvise(got, bytes, MADV_DONTDUMP);
    *address_p = got;
    return 0;
}

int fl_os_memory_punch(int fd, uint64_t offset, uint64_t bytes) {
    int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    return fallocate(fd, mode, (off_t)offset, (off_t)bytes) == 0 ? 0 : -errno;
}

void fl_os_memory_prefer_huge(void *address, uint64_t bytes) {
    madvise(address, bytes, MADV_HUGEPAGE);
}

void fl_os_memory_collapse(void *address, uint64_t bytes) {
    enum { HUGE = 2 << 20 };
    uintptr_t first = ((uintptr_t)address + HUGE - 1) / HUGE * HUGE;
    uintptr_t end = ((uintptr_t)address + bytes) / HUGE * HUGE;
    /* The kernel collapses only where at least one page is present. */
    for (uintptr_t at = first; at < end; at += HUGE) {
        *(volatile char *)at = 0;
    }
    if (first < end) {
        madvise((void *)first, end - first, MADV_COLLAPSE);
    }
}

bool fl_os_memory_is_mapped(const void *address, size_t bytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)address;
    uintptr_t first = begin - begin % page;
    return bytes == 0 || msync((void *)first, begin + bytes - first, MS_ASYNC) == 0;
}

uint64_t fl_os_memory_resident(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? (uint64_t)status.st_blocks * 512 : 0;
}

uint64_t fl_os_memory_available(void) {
    uint64_t machine = os_machine_available();
    uint64_t group = os_group_available();
    return machine < group ? machine : group;
}

uint64_t fl_os_address_space_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return UINT64_MAX;
    }
    return limit.rlim_cur;
}
