/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment is the program's memory from main on: an array of strings that host 0 has made,
 * and whose address the other hosts hear with each region. It has room for more, so what another
 * host sets is seen here too. What is set is never freed, as others may have its address.
 */
#include "spread/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static size_t count(char **strings) {
    size_t n = 0;
    while (strings && strings[n]) {
        n++;
    }
    return n;
}

static char **find(const char *name, size_t length) {
    char **at = environ;
    while (at && *at && (strncmp(*at, name, length) != 0 || (*at)[length] != '=')) {
        at++;
    }
    return at && *at ? at : NULL;
}

enum { ROOM = 256 }; /* an array's length is a multiple */

/* With room for one more; its address stands before it. */
static char **copy_array(char **from, size_t n) {
    size_t strings = fl_round_up(n + 2, ROOM);
    char **block = fl_heap_program((1 + strings) * sizeof *block, 16);
    if (!block) {
        return NULL;
    }
    char **copy = block + 1;
    memset(copy, 0, strings * sizeof *copy);
    if (n > 0) {
        memcpy(copy, from, n * sizeof *copy);
    }
    block[0] = (char *)copy;
    return copy;
}

/* Whether the array of n strings is such a copy, and not the program's own, and has room. */
static bool has_room(char **array, size_t n) {
    return (uintptr_t)array - FL_SPREAD_HEAP < FL_SPREAD_STACK_BASE - FL_SPREAD_HEAP &&
           array[-1] == (char *)array && (n + 1) % ROOM != 0;
}

char **fl_environment_copy(char **from, size_t n) {
    char **copy = copy_array(from, n);
    for (size_t i = 0; copy && i < n; i++) {
        size_t bytes = strlen(from[i]) + 1;
        char *text = fl_heap_program(bytes, 16);
        if (!text) {
            return NULL;
        }
        copy[i] = memcpy(text, from[i], bytes);
    }
    return copy;
}

void fl_environment_start(void) {
    char **copy = fl_environment_copy(environ, count(environ));
    environ = copy ? copy : environ;
}

/* Uses host 0's array, on a host that begins a part of a region. */
void fl_environment_use(char **strings) {
    if (environ != strings) {
        environ = strings;
    }
}

/* `text`, "name=value", is the program's memory. */
static int put(char *text, size_t length, bool overwrite) {
    char **at = find(text, length);
    if (at) {
        *at = overwrite ? text : *at;
        return 0;
    }
    size_t n = count(environ);
    char **array = has_room(environ, n) ? environ : copy_array(environ, n);
    if (!array) {
        return -1;
    }
    array[n] = text;
    environ = array;
    return 0;
}

FL_EXPORT int setenv(const char *name, const char *value, int overwrite) {
    if (!fl_spread_together()) {
        return FL_NEXT(setenv)(name, value, overwrite);
    }
    size_t length = strlen(name), bytes = strlen(value) + 1;
    if (length == 0 || strchr(name, '=')) {
        errno = EINVAL;
        return -1;
    }
    char *text = fl_heap_program(length + 1 + bytes, 16);
    if (!text) {
        return -1;
    }
    memcpy(text, name, length);
    text[length] = '=';
    memcpy(text + length + 1, value, bytes);
    return put(text, length, overwrite);
}

FL_EXPORT int putenv(char *text) {
    const char *equals = strchr(text, '=');
    if (!fl_spread_together() || !equals) {
        return equals ? FL_NEXT(putenv)(text) : unsetenv(text);
    }
    return put(text, (size_t)(equals - text), true);
}

FL_EXPORT int unsetenv(const char *name) {
    if (!fl_spread_together()) {
        return FL_NEXT(unsetenv)(name);
    }
    size_t length = strlen(name);
    if (length == 0 || strchr(name, '=')) {
        errno = EINVAL;
        return -1;
    }
    for (char **at; (at = find(name, length)) != NULL;) {
        do {
            at[0] = at[1];
        } while (*at++);
    }
    return 0;
}

FL_EXPORT int clearenv(void) {
    if (!fl_spread_together()) {
        return FL_NEXT(clearenv)();
    }
    environ = NULL;
    return 0;
}
