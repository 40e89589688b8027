/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the C library whose result is memory that the caller frees: if the program calls, it
 * is the program's, though the C library allocates it. The network's libraries call them too, while
 * a page could not be fetched. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* clang exports no function that <stdio.h> has defined already: getline */
#endif
#include "spread/inside.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define CALLER __builtin_return_address(0)

/* Memory of the caller. */
static void *get(size_t bytes, const void *caller) {
    return fl_heap_is_program(caller) ? fl_heap_program(bytes, 16) : malloc(bytes);
}

static void *copy(const void *from, size_t bytes, const void *caller) {
    void *to = get(bytes, caller);
    return to ? memcpy(to, from, bytes) : NULL;
}

FL_EXPORT char *strdup(const char *text) {
    return copy(text, strlen(text) + 1, CALLER);
}

FL_EXPORT char *__strdup(const char *text) {
    return copy(text, strlen(text) + 1, CALLER);
}

FL_EXPORT char *strndup(const char *text, size_t most) {
    size_t n = strnlen(text, most);
    char *to = get(n + 1, CALLER);
    if (to) {
        memcpy(to, text, n);
        to[n] = '\0';
    }
    return to;
}

FL_EXPORT wchar_t *wcsdup(const wchar_t *text) {
    return copy(text, (wcslen(text) + 1) * sizeof *text, CALLER);
}

static int print(char **text_p, const char *format, va_list arguments, const void *caller) {
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = n < 0 ? NULL : get((size_t)n + 1, caller);
    if (!text) {
        return -1;
    }
    *text_p = text;
    return vsnprintf(text, (size_t)n + 1, format, arguments);
}

FL_EXPORT int vasprintf(char **text_p, const char *format, va_list arguments) {
    return print(text_p, format, arguments, CALLER);
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

int __vasprintf_chk(char **text_p, int flag, const char *format, va_list arguments);
FL_EXPORT int __vasprintf_chk(char **text_p, int flag, const char *format, va_list arguments) {
    (void)flag;
    return print(text_p, format, arguments, CALLER);
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
        char *larger = get(bytes < 120 ? 120 : 2 * bytes, caller);
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

ssize_t __getdelim(char **line_p, size_t *room_p, int end, FILE *file);
FL_EXPORT ssize_t __getdelim(char **line_p, size_t *room_p, int end, FILE *file) {
    return read_line(line_p, room_p, end, file, CALLER);
}

FL_EXPORT ssize_t getline(char **line_p, size_t *room_p, FILE *file) {
    return read_line(line_p, room_p, '\n', file, CALLER);
}

/* What the C library has allocated becomes the caller's. */
static char *adopt(char *text, const void *caller) {
    char *own = text ? copy(text, strlen(text) + 1, caller) : NULL;
    free(text);
    return own;
}

FL_EXPORT char *realpath(const char *path, char *to) {
    char *found = FL_NEXT(realpath)(path, NULL);
    if (!to || !found) {
        return adopt(found, CALLER);
    }
    strcpy(to, found);
    free(found);
    return to;
}

FL_EXPORT char *getcwd(char *to, size_t bytes) {
    char here[8192];
    char *found = FL_NEXT(getcwd)(here, sizeof here);
    size_t n = found ? strlen(here) + 1 : 0;
    if (!found) {
        return NULL;
    }
    if (!to) {
        return copy(here, n, CALLER);
    }
    if (n > bytes) {
        errno = ERANGE;
        return NULL;
    }
    return memcpy(to, here, n);
}
