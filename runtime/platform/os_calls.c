/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls under names of ours. `send`, `read` and `open` are no names of C's: a program that
 * includes no header of POSIX may have functions of these names, and the linker would lead the
 * runtime to them. So the archives call these in their place (os_calls.names); the runtime's sources
 * use the names that everybody knows. Not in builds with sanitizers, which watch the C library's.
 */
#include "platform/os.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fl_os_call_access(const char *path, int mode);
int fl_os_call_close(int fd);
int fl_os_call_dup(int fd);
int fl_os_call_kill(pid_t pid, int signal);
int fl_os_call_mkdir(const char *path, mode_t mode);
int fl_os_call_open(const char *path, int flags, ...);
int fl_os_call_pause(void);
int fl_os_call_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
ssize_t fl_os_call_read(int fd, void *to, size_t size);
ssize_t fl_os_call_recv(int fd, void *to, size_t size, int flags);
ssize_t fl_os_call_send(int fd, const void *from, size_t size, int flags);
int fl_os_call_unlink(const char *path);
ssize_t fl_os_call_write(int fd, const void *from, size_t size);

int fl_os_call_access(const char *path, int mode) {
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int fl_os_call_close(int fd) {
    return (int)syscall(SYS_close, fd);
}

int fl_os_call_dup(int fd) {
    return (int)syscall(SYS_dup, fd);
}

int fl_os_call_kill(pid_t pid, int signal) {
    return (int)syscall(SYS_kill, pid, signal);
}

int fl_os_call_mkdir(const char *path, mode_t mode) {
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int fl_os_call_open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fl_os_call_pause(void) {
    return (int)syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
}

int fl_os_call_poll(struct pollfd *fds, nfds_t n, int timeout_ms) {
    struct timespec limit = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
    return (int)syscall(SYS_ppoll, fds, n, timeout_ms < 0 ? NULL : &limit, NULL, 0);
}

ssize_t fl_os_call_read(int fd, void *to, size_t size) {
    return syscall(SYS_read, fd, to, size);
}

ssize_t fl_os_call_recv(int fd, void *to, size_t size, int flags) {
    return syscall(SYS_recvfrom, fd, to, size, flags, NULL, NULL);
}

ssize_t fl_os_call_send(int fd, const void *from, size_t size, int flags) {
    return syscall(SYS_sendto, fd, from, size, flags, NULL, 0);
}

int fl_os_call_unlink(const char *path) {
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

ssize_t fl_os_call_write(int fd, const void *from, size_t size) {
    return syscall(SYS_write, fd, from, size);
}
