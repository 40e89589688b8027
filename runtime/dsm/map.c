/* SPDX-License-Identifier: BSD-3-Clause */
/* See map.h. */
#include "dsm/map.h"

#include "core/fatal.h"

#include <string.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what, int error) {
    fl_fatal(FL_CODE_SHARED_MEMORY, "coherent memory %s: %s", what, strerror(-error));
}

static void map_range(const struct fl_map *map, const struct fl_map_range *range,
                      const struct fl_fault_ops *ops, int handle) {
    int error = fl_os_memory_reserve(range->address, range->bytes);
    if (!error) {
        error = fl_os_memory_map_at(range->address, map->fd, (uint64_t)range->first * FL_MAP_PAGE,
                                    range->bytes);
    }
    if (error) {
        give_up("cannot be mapped at its address", error);
    }
    error = ops->watch(handle, (void *)range->address, range->bytes);
    if (error) {
        give_up("cannot be watched", error);
    }
}

void fl_map_make(struct fl_map *map, const struct fl_map_range *ranges, unsigned n,
                 const struct fl_fault_ops *ops, int handle) {
    if (sysconf(_SC_PAGESIZE) != FL_MAP_PAGE) {
        fl_fatal(FL_CODE_SHARED_MEMORY, "coherent memory needs pages of %d bytes", FL_MAP_PAGE);
    }
    map->pages = 0;
    map->n_ranges = n;
    for (unsigned i = 0; i < n; i++) {
        map->ranges[i] = ranges[i];
        map->ranges[i].first = (uint32_t)fl_round_up(map->pages, FL_MAP_CHUNK);
        map->pages = map->ranges[i].first + (uint32_t)(ranges[i].bytes / FL_MAP_PAGE);
    }
    uint64_t bytes = (uint64_t)map->pages * FL_MAP_PAGE;
    void *alias;
    int error = fl_os_memory_create("furlong-coherent", &map->fd);
    if (!error) {
        error = fl_os_memory_grow(map->fd, bytes);
    }
    if (!error) {
        error = fl_os_memory_map(map->fd, 0, bytes, &alias);
    }
    if (error) {
        give_up("cannot be made", error);
    }
    map->alias = alias;
    for (unsigned i = 0; i < n; i++) {
        map_range(map, &map->ranges[i], ops, handle);
    }
}
