/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. */
#include "check/objects.h"

#include "check/sites.h"
#include "check/unwritten.h"
#include "core/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct upcr_object __start_upcr_objects[] __attribute__((weak, visibility("hidden")));
extern const struct upcr_object __stop_upcr_objects[] __attribute__((weak, visibility("hidden")));
extern const struct upcr_layout __start_upcr_layouts[] __attribute__((weak, visibility("hidden")));
extern const struct upcr_layout __stop_upcr_layouts[] __attribute__((weak, visibility("hidden")));

/* The static objects, in the order of their addresses: number i + 1 is statics.of[i]. */
static struct {
    const struct upcr_object **of;
    uint32_t n;
} statics;

static uint64_t offset_of_cell(const struct upcr_object *object) {
    return *(const uint64_t *)object->cell - FL_SPACE_BASE;
}

static int by_place(const void *a, const void *b) {
    const struct upcr_object *x = *(const struct upcr_object *const *)a,
                             *y = *(const struct upcr_object *const *)b;
    uint64_t p = offset_of_cell(x), q = offset_of_cell(y);
    /* The largest of several definitions comes first. */
    return p != q ? (p < q ? -1 : 1) : x->local_bytes > y->local_bytes ? -1 : 1;
}

static const struct upcr_layout *layout_of(const struct upcr_object *object) {
    const struct upcr_layout *at = __start_upcr_layouts;
    while (at < __stop_upcr_layouts && at->cell != object->cell) {
        at++;
    }
    return at < __stop_upcr_layouts ? at : NULL;
}

/* "4:10*THREADS,20" */
struct shape {
    uint64_t element, block; /* bytes; block size */
    uint64_t n[8], elements;
    unsigned dimensions;
};

static struct shape shape_of(const struct upcr_layout *layout) {
    struct shape shape = {.element = layout->element, .elements = 1};
    char *rest;
    shape.block = strtoul(layout->text, &rest, 10);
    while (*rest && rest[1] && shape.dimensions < 8) {
        uint64_t n = strtoul(rest + 1, &rest, 10);
        if (strncmp(rest, "*THREADS", 8) == 0) {
            n *= upc_process.job.threads;
            rest += 8;
        } else if (*rest == '?') {
            n = 0;
            rest++;
        }
        shape.n[shape.dimensions++] = n;
        shape.elements *= n;
    }
    return shape;
}

static struct check_object static_object(const struct upcr_object *object) {
    const struct upcr_layout *layout = layout_of(object);
    uint64_t threads = upc_process.job.threads;
    struct check_object new = {.start = offset_of_cell(object),
                               .bytes = object->local_bytes,
                               .block = object->local_bytes,
                               .total = object->local_bytes * threads,
                               .home = CHECK_EVERYWHERE};
    if (!layout) {
        return new;
    }
    struct shape shape = shape_of(layout);
    if (shape.dimensions == 0 || shape.block == 0) {
        uint64_t bytes = shape.elements * shape.element;
        new.home = 0;
        new.bytes = new.total = bytes > 0 ? bytes : new.bytes;
    } else if (shape.elements > 0) {
        new.total = shape.elements * shape.element;
        new.block = shape.block * shape.element;
        new.bytes = check_object_share(&new, (unsigned)threads - 1);
    }
    return new;
}

void check_objects_start(void) {
    size_t n = (size_t)(__stop_upcr_objects - __start_upcr_objects);
    if (n == 0) {
        return;
    }
    statics.of = FL_ALLOCATED(calloc(n, sizeof *statics.of), "upcc -check");
    for (size_t i = 0; i < n; i++) {
        statics.of[i] = &__start_upcr_objects[i];
    }
    qsort(statics.of, n, sizeof *statics.of, by_place);
    for (size_t i = 0; i < n; i++) {
        if (statics.n == 0 || statics.of[i]->cell != statics.of[statics.n - 1]->cell) {
            statics.of[statics.n++] = statics.of[i];
        }
    }
    /* Every process writes the same. */
    for (uint32_t i = 0; i < statics.n; i++) {
        check_memory.objects[i + 1] = static_object(statics.of[i]);
    }
}

static uint32_t find_static(uint64_t offset) {
    uint32_t low = 0, high = statics.n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (check_memory.objects[middle + 1].start <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether a static object has all of [offset, offset + bytes) at each thread. */
static bool fills(uint32_t number, uint64_t offset, uint64_t bytes) {
    const struct check_object *object = &check_memory.objects[number];
    return offset >= object->start && object->bytes >= bytes &&
           offset - object->start <= object->bytes - bytes;
}

/* Found by its place, and from then on by that of its line or granule, if it has all of it. */
uint32_t check_static_owner(uint64_t address, uint64_t offset) {
    uint32_t number = find_static(offset);
    struct check_granule *granule = check_granule_of(address);
    uint64_t in_granule = address % FL_HEAP_GRANULE, in_line = address % FL_HEAP_ALIGN;
    uint32_t chunk = atomic_load_explicit(&granule->chunk, memory_order_relaxed);
    if (number && fills(number, offset - in_granule, FL_HEAP_GRANULE)) {
        atomic_store_explicit(&granule->owner, number, memory_order_relaxed);
    } else if (number && chunk && fills(number, offset - in_line, FL_HEAP_ALIGN)) {
        struct check_chunk *shadow = (struct check_chunk *)check_memory.chunks + chunk;
        atomic_store_explicit(&shadow->owners[in_granule / FL_HEAP_ALIGN], number,
                              memory_order_relaxed);
    }
    return number;
}

uint64_t check_object_share(const struct check_object *object, unsigned thread) {
    if (object->home != CHECK_EVERYWHERE) {
        return object->home == thread ? object->total : 0;
    }
    if (object->block == 0) {
        return 0;
    }
    uint64_t threads = upc_process.job.threads, blocks = object->total / object->block;
    uint64_t rows = blocks / threads, last = blocks % threads;
    return rows * object->block + (thread < last    ? object->block
                                   : thread == last ? object->total % object->block
                                                    : 0);
}

/* Blocks of more than half a granule have granules of their own (space/heap.h). */
static void own(uint64_t address, uint64_t bytes, uint32_t number) {
    check_shadow_clear(address, bytes);
    for (uint64_t at = address; at < address + bytes && bytes > FL_HEAP_SLOT_MAX;
         at += FL_HEAP_GRANULE) {
        atomic_store_explicit(&check_granule_of(at)->owner, number, memory_order_relaxed);
    }
    if (bytes > FL_HEAP_SLOT_MAX) {
        return;
    }
    atomic_store_explicit(&check_granule_of(address)->owner, 0, memory_order_relaxed);
    struct check_chunk *chunk = check_chunk_of(address);
    for (uint64_t at = address; at < address + bytes; at += FL_HEAP_ALIGN) {
        atomic_store_explicit(&chunk->owners[at % FL_HEAP_GRANULE / FL_HEAP_ALIGN], number,
                              memory_order_relaxed);
    }
}

static uint32_t free_number(void) {
    struct check_shared *shared = check_memory.shared;
    uint32_t first = statics.n + 1, room = CHECK_MAX_OBJECTS - first;
    for (uint32_t i = 0; i < room; i++) {
        uint32_t number = first + shared->n_objects++ % room;
        if (check_memory.objects[number].total == 0 || check_memory.objects[number].is_freed) {
            return number;
        }
    }
    fl_fatal(FL_CODE_MEMORY_EXHAUSTED, "upcc -check knows %u objects, and the program has more",
             room);
}

void check_object_add(uint64_t address, uint64_t local, const struct check_object *object) {
    fl_mutex_lock(&check_memory.shared->mutex);
    uint32_t number = free_number();
    check_memory.objects[number] = *object;
    fl_mutex_unlock(&check_memory.shared->mutex);
    if (object->home != CHECK_EVERYWHERE) {
        own(address, local, number);
        check_unwritten_fill(address, object->total);
        return;
    }
    for (unsigned thread = 0; thread < upc_process.job.threads; thread++) {
        uint64_t part = fl_space_address(&upc_process.space, thread, object->start);
        own(part, local, number);
        check_unwritten_fill(part, check_object_share(object, thread));
    }
}

bool check_object_end(uint64_t address, uint32_t site) {
    uint64_t offset = fl_space_offset(&upc_process.space, address);
    struct check_object *object = &check_memory.objects[check_owner(address, offset)];
    if (object->total == 0 || object->is_freed || object->start != offset) {
        return false;
    }
    object->freed_at = site;
    object->is_freed = true;
    object->bytes = 0;
    return true;
}

uint32_t check_objects_end(void) {
    uint32_t end = statics.n + check_memory.shared->n_objects + 1;
    return end < CHECK_MAX_OBJECTS ? end : CHECK_MAX_OBJECTS;
}

bool check_object_is_static(uint32_t number) {
    return number <= statics.n;
}

/* ---- names ---- */

static void add_indices(char *text, size_t room, const struct shape *shape, uint64_t index) {
    uint64_t below = shape->elements;
    for (unsigned i = 0; i < shape->dimensions && shape->elements > 0; i++) {
        size_t used = strlen(text);
        below /= shape->n[i];
        snprintf(text + used, room - used, "[%llu]",
                 (unsigned long long)(i == 0 ? index / below : index / below % shape->n[i]));
    }
}

static struct check_name static_name(const struct upcr_object *object, unsigned thread,
                                     uint64_t within) {
    struct check_name name;
    const struct upcr_layout *layout = layout_of(object);
    size_t room = sizeof name.text;
    snprintf(name.text, room, "`%s", object->name);
    uint64_t rest = within;
    if (layout && layout->element) {
        struct shape shape = shape_of(layout);
        uint64_t local = within / shape.element, threads = upc_process.job.threads;
        uint64_t index =
            shape.block == 0 || shape.dimensions == 0
                ? local
                : (local / shape.block * threads + thread) * shape.block + local % shape.block;
        add_indices(name.text, room, &shape, index);
        rest = within % shape.element;
    }
    size_t used = strlen(name.text);
    if (rest > 0) {
        snprintf(name.text + used, room - used, "` + %llu bytes", (unsigned long long)rest);
    } else {
        snprintf(name.text + used, room - used, "`");
    }
    return name;
}

struct check_name check_object_name(uint32_t number) {
    struct check_name name;
    const struct check_object *object = &check_memory.objects[number];
    if (number <= statics.n) {
        snprintf(name.text, sizeof name.text, "`%s`", statics.of[number - 1]->name);
    } else {
        snprintf(name.text, sizeof name.text, "the %llu bytes allocated at %s",
                 (unsigned long long)object->total, check_place_of(object->site).text);
    }
    return name;
}

struct check_name check_name_of(uint64_t address) {
    const struct fl_space *space = &upc_process.space;
    uint64_t offset = fl_space_offset(space, address);
    unsigned thread = fl_space_thread(space, address);
    uint32_t number = check_owner(address, offset);
    struct check_name name;
    if (number == 0) {
        snprintf(name.text, sizeof name.text, "offset 0x%llx at thread %u",
                 (unsigned long long)offset, thread);
        return name;
    }
    uint64_t within = offset - check_memory.objects[number].start;
    if (number <= statics.n) {
        return static_name(statics.of[number - 1], thread, within);
    }
    snprintf(name.text, sizeof name.text, "byte %llu at thread %u of %.900s",
             (unsigned long long)within, thread, check_object_name(number).text);
    return name;
}

uint32_t check_nearest(uint64_t address) {
    const struct fl_space *space = &upc_process.space;
    uint64_t offset = fl_space_offset(space, address), best = UINT64_MAX;
    unsigned thread = fl_space_thread(space, address);
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < check_objects_end(); i++) {
        const struct check_object *object = &check_memory.objects[i];
        uint64_t share = check_object_share(object, thread), end = object->start + share;
        uint64_t apart = offset < object->start ? object->start - offset : offset - end;
        if (share > 0 && !object->is_freed && apart < best) {
            best = apart;
            nearest = i;
        }
    }
    return nearest;
}
