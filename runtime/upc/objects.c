/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. Every process runs the same program, so the descriptors are in the same order in
 * all of them, and the objects get the same places. */
#include "upc/objects.h"

#include "core/fatal.h"
#include "space/space.h"
#include "upc/abi.h"

#include <stdlib.h>
#include <string.h>

/* Bounds of the sections; weak, because a program may have none. */
#define SECTION(type, name)                                                                        \
    extern type __start_##name[] __attribute__((weak, visibility("hidden")));                      \
    extern type __stop_##name[] __attribute__((weak, visibility("hidden")))
SECTION(const struct upcr_object, upcr_objects);
SECTION(const struct upcr_unit, upcr_units);
SECTION(const upcr_init_function, upcr_shared_inits);
SECTION(const upcr_init_function, upcr_thread_inits);
SECTION(const upcr_init_function, upcr_constructors);

/* Checks that all units take private objects either as thread-local or as plain ones: they would
 * differ. */
static void check_privates(const struct upcr_unit *u, const struct upcr_unit **of_threads,
                           const struct upcr_unit **of_process) {
    *of_threads = u->privates == UPCR_OF_THREADS ? u : *of_threads;
    *of_process = u->privates == UPCR_OF_PROCESS ? u : *of_process;
    if (*of_threads && *of_process) {
        fl_fatal(FL_CODE_OBJECT_FILES,
                 "%s was compiled for one UPC thread in each process (-nopthreads, or an option "
                 "that implies it), but %s was not; compile %s with -nopthreads too",
                 (*of_process)->file, (*of_threads)->file, (*of_threads)->file);
    }
}

struct upc_units upc_objects_check_units(void) {
    struct upc_units all = {0};
    const struct upcr_unit *named = NULL, *of_threads = NULL, *of_process = NULL;
    bool only_code = false;
    for (const struct upcr_unit *u = __start_upcr_units; u < __stop_upcr_units; u++) {
        if (u->abi != UPCR_ABI) {
            fl_fatal(FL_CODE_OBJECT_FILES,
                     "%s was compiled by another version of upcc (its interface is %u, the "
                     "library's %d); compile it again",
                     u->file, u->abi, UPCR_ABI);
        }
        if (named && u->static_threads != named->static_threads) {
            fl_fatal(FL_CODE_OBJECT_FILES,
                     "%s was compiled for THREADS = %u (-T), but %s for %s%.0u; compile all files "
                     "of a program with the same -T",
                     u->static_threads ? u->file : named->file,
                     u->static_threads ? u->static_threads : named->static_threads,
                     u->static_threads ? named->file : u->file,
                     u->static_threads && named->static_threads ? "another number" : "any number",
                     0u);
        }
        check_privates(u, &of_threads, &of_process);
        only_code = only_code || u->privates == UPCR_ONLY_CODE;
        named = u;
        all.static_threads = u->static_threads;
        all.debug = all.debug || u->debug;
    }
    all.nopthreads = of_process || (only_code && !of_threads);
    return all;
}

void upc_objects_check_hosts(unsigned hosts) {
    for (const struct upcr_unit *u = __start_upcr_units; u < __stop_upcr_units && hosts > 1; u++) {
        if (!u->network) {
            fl_fatal(FL_CODE_ONE_HOST,
                     "%s was compiled for one host (upcc -network=smp), but the job has %u; "
                     "compile it without that option, or run the program on one host",
                     u->file, hosts);
        }
    }
}

/* One descriptor. Those of the same cell are grouped. */
struct entry {
    const struct upcr_object *object;
    size_t order; /* in the section */
};

static int by_cell(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->object->cell != y->object->cell) {
        return (uintptr_t)x->object->cell < (uintptr_t)y->object->cell ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x100000001b3u; /* FNV-1a, by words */
}

static uint64_t mix_text(uint64_t hash, const char *text) {
    while (*text) {
        hash = mix(hash, (unsigned char)*text++);
    }
    return hash;
}

/* Places one object, which `n` descriptors describe: tentative definitions of one array in several
 * files may differ in size; the largest size is used. */
static uint64_t place(const struct entry *group, size_t n, uint64_t at, uint64_t base,
                      uint64_t most, uint64_t *hash_p) {
    uint64_t bytes = 0, align = 16;
    const struct upcr_object *object = group[0].object;
    for (size_t i = 0; i < n; i++) {
        bytes = group[i].object->local_bytes > bytes ? group[i].object->local_bytes : bytes;
        align = group[i].object->align > align ? group[i].object->align : align;
    }
    /* Objects of a line or more do not share lines with others. */
    align = bytes >= FL_CACHE_LINE && align < FL_CACHE_LINE ? FL_CACHE_LINE : align;
    at = fl_round_up(at, align);
    if (bytes > most || at > most - bytes) {
        fl_fatal(FL_CODE_STATIC_SPACE,
                 "the shared object %s needs %llu bytes at each thread, more than a segment has "
                 "left (%llu bytes)",
                 object->name, (unsigned long long)bytes,
                 (unsigned long long)(at > most ? 0 : most - at));
    }
    uint64_t address = base + at;
    memcpy(object->cell, &address, sizeof address);
    *hash_p = mix_text(mix(mix(*hash_p, at), bytes), object->name);
    return at + bytes;
}

uint64_t upc_objects_place(uint64_t base, uint64_t most, uint64_t *fingerprint_p) {
    size_t n = (size_t)(__stop_upcr_objects - __start_upcr_objects);
    uint64_t at = FL_CACHE_LINE, hash = 0xcbf29ce484222325u;
    if (n == 0) {
        *fingerprint_p = hash;
        return 0;
    }
    struct entry *entries = calloc(n, sizeof *entries);
    if (!entries) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory to place %zu static shared objects", n);
    }
    for (size_t i = 0; i < n; i++) {
        entries[i] = (struct entry){&__start_upcr_objects[i], i};
    }
    qsort(entries, n, sizeof *entries, by_cell);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && entries[end].object->cell == entries[i].object->cell) {
            end++;
        }
        at = place(&entries[i], end - i, at, base, most, &hash);
        i = end;
    }
    free(entries);
    *fingerprint_p = hash;
    return at;
}

const char *upc_objects_at(uint64_t offset, uint64_t *within_p) {
    const char *name = NULL;
    uint64_t address = FL_SPACE_BASE + offset;
    for (const struct upcr_object *o = __start_upcr_objects; o < __stop_upcr_objects; o++) {
        uint64_t begin;
        memcpy(&begin, o->cell, sizeof begin);
        if (address >= begin && address - begin < o->local_bytes) {
            *within_p = address - begin;
            name = o->name;
        }
    }
    return name;
}

static void run(const upcr_init_function *from, const upcr_init_function *to) {
    for (; from < to; from++) {
        (*from)();
    }
}

void upcr_check_initialiser(const char *name, unsigned long n_values, unsigned long n_elems,
                            const char *file, int line) {
    if (n_values > n_elems) {
        fl_fatal(FL_CODE_INITIALISER,
                 "%s:%d: %s is initialised with %lu values, but has %lu elements with so few "
                 "threads; run the program with more",
                 file, line, name, n_values, n_elems);
    }
}

void upc_objects_run_shared_inits(void) {
    run(__start_upcr_shared_inits, __stop_upcr_shared_inits);
}

void upc_objects_run_constructors(void) {
    run(__start_upcr_constructors, __stop_upcr_constructors);
}

void upc_objects_run_thread_inits(void) {
    run(__start_upcr_thread_inits, __stop_upcr_thread_inits);
}
