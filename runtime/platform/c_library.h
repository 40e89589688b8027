/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the C libraries differ in, as far as the runtime uses it: c_library_glibc.c or c_library_musl.c,
 * which CMakeLists.txt chooses by what it finds. Nothing else asks which one it is, but for files of
 * libc/ with the same endings: they define functions of that library for each UPC thread.
 */
#ifndef FL_PLATFORM_C_LIBRARY_H
#define FL_PLATFORM_C_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Why a program that was linked with -static does not run with this C library; null: it does. */
const char *fl_libc_refuses_static(void);

/* Why no transport can be loaded with this C library; null: they can. */
const char *fl_libc_refuses_transports(void);

/* Has `handler` called by exit, with the status. False: no memory. */
bool fl_libc_at_exit(void (*handler)(int status));

/* Before the C library's exit, by the runtime's (job/exit.c): the status, where handlers get none. */
void fl_libc_note_exit(int status);

/* The return addresses of the callers; returns how many there are, 0 where that is not known. */
int fl_libc_backtrace_sigsafe(void **frames, int most);

/* Prints them to a descriptor. */
void fl_libc_print_frames_sigsafe(int fd, void *const *frames, int n);

/* The flag of dlopen by which a library finds its own names before the program's; 0: none. */
int fl_libc_deep_binding(void);

/* How stdout and stdin are written and read in the C library's stead, as fopencookie wants it. */
struct fl_libc_io {
    ssize_t (*write)(void *cookie, const char *text, size_t length);
    ssize_t (*read)(void *cookie, char *text, size_t size);
    int (*seek)(void *cookie, off_t *offset_p, int whence);
};

/* Replaces stdout and stdin, under these names, by streams that do not buffer output, and returns them;
 * *in_p null: stdin stays. Before the program's threads run. False: no memory. */
bool fl_libc_replace_streams(const struct fl_libc_io *io, FILE **in_p, FILE **out_p);

/* A count of the bytes that stdout has written from now on, which threads read at will. After
 * fl_libc_replace_streams. Null: no memory. */
const int64_t *fl_libc_count_output(void);

/* The C library's own functions of these names, which libc/streams.c redefines. */
FILE *fl_libc_freopen(const char *path, const char *mode, FILE *stream);
int fl_libc_fclose(FILE *stream);
int fl_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size);

#endif
