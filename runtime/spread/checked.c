/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names by which a program that was compiled with _FORTIFY_SOURCE calls the functions of
 * calls.c and results.c, with the size of the memory that it passes. Distributions compile so by
 * default.
 *
 * Each ends in a jump: the function that it leads to looks at its return address, which has to be
 * the program's (CMakeLists.txt).
 */
#include "spread/inside.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

_Noreturn void __chk_fail(void);

/* `bytes` go to memory that has `room`. */
#define CHECKED(type, name, parameters, bytes, call)                                               \
    type name parameters;                                                                          \
    FL_EXPORT type name parameters {                                                               \
        if ((bytes) > room) {                                                                      \
            __chk_fail();                                                                          \
        }                                                                                          \
        return call;                                                                               \
    }

CHECKED(ssize_t, __read_chk, (int fd, void *to, size_t n, size_t room), n, read(fd, to, n))
CHECKED(ssize_t, __pread_chk, (int fd, void *to, size_t n, off_t offset, size_t room), n,
        pread(fd, to, n, offset))
CHECKED(ssize_t, __pread64_chk, (int fd, void *to, size_t n, off64_t offset, size_t room), n,
        pread(fd, to, n, offset))
CHECKED(ssize_t, __recv_chk, (int fd, void *to, size_t n, size_t room, int flags), n,
        recv(fd, to, n, flags))
CHECKED(ssize_t, __recvfrom_chk,
        (int fd, void *to, size_t n, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *size),
        n, recvfrom(fd, to, n, flags, from, size))
CHECKED(ssize_t, __readlink_chk, (const char *path, char *to, size_t n, size_t room), n,
        readlink(path, to, n))
CHECKED(ssize_t, __readlinkat_chk, (int at, const char *path, char *to, size_t n, size_t room), n,
        readlinkat(at, path, to, n))
CHECKED(char *, __getcwd_chk, (char *to, size_t n, size_t room), n, getcwd(to, n))
CHECKED(char *, __realpath_chk, (const char *path, char *to, size_t room), (size_t)PATH_MAX,
        realpath(path, to))
CHECKED(int, __getgroups_chk, (int n, gid_t *to, size_t room), (size_t)n * sizeof *to,
        getgroups(n, to))
CHECKED(int, __ttyname_r_chk, (int fd, char *to, size_t n, size_t room), n, ttyname_r(fd, to, n))
CHECKED(int, __poll_chk, (struct pollfd *all, nfds_t n, int timeout, size_t room), n * sizeof *all,
        poll(all, n, timeout))
CHECKED(int, __ppoll_chk,
        (struct pollfd *all, nfds_t n, const struct timespec *timeout, const sigset_t *set,
         size_t room),
        n * sizeof *all, ppoll(all, n, timeout, set))

#define CHECKED_READ(name, function)                                                               \
    CHECKED(size_t, name, (void *to, size_t room, size_t size, size_t n, FILE *file),              \
            size != 0 && n > SIZE_MAX / size ? SIZE_MAX : size * n, function(to, size, n, file))
CHECKED_READ(__fread_chk, fread)
#undef fread_unlocked
CHECKED_READ(__fread_unlocked_chk, fread_unlocked)

/* Flags that ask for a mode, of which there is none. */
#define CHECKED_OPEN(name, parameters, call)                                                       \
    int name parameters;                                                                           \
    FL_EXPORT int name parameters {                                                                \
        if (__OPEN_NEEDS_MODE(flags)) {                                                            \
            __chk_fail();                                                                          \
        }                                                                                          \
        return call;                                                                               \
    }
CHECKED_OPEN(__open_2, (const char *path, int flags), open(path, flags))
CHECKED_OPEN(__open64_2, (const char *path, int flags), open(path, flags))
CHECKED_OPEN(__openat_2, (int at, const char *path, int flags), openat(at, path, flags))
CHECKED_OPEN(__openat64_2, (int at, const char *path, int flags), openat(at, path, flags))
