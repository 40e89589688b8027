/* SPDX-License-Identifier: BSD-3-Clause */
/* Page faults that the runtime resolves itself, by userfaultfd or by access rights. Linux. */
#include "platform/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

/* Newer than some headers. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1 /* Linux 5.11 */
#endif
#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13) /* Linux 6.4, which also has: */
#endif
#ifndef UFFDIO_CONTINUE_MODE_WP
#define UFFDIO_CONTINUE_MODE_WP ((__u64)1 << 1)
#endif
#ifndef PIDFD_SELF
#define PIDFD_SELF (-10000) /* Linux 6.14 */
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15) /* Linux 6.7, which also has: */
#endif
#ifndef PAGEMAP_SCAN
#define PAGEMAP_SCAN _IOWR('f', 16, struct pm_scan_arg)
#define PM_SCAN_WP_MATCHING (1 << 0)
#define PAGE_IS_WRITTEN (1 << 1)
struct page_region {
    __u64 start, end, categories;
};
struct pm_scan_arg {
    __u64 size, flags, start, end, walk_end, vec, vec_len, max_pages;
    __u64 category_inverted, category_mask, category_anyof_mask, return_mask;
};
#endif

/* ---- the signals ---- */

/* The process has one table of signal handlers: the function called first, and the handlers
 * before. */
static struct {
    bool (*resolve)(uintptr_t address, bool write, uintptr_t pc);
    struct sigaction segv, bus;
    struct { /* of the program, used instead of those; null: none */
        struct sigaction actions[2];
        const struct sigaction *segv, *bus;
    } program;
} caught;

/* Unblocks the two signals; of the others those are blocked that the kernel would block for
 * `action`. */
static void unblock(const struct sigaction *action, const ucontext_t *context) {
    sigset_t blocked;
    sigorset(&blocked, &context->uc_sigmask, &action->sa_mask);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

/* Calls the handler of the program, or the one before. If there is none, the repeated access, or
 * the repeated signal, ends the process. */
static void pass_on(int number, siginfo_t *info, void *context) {
    const struct sigaction *old = number == SIGSEGV ? &caught.segv : &caught.bus;
    const struct sigaction *own = number == SIGSEGV ? caught.program.segv : caught.program.bus;
    if (own) {
        old = own;
        unblock(own, context);
    }
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, info, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
    } else {
        signal(number, SIG_DFL);
        if (info->si_code <= 0) {
            raise(number);
        }
    }
}

static void on_fault(int number, siginfo_t *info, void *context) {
    int error = errno;
    bool by_access = info->si_code > 0;
    if (!by_access || !caught.resolve((uintptr_t)info->si_addr, fl_os_fault_is_write(context),
                                      fl_os_fault_pc(context))) {
        pass_on(number, info, context);
    }
    errno = error;
}

static struct sigaction own_action(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigfillset(&action.sa_mask);
    return action;
}

int fl_os_fault_catch(bool (*resolve_sigsafe)(uintptr_t address, bool write, uintptr_t pc)) {
    struct sigaction action = own_action();
    caught.resolve = resolve_sigsafe;
    if (sigaction(SIGSEGV, &action, &caught.segv) || sigaction(SIGBUS, &action, &caught.bus)) {
        return -errno;
    }
    return 0;
}

void fl_os_fault_catch_again(void) {
    struct sigaction action = own_action();
    (void)sigaction(SIGSEGV, &action, NULL);
    (void)sigaction(SIGBUS, &action, NULL);
}

void fl_os_fault_program(int number, const struct sigaction *action, struct sigaction *before_p) {
    const struct sigaction **own = number == SIGSEGV ? &caught.program.segv : &caught.program.bus;
    if (before_p) {
        *before_p = *own ? **own : (struct sigaction){.sa_handler = SIG_DFL};
    }
    if (action) {
        struct sigaction *room = &caught.program.actions[number == SIGSEGV];
        bool none = !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
        *own = NULL;
        *room = *action;
        *own = none ? NULL : room;
    }
}

/* ---- access rights ---- */

int fl_os_memory_protect(void *address, size_t bytes, bool readable, bool writable) {
    int rights = (readable ? PROT_READ : PROT_NONE) | (writable ? PROT_WRITE : 0);
    return mprotect(address, bytes, rights) == 0 ? 0 : -errno;
}

/* ---- userfaultfd ---- */

/* Belongs to the process that opened a noting descriptor last: not to the one it was forked
 * from. */
static int pagemap = -1;

static int open_pagemap(void) {
    if (pagemap >= 0) {
        close(pagemap);
    }
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    return pagemap < 0 ? -errno : 0;
}

int fl_os_watch_open(int *fd_p, bool noting) {
    int error = noting ? open_pagemap() : 0;
    if (error) {
        return error;
    }
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
    if (fd < 0) {
        return -errno;
    }
    struct uffdio_api api = {.api = UFFD_API,
                             .features = UFFD_FEATURE_SIGBUS | UFFD_FEATURE_MISSING_SHMEM |
                                         UFFD_FEATURE_MINOR_SHMEM |
                                         UFFD_FEATURE_WP_HUGETLBFS_SHMEM |
                                         UFFD_FEATURE_WP_UNPOPULATED |
                                         (noting ? UFFD_FEATURE_WP_ASYNC : 0)};
    if (ioctl(fd, UFFDIO_API, &api) != 0) {
        error = -errno;
        close(fd);
        return error;
    }
    void *end;
    error = noting ? fl_os_watch_written(NULL, 0, NULL, 0, &end) : 0;
    if (error) {
        close(fd);
        return error;
    }
    *fd_p = fd;
    return 0;
}

int fl_os_watch(int fd, void *address, size_t bytes) {
    /* Without MISSING the kernel would fill pages that the file lacks with zeros. */
    struct uffdio_register range = {.range = {(uintptr_t)address, bytes},
                                    .mode = UFFDIO_REGISTER_MODE_MISSING |
                                            UFFDIO_REGISTER_MODE_MINOR |
                                            UFFDIO_REGISTER_MODE_WP};
    return ioctl(fd, UFFDIO_REGISTER, &range) == 0 ? 0 : -errno;
}

int fl_os_watch_move(int from, int to, void *address, size_t bytes) {
    struct uffdio_range range = {(uintptr_t)address, bytes};
    if (ioctl(from, UFFDIO_UNREGISTER, &range) != 0) {
        return -errno;
    }
    return fl_os_watch(to, address, bytes);
}

int fl_os_watch_protect(int fd, void *address, size_t bytes, bool protected) {
    struct uffdio_writeprotect range = {.range = {(uintptr_t)address, bytes},
                                        .mode = protected ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
    while (ioctl(fd, UFFDIO_WRITEPROTECT, &range) != 0) {
        if (errno != EAGAIN) {
            return -errno;
        }
    }
    return 0;
}

int fl_os_watch_map(int fd, void *address, size_t bytes, bool writable) {
    char *at = address;
    char *end = at + bytes;
    while (at < end) {
        struct uffdio_continue range = {.range = {(uintptr_t)at, (size_t)(end - at)},
                                        .mode = writable ? 0 : UFFDIO_CONTINUE_MODE_WP};
        if (ioctl(fd, UFFDIO_CONTINUE, &range) == 0) {
            return 0;
        }
        if (range.mapped > 0) {
            at += range.mapped;
        } else if (errno == EEXIST) {
            size_t page = (size_t)sysconf(_SC_PAGESIZE);
            int error = writable ? fl_os_watch_protect(fd, at, page, false) : 0;
            if (error) {
                return error;
            }
            at += page;
        } else if (errno != EAGAIN) {
            return -errno;
        }
    }
    return 0;
}

int fl_os_watch_unmap(const struct fl_os_run *runs, unsigned n) {
    enum { MOST = 512 };
    struct iovec pieces[MOST];
    while (n > 0) {
        unsigned some = n < MOST ? n : MOST;
        size_t bytes = 0;
        for (unsigned i = 0; i < some; i++) {
            pieces[i] = (struct iovec){runs[i].address, runs[i].bytes};
            bytes += runs[i].bytes;
        }
        /* The system call acts on the calling process since Linux 6.13. */
        bool all = some > 1 && syscall(SYS_process_madvise, PIDFD_SELF, pieces, some,
                                       MADV_DONTNEED, 0) == (long)bytes;
        for (unsigned i = 0; i < some && !all; i++) {
            if (madvise(runs[i].address, runs[i].bytes, MADV_DONTNEED) != 0) {
                return -errno;
            }
        }
        runs += some;
        n -= some;
    }
    return 0;
}

int fl_os_watch_written(void *address, size_t bytes, struct fl_os_run *runs, unsigned n,
                        void **end_p) {
    enum { MOST = 64 };
    struct page_region regions[MOST];
    struct pm_scan_arg scan = {.size = sizeof scan,
                               .flags = PM_SCAN_WP_MATCHING,
                               .start = (uintptr_t)address,
                               .end = (uintptr_t)address + bytes,
                               .vec = (uintptr_t)regions,
                               .vec_len = n < MOST ? n : MOST,
                               .category_mask = PAGE_IS_WRITTEN,
                               .return_mask = PAGE_IS_WRITTEN};
    int found = ioctl(pagemap, PAGEMAP_SCAN, &scan);
    if (found < 0) {
        return -errno;
    }
    for (int i = 0; i < found; i++) {
        runs[i] = (struct fl_os_run){(void *)(uintptr_t)regions[i].start,
                                     (size_t)(regions[i].end - regions[i].start)};
    }
    *end_p = (void *)(uintptr_t)scan.walk_end;
    return found;
}

uint64_t fl_os_kernel_faults(void) {
    struct rusage usage;
    /* Not by the C library: programs may have another function of that name. */
    syscall(SYS_getrusage, RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}
