/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the C library that allocate memory for their caller. If the program calls, the memory
 * is the program's: either the C library allocates it there (lent.def), or it is copied, where the
 * function also asks the kernel to write to memory that it allocates. The network's libraries call
 * some of them too, while a page could not be fetched.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* clang exports no function that <stdio.h> has defined already: getline */
#endif
#include "spread/inside.h"

#include <argz.h>
#include <dirent.h>
#include <envz.h>
#include <errno.h>
#include <glob.h>
#include <netdb.h>
#include <obstack.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

#define CALLER __builtin_return_address(0)

/* ---- allocated there ---- */

static bool lend(const void *caller) {
    bool outer = fl_heap_lent;
    fl_heap_lent = fl_heap_is_program(caller);
    return outer;
}

static void lend_as_before(const bool *outer) {
    fl_heap_lent = *outer;
}

/* To the end of the function. */
#define LEND_TO(caller) __attribute__((cleanup(lend_as_before))) bool outer = lend(caller)

#define FL_LENT(result, name, parameters, arguments)                                               \
    result name parameters;                                                                        \
    FL_EXPORT result name parameters {                                                             \
        LEND_TO(CALLER);                                                                           \
        return FL_NEXT(name) arguments;                                                            \
    }
#include "spread/lent.def"
#undef FL_LENT

static int print(char **text_p, const char *format, va_list arguments, const void *caller) {
    LEND_TO(caller);
    return FL_NEXT(vasprintf)(text_p, format, arguments);
}

FL_EXPORT int asprintf(char **text_p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = print(text_p, format, arguments, CALLER);
    va_end(arguments);
    return n;
}

int __asprintf_chk(char **text_p, int flag, const char *format, ...);
FL_EXPORT int __asprintf_chk(char **text_p, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int n = print(text_p, format, arguments, CALLER);
    va_end(arguments);
    return n;
}

/* ---- copied ---- */

static void *allocate_for(const void *caller, size_t bytes) {
    return fl_heap_is_program(caller) ? fl_heap_program(bytes, 16) : malloc(bytes);
}

/* The C library reads into a line of its own, of which the program gets a copy. */
static ssize_t read_line(char **line_p, size_t *room_p, int end, FILE *file, const void *caller) {
    static _Thread_local char *line;
    static _Thread_local size_t room;
    ssize_t n = FL_NEXT(getdelim)(&line, &room, end, file);
    if (n < 0) {
        return n;
    }
    size_t bytes = (size_t)n + 1;
    if (!*line_p || *room_p < bytes) {
        char *larger = allocate_for(caller, bytes < 120 ? 120 : 2 * bytes);
        if (!larger) {
            return -1;
        }
        free(*line_p);
        *line_p = larger;
        *room_p = bytes < 120 ? 120 : 2 * bytes;
    }
    memcpy(*line_p, line, bytes);
    return n;
}

FL_EXPORT ssize_t getdelim(char **line_p, size_t *room_p, int end, FILE *file) {
    return read_line(line_p, room_p, end, file, CALLER);
}

FL_EXPORT ssize_t getline(char **line_p, size_t *room_p, FILE *file) {
    return read_line(line_p, room_p, '\n', file, CALLER);
}

/* What the C library has allocated becomes the caller's. Null: there is no memory left. */
static void *adopt(void *block, size_t bytes, const void *caller) {
    if (!block || !fl_heap_is_program(caller) || fl_spread_is_coherent(block)) {
        return block;
    }
    void *own = fl_heap_program(bytes, 16);
    if (own) {
        memcpy(own, block, bytes);
    }
    free(block);
    return own;
}

static char *adopt_text(char *text, const void *caller) {
    return adopt(text, text ? strlen(text) + 1 : 0, caller);
}

/* `n` texts behind `skipped` other pointers, and a null pointer. */
static char **adopt_texts(char **texts, size_t skipped, size_t n, const void *caller) {
    char **own = adopt(texts, (skipped + n + 1) * sizeof *texts, caller);
    for (size_t i = 0; own && i < n; i++) {
        own[skipped + i] = adopt_text(own[skipped + i], caller);
    }
    return own;
}

FL_EXPORT char *realpath(const char *path, char *to) {
    char *found = FL_NEXT(realpath)(path, NULL);
    if (!to || !found) {
        return adopt_text(found, CALLER);
    }
    strcpy(to, found);
    free(found);
    return to;
}

FL_EXPORT char *canonicalize_file_name(const char *path) {
    return adopt_text(FL_NEXT(realpath)(path, NULL), CALLER);
}

FL_EXPORT char *get_current_dir_name(void) {
    return adopt_text(FL_NEXT(get_current_dir_name)(), CALLER);
}

FL_EXPORT char *getcwd(char *to, size_t bytes) {
    char here[8192];
    char *found = FL_NEXT(getcwd)(here, sizeof here);
    size_t n = found ? strlen(here) + 1 : 0;
    if (!found) {
        return NULL;
    }
    to = to ? to : allocate_for(CALLER, bytes = bytes ? bytes : n);
    if (to && n > bytes) {
        errno = ERANGE;
        return NULL;
    }
    return to ? memcpy(to, here, n) : NULL;
}

/* The kernel reads the path, which another host may have written. */
#define WITH_COPY(path, call)                                                                      \
    ({                                                                                             \
        char *copy = FL_NEXT(strdup)(path);                                                        \
        int result = call;                                                                         \
        free(copy);                                                                                \
        result;                                                                                    \
    })

FL_EXPORT int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *to) {
    int error = WITH_COPY(pattern, FL_NEXT(glob)(copy, flags, failed, to));
    if (to->gl_pathv) {
        size_t skipped = flags & GLOB_DOOFFS ? to->gl_offs : 0;
        to->gl_pathv = adopt_texts(to->gl_pathv, skipped, to->gl_pathc, CALLER);
    }
    return to->gl_pathv || error ? error : GLOB_NOSPACE;
}

FL_EXPORT int wordexp(const char *text, wordexp_t *to, int flags) {
    int error = FL_NEXT(wordexp)(text, to, flags);
    if (!error) {
        size_t skipped = flags & WRDE_DOOFFS ? to->we_offs : 0;
        to->we_wordv = adopt_texts(to->we_wordv, skipped, to->we_wordc, CALLER);
        error = to->we_wordv ? 0 : WRDE_NOSPACE;
    }
    return error;
}

FL_EXPORT int scandir(const char *path, struct dirent ***to, int (*select)(const struct dirent *),
                      int (*compare)(const struct dirent **, const struct dirent **)) {
    int n = WITH_COPY(path, FL_NEXT(scandir)(copy, to, select, compare));
    *to = n < 0 ? *to : adopt(*to, (size_t)n * sizeof **to, CALLER);
    for (int i = 0; i < n && *to; i++) {
        (*to)[i] = adopt((*to)[i], (*to)[i]->d_reclen, CALLER);
    }
    return n;
}

/* Each address stands behind its description, in one block. */
FL_EXPORT int getaddrinfo(const char *name, const char *service, const struct addrinfo *wanted,
                          struct addrinfo **to) {
    int error = FL_NEXT(getaddrinfo)(name, service, wanted, to);
    for (struct addrinfo **at = to; !error && *at; at = &(*at)->ai_next) {
        *at = adopt(*at, sizeof **at + (*at)->ai_addrlen, CALLER);
        if (!*at) {
            return EAI_MEMORY;
        }
        (*at)->ai_addr = (*at)->ai_addr ? (struct sockaddr *)(void *)(*at + 1) : NULL;
        (*at)->ai_canonname = adopt_text((*at)->ai_canonname, CALLER);
    }
    return error;
}
