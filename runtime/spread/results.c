/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the C library whose result is memory that the program frees: it is the program's, not
 * the C library's, though the latter allocates it. */
#include "spread/inside.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

/* Memory of the program once it has constructors; of the C library before. */
static void *get(size_t bytes) {
    return fl_spread_phase() ? fl_heap_program(bytes, 16) : malloc(bytes);
}

static void *copy(const void *from, size_t bytes) {
    void *to = get(bytes);
    return to ? memcpy(to, from, bytes) : NULL;
}

FL_EXPORT char *strdup(const char *text) {
    return copy(text, strlen(text) + 1);
}

FL_EXPORT char *__strdup(const char *text) {
    return copy(text, strlen(text) + 1);
}

FL_EXPORT char *strndup(const char *text, size_t most) {
    size_t n = strnlen(text, most);
    char *to = get(n + 1);
    if (to) {
        memcpy(to, text, n);
        to[n] = '\0';
    }
    return to;
}

FL_EXPORT wchar_t *wcsdup(const wchar_t *text) {
    return copy(text, (wcslen(text) + 1) * sizeof *text);
}

FL_EXPORT int vasprintf(char **text_p, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = n < 0 ? NULL : get((size_t)n + 1);
    if (!text) {
        return -1;
    }
    *text_p = text;
    return vsnprintf(text, (size_t)n + 1, format, arguments);
}

FL_EXPORT int asprintf(char **text_p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(text_p, format, arguments);
    va_end(arguments);
    return n;
}

int __asprintf_chk(char **text_p, int flag, const char *format, ...);
FL_EXPORT int __asprintf_chk(char **text_p, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(text_p, format, arguments);
    va_end(arguments);
    return n;
}

int __vasprintf_chk(char **text_p, int flag, const char *format, va_list arguments);
FL_EXPORT int __vasprintf_chk(char **text_p, int flag, const char *format, va_list arguments) {
    (void)flag;
    return vasprintf(text_p, format, arguments);
}

/* The C library reads into a line of its own, of which the program gets a copy. */
FL_EXPORT ssize_t getdelim(char **line_p, size_t *room_p, int end, FILE *file) {
    static _Thread_local char *line;
    static _Thread_local size_t room;
    ssize_t n = FL_NEXT(getdelim)(&line, &room, end, file);
    if (n < 0) {
        return n;
    }
    size_t bytes = (size_t)n + 1;
    if (!*line_p || *room_p < bytes) {
        char *larger = get(bytes < 120 ? 120 : 2 * bytes);
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

ssize_t __getdelim(char **line_p, size_t *room_p, int end, FILE *file);
FL_EXPORT ssize_t __getdelim(char **line_p, size_t *room_p, int end, FILE *file) {
    return getdelim(line_p, room_p, end, file);
}

FL_EXPORT ssize_t getline(char **line_p, size_t *room_p, FILE *file) {
    return getdelim(line_p, room_p, '\n', file);
}

/* What the C library has allocated becomes the program's. */
static char *adopt(char *text) {
    char *own = text ? copy(text, strlen(text) + 1) : NULL;
    free(text);
    return own;
}

FL_EXPORT char *realpath(const char *path, char *to) {
    char *found = FL_NEXT(realpath)(path, NULL);
    if (!to || !found) {
        return adopt(found);
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
        return copy(here, n);
    }
    if (n > bytes) {
        errno = ERANGE;
        return NULL;
    }
    return memcpy(to, here, n);
}
