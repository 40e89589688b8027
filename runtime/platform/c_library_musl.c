/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See c_library.h. musl's stdout is a constant, which musl's own printf and its like do not even look
 * at. So this file has a variable of that name, which the program and its shared libraries find first,
 * and all functions of ISO C that write to stdout without naming it. It finds what it stands before by
 * the dynamic linker, which programs that are linked with -static do not have.
 */
#include "platform/c_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#define SHOWN __attribute__((visibility("default")))
/* A program's own function of the name goes before. */
#define OWN __attribute__((weak, visibility("default")))

/* The linker says that it lacks this name of musl's where a compiler is for another C library: upcc
 * explains it. */
__attribute__((used)) static void (*const of_musl_alone)(FILE *) = __fseterr;

const char *fl_libc_refuses_static(void) {
    return "with musl, a UPC program cannot be linked with -static; link it without";
}

const char *fl_libc_refuses_transports(void) {
    return "a program for musl runs on one host only: networks' libraries are for glibc";
}

/* ---- the end ---- */

static struct {
    void (*handler)(int status);
    _Atomic int status;
} at_exit;

extern int __cxa_atexit(void (*call)(void *), void *argument, void *object);

static void call_handler(void *unused) {
    (void)unused;
    /* Relaxed: the thread that calls exit has stored it. */
    at_exit.handler(atomic_load_explicit(&at_exit.status, memory_order_relaxed));
}

/* atexit would be that of libc/exit_handlers.c. */
bool fl_libc_at_exit(void (*handler)(int status)) {
    at_exit.handler = handler;
    return __cxa_atexit(call_handler, NULL, NULL) == 0;
}

void fl_libc_note_exit(int status) {
    atomic_store_explicit(&at_exit.status, status, memory_order_relaxed);
}

/* ---- what musl lacks ---- */

int fl_libc_backtrace_sigsafe(void **frames, int most) {
    (void)frames;
    (void)most;
    return 0;
}

void fl_libc_print_frames_sigsafe(int fd, void *const *frames, int n) {
    (void)fd;
    (void)frames;
    (void)n;
}

int fl_libc_deep_binding(void) {
    return 0;
}

/* ---- streams ---- */

/* The variable that others know as the constant stdout. */
SHOWN FILE *fl_libc_stdout __asm__("stdout");

static struct {
    struct fl_libc_io io;
    FILE *out; /* in the place of stdout; null: none is */
    bool is_closed;
    int64_t written;
} streams;

/* musl's own function or object of the name. */
static void *of_musl(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor(101))) static void take_stdout(void) {
    FILE **own = of_musl("stdout");
    fl_libc_stdout = own ? *own : fdopen(STDOUT_FILENO, "w"); /* -static: only to print why not */
}

static ssize_t write_counted(void *cookie, const char *text, size_t length) {
    if (length == 0) {
        return 0; /* so musl empties a stream that has no buffer */
    }
    ssize_t written = streams.io.write(cookie, text, length);
    if (written > 0) {
        /* Relaxed: see fl_libc_count_output. */
        __atomic_fetch_add(&streams.written, written, __ATOMIC_RELAXED);
    }
    return written;
}

static ssize_t write_plainly(void *cookie, const char *text, size_t length) {
    (void)cookie;
    if (streams.is_closed) {
        errno = EBADF;
        return -1;
    }
    return write(STDOUT_FILENO, text, length);
}

static bool replace_stdout(const struct fl_libc_io *io) {
    FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_counted});
    if (!out) {
        return false;
    }
    fflush(fl_libc_stdout);
    streams.io = *io;
    fl_libc_stdout = streams.out = out;
    return true;
}

/* stdin stays: a thread's unfinished line is not shown before it reads from a terminal, as musl never
 * does. */
bool fl_libc_replace_streams(const struct fl_libc_io *io, FILE **in_p, FILE **out_p) {
    if (!replace_stdout(io)) {
        return false;
    }
    fl_libc_setvbuf(streams.out, NULL, _IONBF, 0);
    *in_p = NULL;
    *out_p = streams.out;
    return true;
}

const int64_t *fl_libc_count_output(void) {
    static char buffer[BUFSIZ + 8];
    if (!streams.out) {
        if (!replace_stdout(&(struct fl_libc_io){.write = write_plainly})) {
            return NULL;
        }
        fl_libc_setvbuf(streams.out, buffer, _IOLBF, sizeof buffer);
    }
    return &streams.written;
}

/* The stream stays when the program has closed it: the runtime looks at stdout until the end. */
static int close_stdout(void) {
    int code = fflush(streams.out);
    streams.is_closed = true;
    return close(STDOUT_FILENO) == 0 ? code : EOF;
}

static FILE *reopen_stdout(const char *path, const char *mode) {
    fflush(streams.out);
    FILE *file = path ? fopen(path, mode) : NULL;
    if (!file) {
        return path ? NULL : streams.out; /* null: only another mode */
    }
    bool good = fileno(file) == STDOUT_FILENO || dup2(fileno(file), STDOUT_FILENO) >= 0;
    if (fileno(file) != STDOUT_FILENO) {
        fclose(file);
    }
    streams.is_closed = !good;
    return good ? streams.out : NULL;
}

FILE *fl_libc_freopen(const char *path, const char *mode, FILE *stream) {
    if (stream == streams.out && stream) {
        return reopen_stdout(path, mode);
    }
    FILE *(*own)(const char *, const char *, FILE *);
    *(void **)&own = of_musl("freopen");
    return own(path, mode, stream);
}

int fl_libc_fclose(FILE *stream) {
    if (stream == streams.out && stream) {
        return close_stdout();
    }
    int (*own)(FILE *);
    *(void **)&own = of_musl("fclose");
    return own(stream);
}

int fl_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    int (*own)(FILE *, char *, int, size_t);
    *(void **)&own = of_musl("setvbuf");
    return own(stream, buffer, mode, size);
}

/* A stream of fopencookie has no descriptor. */
OWN int fileno(FILE *stream) {
    return stream && stream == streams.out ? STDOUT_FILENO : fileno_unlocked(stream);
}

/* ---- functions that write to stdout without naming it ---- */

OWN int vprintf(const char *format, va_list arguments) {
    return vfprintf(fl_libc_stdout, format, arguments);
}

OWN int printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vfprintf(fl_libc_stdout, format, arguments);
    va_end(arguments);
    return n;
}

OWN int puts(const char *text) {
    flockfile(fl_libc_stdout);
    int code = fputs(text, fl_libc_stdout) < 0 || fputc('\n', fl_libc_stdout) < 0 ? EOF : 0;
    funlockfile(fl_libc_stdout);
    return code;
}

OWN int putchar(int c) {
    return fputc(c, fl_libc_stdout);
}

OWN int putchar_unlocked(int c) {
    return putc_unlocked(c, fl_libc_stdout);
}

OWN int vwprintf(const wchar_t *restrict format, va_list arguments) {
    return vfwprintf(fl_libc_stdout, format, arguments);
}

OWN int wprintf(const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vfwprintf(fl_libc_stdout, format, arguments);
    va_end(arguments);
    return n;
}

OWN wint_t putwchar(wchar_t c) {
    return fputwc(c, fl_libc_stdout);
}

OWN wint_t putwchar_unlocked(wchar_t c) {
    return fputwc_unlocked(c, fl_libc_stdout);
}
