/* SPDX-License-Identifier: BSD-3-Clause */
/* See c_library.h. */
#include "platform/c_library.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdlib.h>
#include <unistd.h>

const char *fl_libc_refuses_static(void) {
    return NULL;
}

const char *fl_libc_refuses_transports(void) {
    return NULL;
}

static void call_handler(int status, void *handler) {
    void (*call)(int);
    *(void **)&call = handler;
    call(status);
}

bool fl_libc_at_exit(void (*handler)(int status)) {
    return on_exit(call_handler, *(void **)&handler) == 0;
}

void fl_libc_note_exit(int status) {
    (void)status; /* on_exit passes it */
}

int fl_libc_backtrace_sigsafe(void **frames, int most) {
    return backtrace(frames, most);
}

void fl_libc_print_frames_sigsafe(int fd, void *const *frames, int n) {
    backtrace_symbols_fd(frames, n, fd);
}

int fl_libc_deep_binding(void) {
    return RTLD_DEEPBIND;
}

bool fl_libc_replace_streams(const struct fl_libc_io *io, FILE **in_p, FILE **out_p) {
    FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = io->write});
    FILE *in = fopencookie(NULL, "r", (cookie_io_functions_t){.read = io->read, .seek = io->seek});
    if (!out || !in) {
        return false;
    }
    setvbuf(out, NULL, _IONBF, 0);
    out->_fileno = STDOUT_FILENO; /* for isatty(fileno(stdout)) and the like */
    in->_fileno = STDIN_FILENO;
    stdout = *out_p = out;
    stdin = *in_p = in;
    return true;
}

const int64_t *fl_libc_count_output(void) {
    /* glibc counts in it what it writes, but not for pipes unless told to. */
    stdout->_offset = 0;
    return &stdout->_offset;
}

FILE *fl_libc_freopen(const char *path, const char *mode, FILE *stream) {
    return freopen64(path, mode, stream);
}

/* glibc's other names of the two. */
int _IO_fclose(FILE *stream);
int _IO_setvbuf(FILE *stream, char *buffer, int mode, size_t size);

int fl_libc_fclose(FILE *stream) {
    return _IO_fclose(stream);
}

int fl_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    return _IO_setvbuf(stream, buffer, mode, size);
}
