/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that let the kernel access the program's memory. The kernel does not wait for a page of
 * another host: it refuses (EFAULT). What goes to files and sockets, or comes from there, is
 * therefore copied through memory of this process; of other arguments the pages are touched before,
 * and once more if another thread's acquire has taken one away meanwhile (calls.def). A stack of
 * this host needs neither.
 */
#include "spread/inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

extern char **environ;

enum { PIECE = 64 << 10, PAGE = 4096, TRIES = 100 };

/* Whether the kernel could find a page missing there. */
static bool is_away(const void *address) {
    uint64_t own = fl_spread.stacks * fl_spread.stack_bytes;
    return fl_spread_is_coherent(address) &&
           (uintptr_t)address - FL_SPREAD_STACK_BASE - fl_spread_me() * own >= own;
}

/* ---- touching ---- */

static void read_from(const void *from, size_t n) {
    const volatile unsigned char *at = from;
    for (size_t i = 0; at && n > 0 && i < n + PAGE; i += PAGE) {
        (void)at[i < n ? i : n - 1];
    }
}

static void string(const char *text) {
    read_from(text, text ? strlen(text) + 1 : 0);
}

static void strings(char *const *all) {
    for (; all && *all; all++) {
        string(*all);
    }
}

/* Bytes of a set of n descriptors. */
static size_t bits(int n) {
    return n > 0 ? ((size_t)n + 63) / 64 * 8 : 0;
}

/* Without changing anything. Not an atomic `|= 0`: clang makes a load of that. */
static void write_to(volatile unsigned char *at) {
    unsigned char now = *at;
    while (!__atomic_compare_exchange_n(at, &now, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void written(void *to, size_t n) {
    volatile unsigned char *at = to;
    for (size_t i = 0; at && n > 0 && is_away(to) && i < n + PAGE; i += PAGE) {
        write_to(&at[i < n ? i : n - 1]);
    }
}

static void read_from_pieces(const struct iovec *pieces, int n) {
    for (int i = 0; i < n; i++) {
        read_from(pieces[i].iov_base, pieces[i].iov_len);
    }
}

static void written_pieces(const struct iovec *pieces, int n) {
    for (int i = 0; i < n; i++) {
        written(pieces[i].iov_base, pieces[i].iov_len);
    }
}

/* A pointer as result is never negative: null is the failure. */
#define FAILED(result) (errno == EFAULT && (long)(result) <= 0)

/* Touches the memory, and calls the C library's function; again if the kernel has missed a page. */
#define TOUCHING(type, name, arguments, touch)                                                     \
    ({                                                                                             \
        type result;                                                                               \
        int tries = fl_spread_together() ? TRIES : 1;                                              \
        int error = errno;                                                                         \
        do {                                                                                       \
            if (fl_spread_together()) {                                                            \
                (void)(touch, 0);                                                                  \
            }                                                                                      \
            errno = 0;                                                                             \
            result = FL_NEXT(name) arguments;                                                      \
        } while (FAILED(result) && --tries > 0);                                                   \
        errno = errno ? errno : error;                                                             \
        result;                                                                                    \
    })
#define CALLER __builtin_return_address(0)
#define IS_FAR(fd) FL_UNLIKELY(fl_descriptors_is_far(fd, CALLER))

#define FL_CALL(type, name, parameters, arguments, touch)                                          \
    FL_EXPORT type name parameters {                                                               \
        return TOUCHING(type, name, arguments, touch);                                             \
    }
/* A child that has ended meanwhile may have printed. This is noted after the call: a thread that
 * flushes output during the call would clear an earlier note. */
#define FL_CHILD_CALL(type, name, parameters, arguments, touch)                                    \
    FL_EXPORT type name parameters {                                                               \
        type ended = TOUCHING(type, name, arguments, touch);                                       \
        fl_output_note(STDOUT_FILENO);                                                             \
        return ended;                                                                              \
    }
#define FL_STREAM_CALL(name, parameters, arguments, touch)                                         \
    FL_EXPORT FILE *name parameters {                                                              \
        void *place = fl_streams_begin(CALLER, true);                                              \
        return fl_streams_opened(place, TOUCHING(FILE *, name, arguments, touch));                 \
    }
#define FL_DESCRIPTOR_CALL(name, parameters, arguments, touch)                                     \
    FL_EXPORT int name parameters {                                                                \
        return fl_descriptors_opened(TOUCHING(int, name, arguments, touch), CALLER);               \
    }
#include "spread/calls.def"
#undef FL_CALL
#undef FL_CHILD_CALL
#undef FL_STREAM_CALL
#undef FL_DESCRIPTOR_CALL

/* A stand-in for another host's stream cannot be opened anew. */
FL_EXPORT FILE *freopen(const char *path, const char *mode, FILE *file) {
    if (fl_streams_is_far(file)) {
        errno = EBADF;
        return NULL;
    }
    return TOUCHING(FILE *, freopen, (path, mode, file), string(path));
}

/* The argument `mode` exists only if the flags need it. */
#define OPEN(name, parameters, arguments)                                                          \
    FL_EXPORT int name parameters {                                                                \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = __OPEN_NEEDS_MODE(flags) ? va_arg(more, mode_t) : 0;                         \
        va_end(more);                                                                              \
        string(path);                                                                              \
        return fl_descriptors_opened(FL_NEXT(name) arguments, CALLER);                             \
    }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))

/* The kernel alone knows what the last argument is. Old requests do not even have its size. */
FL_EXPORT int ioctl(int fd, unsigned long request, ...) {
    enum { LARGEST = 64 }; /* of the old ones */
    va_list more;
    va_start(more, request);
    char *to = va_arg(more, char *);
    va_end(more);
    if (IS_FAR(fd)) {
        errno = EBADF;
        return -1;
    }
    size_t bytes = _IOC_SIZE(request) ? _IOC_SIZE(request) : LARGEST;
    written(to, is_away(to + bytes - 1) ? bytes : 1);
    return FL_NEXT(ioctl)(fd, request, to);
}

static bool has_lock(int command) {
    return command == F_GETLK || command == F_SETLK || command == F_SETLKW ||
           command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

/* The last argument is a lock, a number, or missing. */
FL_EXPORT int fcntl(int fd, int command, ...) {
    va_list more;
    va_start(more, command);
    struct flock *lock = va_arg(more, struct flock *);
    va_end(more);
    if (IS_FAR(fd)) {
        errno = EBADF;
        return -1;
    }
    written(lock, has_lock(command) ? sizeof *lock : 0);
    return FL_NEXT(fcntl)(fd, command, lock);
}

/* ---- copying ---- */

static _Thread_local char *piece; /* PIECE bytes of this thread */

static char *get_piece(void) {
    if (!piece) {
        piece = FL_ALLOCATED(malloc(PIECE), "what is read and written");
    }
    return piece;
}

/* Transfers of at most PIECE bytes, until one is short. `one` uses `at`, `n` and `done`. */
#define IN_PIECES(bytes, copy_out, one, copy_in)                                                   \
    ({                                                                                             \
        ssize_t done = 0;                                                                          \
        char *at = get_piece();                                                                    \
        for (;;) {                                                                                 \
            size_t n = (bytes) - (size_t)done < PIECE ? (bytes) - (size_t)done : PIECE;            \
            copy_out;                                                                              \
            ssize_t moved = (one);                                                                   \
            if (moved < 0 && done == 0) {                                                            \
                done = moved;                                                                        \
            }                                                                                      \
            if (moved <= 0) {                                                                        \
                break;                                                                             \
            }                                                                                      \
            copy_in;                                                                               \
            done += moved;                                                                           \
            if ((size_t)moved < n || (size_t)done >= (bytes)) {                                      \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
        done;                                                                                      \
    })
#define READ_IN_PIECES(to, bytes, one)                                                             \
    IN_PIECES(bytes, (void)0, one, memcpy((char *)(to) + done, at, (size_t)moved))
#define WRITE_IN_PIECES(from, bytes, one)                                                          \
    IN_PIECES(bytes, memcpy(at, (const char *)(from) + done, n), one, (void)0)

FL_EXPORT ssize_t read(int fd, void *to, size_t bytes) {
    if (IS_FAR(fd)) {
        return fl_descriptors_read(fd, to, bytes, -1);
    }
    if (!is_away(to)) {
        return FL_NEXT(read)(fd, to, bytes);
    }
    if (bytes > PIECE && fl_descriptors_may_wait(fd)) {
        bytes = PIECE; /* the next read might block */
    }
    return READ_IN_PIECES(to, bytes, FL_NEXT(read)(fd, at, n));
}

FL_EXPORT ssize_t write(int fd, const void *from, size_t bytes) {
    if (IS_FAR(fd)) {
        return fl_descriptors_write(fd, from, bytes, -1);
    }
    ssize_t put = is_away(from) ? WRITE_IN_PIECES(from, bytes, FL_NEXT(write)(fd, at, n))
                                : FL_NEXT(write)(fd, from, bytes);
    fl_output_note(fd);
    return put;
}

FL_EXPORT ssize_t pread(int fd, void *to, size_t bytes, off_t offset) {
    if (IS_FAR(fd)) {
        return fl_descriptors_read(fd, to, bytes, offset);
    }
    return is_away(to) ? READ_IN_PIECES(to, bytes, FL_NEXT(pread)(fd, at, n, offset + done))
                       : FL_NEXT(pread)(fd, to, bytes, offset);
}

FL_EXPORT ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset) {
    if (IS_FAR(fd)) {
        return fl_descriptors_write(fd, from, bytes, offset);
    }
    return is_away(from)
               ? WRITE_IN_PIECES(from, bytes, FL_NEXT(pwrite)(fd, at, n, offset + done))
               : FL_NEXT(pwrite)(fd, from, bytes, offset);
}

/* ---- what the C library would read or write by names of its own ---- */

FL_EXPORT int eventfd_read(int fd, eventfd_t *to) {
    ssize_t n = IS_FAR(fd) ? fl_descriptors_read(fd, to, sizeof *to, -1) : read(fd, to, sizeof *to);
    return n == sizeof *to ? 0 : -1;
}

FL_EXPORT int eventfd_write(int fd, eventfd_t value) {
    ssize_t n = IS_FAR(fd) ? fl_descriptors_write(fd, &value, sizeof value, -1)
                           : write(fd, &value, sizeof value);
    return n == sizeof value ? 0 : -1;
}

static int print(int fd, bool far, const char *format, va_list arguments) {
    char *text;
    int n = FL_NEXT(vasprintf)(&text, format, arguments);
    if (n >= 0) {
        ssize_t put = far ? fl_descriptors_write(fd, text, (size_t)n, -1) : write(fd, text, (size_t)n);
        n = put < 0 ? -1 : n;
        free(text);
    }
    return n;
}

FL_EXPORT int vdprintf(int fd, const char *format, va_list arguments) {
    return print(fd, IS_FAR(fd), format, arguments);
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments);
FL_EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments) {
    (void)flag;
    return print(fd, IS_FAR(fd), format, arguments);
}

int __dprintf_chk(int fd, int flag, const char *format, ...);
FL_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int n = print(fd, IS_FAR(fd), format, arguments);
    va_end(arguments);
    return n;
}

FL_EXPORT int dprintf(int fd, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = print(fd, IS_FAR(fd), format, arguments);
    va_end(arguments);
    return n;
}

/* ---- sockets ---- */

FL_EXPORT ssize_t recv(int fd, void *to, size_t bytes, int flags) {
    return is_away(to) ? READ_IN_PIECES(to, bytes, FL_NEXT(recv)(fd, at, n, flags))
                       : FL_NEXT(recv)(fd, to, bytes, flags);
}

FL_EXPORT ssize_t send(int fd, const void *from, size_t bytes, int flags) {
    return is_away(from) ? WRITE_IN_PIECES(from, bytes, FL_NEXT(send)(fd, at, n, flags))
                         : FL_NEXT(send)(fd, from, bytes, flags);
}

/* ---- several pieces of memory ---- */

static bool any_away(const struct iovec *pieces, int n) {
    bool away = false;
    for (int i = 0; i < n && !away; i++) {
        away = is_away(pieces[i].iov_base);
    }
    return away || is_away(pieces);
}

/* `offset`: -1: where the file is. `here` moves a part of it, at `at`. */
#define VECTOR(name, parameters, arguments, offset, here, away)                                    \
    FL_EXPORT ssize_t name parameters {                                                            \
        bool far = IS_FAR(fd);                                                                     \
        if (!far && !any_away(pieces, n_pieces)) {                                                 \
            ssize_t moved = FL_NEXT(name) arguments;                                               \
            fl_output_note(fd);                                                                    \
            return moved;                                                                          \
        }                                                                                          \
        ssize_t done = 0;                                                                          \
        for (int i = 0; i < n_pieces; i++) {                                                       \
            struct iovec part = pieces[i];                                                         \
            int64_t at = (offset) == -1 ? -1 : (offset) + done;                                    \
            ssize_t moved = far ? away(fd, part.iov_base, part.iov_len, at) : here;                \
            if (moved < 0) {                                                                       \
                return done ? done : moved;                                                        \
            }                                                                                      \
            done += moved;                                                                         \
            if ((size_t)moved < part.iov_len) {                                                    \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
        return done;                                                                               \
    }
VECTOR(readv, (int fd, const struct iovec *pieces, int n_pieces), (fd, pieces, n_pieces), -1,
       read(fd, part.iov_base, part.iov_len), fl_descriptors_read)
VECTOR(writev, (int fd, const struct iovec *pieces, int n_pieces), (fd, pieces, n_pieces), -1,
       write(fd, part.iov_base, part.iov_len), fl_descriptors_write)
VECTOR(preadv, (int fd, const struct iovec *pieces, int n_pieces, off_t offset),
       (fd, pieces, n_pieces, offset), offset, pread(fd, part.iov_base, part.iov_len, at),
       fl_descriptors_read)
VECTOR(pwritev, (int fd, const struct iovec *pieces, int n_pieces, off_t offset),
       (fd, pieces, n_pieces, offset), offset, pwrite(fd, part.iov_base, part.iov_len, at),
       fl_descriptors_write)

/* ---- streams: large transfers go past their buffers ---- */

#undef fread_unlocked
#undef fwrite_unlocked
#define FREAD(name)                                                                                \
    FL_EXPORT size_t name(void *to, size_t size, size_t count, FILE *file) {                       \
        size_t bytes;                                                                              \
        if (!is_away(to) || size == 0 || __builtin_mul_overflow(size, count, &bytes) || !bytes) {  \
            return FL_NEXT(name)(to, size, count, file);                                           \
        }                                                                                          \
        flockfile(file);                                                                           \
        ssize_t got = READ_IN_PIECES(to, bytes, (ssize_t)FL_NEXT(name)(at, 1, n, file));           \
        funlockfile(file);                                                                         \
        return (size_t)got / size;                                                                 \
    }
#define FWRITE(name)                                                                               \
    FL_EXPORT size_t name(const void *from, size_t size, size_t count, FILE *file) {               \
        size_t bytes;                                                                              \
        if (!is_away(from) || size == 0 || __builtin_mul_overflow(size, count, &bytes) ||          \
            !bytes) {                                                                              \
            return FL_NEXT(name)(from, size, count, file);                                         \
        }                                                                                          \
        flockfile(file);                                                                           \
        ssize_t put = WRITE_IN_PIECES(from, bytes, (ssize_t)FL_NEXT(name)(at, 1, n, file));        \
        funlockfile(file);                                                                         \
        return (size_t)put / size;                                                                 \
    }
FREAD(fread)
FREAD(fread_unlocked)
FWRITE(fwrite)
FWRITE(fwrite_unlocked)

FL_EXPORT int fputs(const char *text, FILE *file) {
    if (!is_away(text)) {
        return FL_NEXT(fputs)(text, file);
    }
    size_t n = strlen(text);
    return fwrite(text, 1, n, file) == n ? 1 : EOF;
}

FL_EXPORT int puts(const char *text) {
    if (!is_away(text)) {
        return FL_NEXT(puts)(text);
    }
    flockfile(stdout);
    bool good = fputs(text, stdout) >= 0 && putc_unlocked('\n', stdout) != EOF;
    funlockfile(stdout);
    return good ? 1 : EOF;
}

/* Ignores a buffer in coherent memory, which the kernel would access. */
FL_EXPORT int setvbuf(FILE *file, char *buffer, int mode, size_t bytes) {
    if (fl_streams_is_far(file) && mode != _IONBF) {
        return 0; /* a stand-in has a buffer of its own */
    }
    return FL_NEXT(setvbuf)(file, is_away(buffer) ? NULL : buffer, mode, bytes);
}

FL_EXPORT void setbuf(FILE *file, char *buffer) {
    (void)setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
