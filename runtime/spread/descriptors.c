/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files by their numbers. Each host's kernel numbers them for itself; so host 0 has the first
 * numbers, and each other host some of its own, below which it keeps all others in use. A number
 * that this host has not opened tells which host has; operations on it are performed there.
 */
#include "spread/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OF_HOST_0 = 512,
    OF_OTHERS = 256, /* each */
    MOST = 1 << 16,  /* larger numbers are this host's only */
};

static struct {
    bool prepared;
    bool own[MOST];            /* the runtime's, among numbers below this host's */
    _Atomic bool opened[MOST]; /* by the program, here */
} descriptors;

static int first_of(unsigned host) {
    return host == 0 ? 0 : OF_HOST_0 + (int)(host - 1) * OF_OTHERS;
}

static unsigned owner_of(int fd) {
    return fd < OF_HOST_0 ? 0 : 1 + (unsigned)(fd - OF_HOST_0) / OF_OTHERS;
}

static bool is_open_here(int fd) {
    /* Relaxed: other threads learn the number of a file by a synchronisation with its opener. */
    return fd >= 0 && fd < MOST &&
           atomic_load_explicit(&descriptors.opened[fd], memory_order_relaxed);
}

/* Each host has standard streams of its own. */
static bool is_standard(int fd) {
    return fd >= STDIN_FILENO && fd <= STDERR_FILENO;
}

/* Keeps all numbers below this host's in use. Where the system allows too few, numbers mean files
 * of the calling thread's host only. */
void fl_descriptors_prepare(void) {
    struct rlimit limit;
    int first = first_of(fl_spread_me());
    rlim_t wanted = (rlim_t)first_of(fl_spread_hosts()) + 1024;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < (rlim_t)first_of(fl_spread_me() + 1)) {
        fl_warn("%s allows a process %llu descriptors: those of files that other hosts have opened, and "
                "streams of C++, cannot be used there; with %u hosts, raise the limit (ulimit -Hn) "
                "to %llu", fl_job_host_name(&fl_spread.job, fl_spread_me()),
                (unsigned long long)limit.rlim_cur, fl_spread_hosts(), (unsigned long long)wanted);
        return;
    }
    for (int fd = STDERR_FILENO + 1; fd < first && fd < MOST; fd++) {
        descriptors.own[fd] = FL_NEXT(fcntl)(fd, F_GETFD) != -1;
    }
    int last = open("/dev/null", O_PATH | O_CLOEXEC); /* a descriptor that allows no operation */
    if (last >= 0 && first > 0) {
        (void)FL_NEXT(dup2)(last, STDIN_FILENO); /* host 0 has it: reading is an error, not an end */
    }
    while (last >= 0 && last < first) {
        last = fcntl(last, F_DUPFD_CLOEXEC, last + 1);
    }
    if (last >= 0) {
        FL_NEXT(close)(last);
        descriptors.prepared = true;
    }
}

void fl_descriptors_note(int fd) {
    /* The program has host 0's memory, and so no files of other hosts' constructors. */
    enum fl_spread_phase phase = fl_spread_phase();
    bool counts = phase == FL_SPREAD_TOGETHER ||
                  (phase == FL_SPREAD_CONSTRUCTORS && fl_spread_me() == 0);
    if (counts && fd >= 0 && fd < MOST) {
        atomic_store_explicit(&descriptors.opened[fd], true, memory_order_relaxed);
    }
}

int fl_descriptors_opened(int fd, const void *pc) {
    if (fl_object_of(pc) >= FL_OBJECT_OPENMP) { /* which calls what ends in a call of this */
        fl_descriptors_note(fd);
    }
    return fd;
}

void fl_descriptors_closed(int fd) {
    if (fd >= 0 && fd < MOST) {
        atomic_store_explicit(&descriptors.opened[fd], false, memory_order_relaxed);
    }
}

bool fl_descriptors_is_far(int fd, const void *pc) {
    if (!fl_spread_together() || !descriptors.prepared || fd < 0 || is_standard(fd) ||
        is_open_here(fd)) {
        return false;
    }
    unsigned owner = owner_of(fd);
    if (owner == fl_spread_me() || owner >= fl_spread_hosts()) {
        return false;
    }
    /* The caller is known only if its call is no tail call. */
    return fd < first_of(fl_spread_me())
               ? !descriptors.own[fd] || fl_object_of(pc) >= FL_OBJECT_LIBRARY
               : FL_NEXT(fcntl)(fd, F_GETFD) == -1;
}

/* ---- what the owner does ---- */

/* Operations; smaller numbers are lseek's `whence`. */
enum operation { SYNC = 16, DATASYNC, TRUNCATE, STAT, CLOSE };

/* The descriptor; -1, after an answer of EBADF: the program has not opened it here. */
static int number_in(const struct fl_proxy_request *request) {
    int fd = (int)request->words[0];
    if (is_open_here(fd)) {
        return fd;
    }
    errno = EBADF;
    fl_proxy_answer(request, -1, NULL, 0);
    return -1;
}

/* fd, bytes, offset or -1 */
void fl_descriptors_serve_read(const struct fl_proxy_request *request) {
    int fd = number_in(request);
    size_t bytes = request->words[1];
    int64_t offset = (int64_t)request->words[2];
    char *to = fd >= 0 ? malloc(bytes) : NULL;
    if (fd >= 0) {
        ssize_t got = !to            ? -1
                      : offset == -1 ? FL_NEXT(read)(fd, to, bytes)
                                     : FL_NEXT(pread)(fd, to, bytes, offset);
        fl_proxy_answer(request, got, to, got > 0 ? (size_t)got : 0);
    }
    free(to);
}

/* fd, 0, offset or -1 */
void fl_descriptors_serve_write(const struct fl_proxy_request *request) {
    int fd = number_in(request);
    int64_t offset = (int64_t)request->words[2];
    if (fd >= 0) {
        ssize_t put = offset == -1
                          ? FL_NEXT(write)(fd, request->payload, request->bytes)
                          : FL_NEXT(pwrite)(fd, request->payload, request->bytes, offset);
        fl_proxy_answer(request, put, NULL, 0);
    }
}

static int64_t perform(int fd, const struct fl_proxy_request *request, struct stat *status) {
    int64_t argument = (int64_t)request->words[2];
    switch (request->words[1]) {
    case SYNC:
        return fsync(fd);
    case DATASYNC:
        return fdatasync(fd);
    case TRUNCATE:
        return ftruncate(fd, argument);
    case STAT:
        return FL_NEXT(fstat)(fd, status);
    case CLOSE:
        fl_descriptors_closed(fd);
        return FL_NEXT(close)(fd);
    }
    return lseek(fd, argument, (int)request->words[1]);
}

/* fd, operation, argument */
void fl_descriptors_serve(const struct fl_proxy_request *request) {
    int fd = number_in(request);
    struct stat status;
    if (fd >= 0) {
        int64_t result = perform(fd, request, &status);
        bool says = request->words[1] == STAT && result == 0;
        fl_proxy_answer(request, result, &status, says ? sizeof status : 0);
    }
}

bool fl_descriptors_may_wait(int fd) {
    struct stat status;
    return FL_NEXT(fstat)(fd, &status) == 0 && !S_ISREG(status.st_mode);
}

/* ---- the asker ---- */

static int64_t ask(int fd, uint64_t operation, int64_t argument, void *to, size_t room) {
    const uint64_t words[3] = {(uint64_t)fd, operation, (uint64_t)argument};
    return fl_proxy_ask(owner_of(fd), FL_PROXY_DESCRIPTOR, words, NULL, 0, to, room);
}

/* Otherwise a short read is enough: another one may block. */
static bool is_regular(int fd) {
    struct stat status;
    return ask(fd, STAT, 0, &status, sizeof status) == 0 && S_ISREG(status.st_mode);
}

ssize_t fl_descriptors_read(int fd, void *to, size_t bytes, int64_t offset) {
    size_t most = fl_proxy_most(), done = 0;
    if (bytes > most && !is_regular(fd)) {
        bytes = most;
    }
    char *piece = malloc(most); /* answers arrive in handlers, which cannot fetch pages */
    if (!piece) {
        return -1;
    }
    for (;;) {
        size_t room = bytes - done < most ? bytes - done : most;
        const uint64_t words[3] = {(uint64_t)fd, room,
                                   (uint64_t)(offset == -1 ? -1 : offset + (int64_t)done)};
        ssize_t got = fl_proxy_ask(owner_of(fd), FL_PROXY_READ, words, NULL, 0, piece, room);
        if (got <= 0) {
            free(piece);
            return done ? (ssize_t)done : got;
        }
        memcpy((char *)to + done, piece, (size_t)got);
        done += (size_t)got;
        if ((size_t)got < room || done == bytes) {
            free(piece);
            return (ssize_t)done;
        }
    }
}

/* In pieces, until all is written: programs take it for granted that a file takes all. */
ssize_t fl_descriptors_write(int fd, const void *from, size_t bytes, int64_t offset) {
    size_t done = 0;
    do {
        size_t n = bytes - done < fl_proxy_most() ? bytes - done : fl_proxy_most();
        const uint64_t words[3] = {(uint64_t)fd, 0,
                                   (uint64_t)(offset == -1 ? -1 : offset + (int64_t)done)};
        ssize_t put = fl_proxy_ask(owner_of(fd), FL_PROXY_WRITE, words, (const char *)from + done, n,
                                   NULL, 0);
        if (put < 0) {
            return done ? (ssize_t)done : -1;
        }
        done += (size_t)put;
        if ((size_t)put < n) {
            break;
        }
    } while (done < bytes);
    return (ssize_t)done;
}

/* ---- in the C library's place ---- */

#define IS_FAR(fd) fl_descriptors_is_far(fd, __builtin_return_address(0))

FL_EXPORT off_t lseek(int fd, off_t offset, int whence) {
    return IS_FAR(fd) ? ask(fd, (uint64_t)whence, offset, NULL, 0)
                      : FL_NEXT(lseek)(fd, offset, whence);
}

#define DOES(name, operation, argument, parameters, arguments)                                     \
    FL_EXPORT int name parameters {                                                                \
        return IS_FAR(fd) ? (int)ask(fd, operation, argument, NULL, 0) : FL_NEXT(name) arguments;  \
    }
DOES(fsync, SYNC, 0, (int fd), (fd))
DOES(fdatasync, DATASYNC, 0, (int fd), (fd))
DOES(ftruncate, TRUNCATE, bytes, (int fd, off_t bytes), (fd, bytes))

FL_EXPORT int close(int fd) {
    if (IS_FAR(fd)) {
        return (int)ask(fd, CLOSE, 0, NULL, 0);
    }
    fl_descriptors_closed(fd);
    return FL_NEXT(close)(fd);
}

/* By way of `own`: the kernel always finds this host's stacks. */
FL_EXPORT int fstat(int fd, struct stat *to) {
    struct stat own;
    bool far = fl_spread_together() && IS_FAR(fd);
    int result = far ? (int)ask(fd, STAT, 0, &own, sizeof own) : FL_NEXT(fstat)(fd, &own);
    if (result == 0) {
        *to = own;
    }
    return result;
}

#define OPENS(name, parameters, arguments)                                                         \
    FL_EXPORT int name parameters {                                                                \
        return fl_descriptors_opened(FL_NEXT(name) arguments, __builtin_return_address(0));        \
    }
#define COPIES(name, parameters, arguments)                                                        \
    FL_EXPORT int name parameters {                                                                \
        if (IS_FAR(fd)) {                                                                          \
            errno = EBADF;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        fl_output_note_copy(fd);                                                                   \
        return fl_descriptors_opened(FL_NEXT(name) arguments, __builtin_return_address(0));        \
    }
COPIES(dup, (int fd), (fd))
COPIES(dup2, (int fd, int to), (fd, to))
COPIES(dup3, (int fd, int to, int flags), (fd, to, flags))
OPENS(socket, (int domain, int type, int protocol), (domain, type, protocol))

#define OPENS_TWO(name, parameters, arguments)                                                     \
    FL_EXPORT int name parameters {                                                                \
        int own[2];                                                                                \
        int result = FL_NEXT(name) arguments;                                                      \
        for (int i = 0; result == 0 && i < 2; i++) {                                               \
            fds[i] = fl_descriptors_opened(own[i], __builtin_return_address(0));                   \
        }                                                                                          \
        return result;                                                                             \
    }
OPENS_TWO(pipe, (int fds[2]), (own))
OPENS_TWO(pipe2, (int fds[2], int flags), (own, flags))
OPENS_TWO(socketpair, (int domain, int type, int protocol, int fds[2]),
          (domain, type, protocol, own))
