/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regular expressions (regcomp). The C library compiles them into memory of its own, which it
 * changes while it matches, under a lock within one process. So each host compiles an expression
 * that another one has compiled when it first matches it, from the source that the program's object
 * leads to, and keeps it. glibc's `allocated` has no meaning once an object is compiled.
 */
#include "spread/inside.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256 };

/* In the program's memory. */
struct source {
    uint64_t number; /* unique in the job */
    uint64_t host;   /* that has compiled the object itself */
    int flags;
    char pattern[];
};

/* An expression of another host. */
struct compiled {
    struct compiled *next;
    const struct source *source;
    uint64_t number; /* another one: the source has been freed */
    regex_t own;
};

static struct {
    struct fl_mutex mutex;
    uint64_t n; /* compiled by the program on this host */
    struct compiled *buckets[BUCKETS];
} expressions;

/* Null: the C library's functions that are not of POSIX have compiled it. */
static struct source *source_of(const regex_t *object) {
    struct source *source = (struct source *)(uintptr_t)object->allocated;
    return fl_spread_is_coherent(source) ? source : NULL;
}

FL_EXPORT int regcomp(regex_t *restrict object, const char *restrict pattern, int flags) {
    int error = FL_NEXT(regcomp)(object, pattern, flags);
    if (error || !fl_heap_is_program(__builtin_return_address(0))) {
        return error;
    }
    size_t bytes = strlen(pattern) + 1;
    struct source *source = fl_heap_program(sizeof *source + bytes, 16);
    if (!source) {
        FL_NEXT(regfree)(object);
        return REG_ESPACE;
    }
    fl_mutex_lock(&expressions.mutex);
    source->number = ++expressions.n * fl_spread_hosts() + fl_spread_me();
    fl_mutex_unlock(&expressions.mutex);
    source->host = fl_spread_me();
    source->flags = flags;
    memcpy(source->pattern, pattern, bytes);
    object->allocated = (uintptr_t)source;
    return 0;
}

static struct compiled **find(const struct source *source) {
    struct compiled **at = &expressions.buckets[(uintptr_t)source / 16 % BUCKETS];
    while (*at && (*at)->source != source) {
        at = &(*at)->next;
    }
    return at;
}

static void drop(struct compiled **at) {
    struct compiled *old = *at;
    if (old) {
        *at = old->next;
        FL_NEXT(regfree)(&old->own);
        free(old);
    }
}

/* The expression as this host has compiled it. Null: there is no memory. */
static const regex_t *compiled_here(const struct source *source) {
    fl_mutex_lock(&expressions.mutex);
    struct compiled **at = find(source);
    if (*at && (*at)->number != source->number) {
        drop(at);
        at = find(source);
    }
    if (!*at) {
        struct compiled *new = calloc(1, sizeof *new);
        if (new && FL_NEXT(regcomp)(&new->own, source->pattern, source->flags)) {
            free(new);
            new = NULL;
        } else if (new) {
            new->source = source;
            new->number = source->number;
            *at = new;
        }
    }
    const regex_t *own = *at ? &(*at)->own : NULL;
    fl_mutex_unlock(&expressions.mutex);
    return own;
}

FL_EXPORT int regexec(const regex_t *restrict object, const char *restrict text, size_t n,
                      regmatch_t to[restrict n], int flags) {
    const struct source *source = source_of(object);
    if (source && source->host != fl_spread_me()) {
        object = compiled_here(source);
    }
    return object ? FL_NEXT(regexec)(object, text, n, to, flags) : REG_ESPACE;
}

/* What other hosts have compiled stays with them until the source's memory has another one. */
FL_EXPORT void regfree(regex_t *object) {
    struct source *source = source_of(object);
    if (source && source->host != fl_spread_me()) {
        fl_mutex_lock(&expressions.mutex);
        drop(find(source));
        fl_mutex_unlock(&expressions.mutex);
    } else {
        FL_NEXT(regfree)(object);
    }
    free(source);
}
