/* SPDX-License-Identifier: BSD-3-Clause */
/* See map.h. */
#include "dsm/map.h"

#include "core/fatal.h"

#include <string.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what, int error) {
    fl_fatal(FL_CODE_SHARED_MEMORY, "coherent memory %s: %s", what, strerror(-error));
}

/* Calls `act` for the longest pieces of a range whose home is this host, or is not. */
static void for_pieces(const struct fl_map *map, const struct fl_map_range *range, unsigned me,
                       void act(const struct fl_map *, const struct fl_map_range *, uint64_t from,
                                uint64_t bytes, bool mine)) {
    uint64_t block = range->homes ? range->block_bytes : range->bytes;
    for (uint64_t from = 0, end; from < range->bytes; from = end) {
        bool mine = fl_map_home(range, from) == me;
        for (end = from + block; end < range->bytes; end += block) {
            if ((fl_map_home(range, end) == me) != mine) {
                break;
            }
        }
        end = end < range->bytes ? end : range->bytes;
        act(map, range, from, end - from, mine);
    }
}

/* Copies what the home already has there into the file; pages of zeros would only cost memory. */
static void keep(const struct fl_map *map, const struct fl_map_range *range, uint64_t from,
                 uint64_t bytes, bool mine) {
    const unsigned char *now = (const unsigned char *)range->address + from;
    unsigned char *to = fl_map_alias(map, range->first) + from;
    for (uint64_t at = 0; mine && at < bytes; at += FL_MAP_PAGE) {
        if (!fl_map_is_zero(now + at)) {
            memcpy(to + at, now + at, FL_MAP_PAGE);
        }
    }
}

static void watch(const struct fl_map *map, const struct fl_map_range *range, uint64_t from,
                  uint64_t bytes, bool mine) {
    int error = mine && range->fixed
                    ? 0
                    : map->ops->watch(map->handle, (void *)(range->address + from), bytes);
    if (error) {
        give_up("cannot be watched", error);
    }
}

static void map_range(const struct fl_map *map, const struct fl_map_range *range, unsigned me) {
    int error = 0;
    if (range->kept) {
        for_pieces(map, range, me, keep);
    } else {
        error = fl_os_memory_reserve(range->address, range->bytes);
    }
    if (!error) {
        error = fl_os_memory_map_at(range->address, map->fd, (uint64_t)range->first * FL_MAP_PAGE,
                                    range->bytes);
    }
    if (error) {
        give_up("cannot be mapped at its address", error);
    }
    for_pieces(map, range, me, watch);
}

void fl_map_make(struct fl_map *map, const struct fl_map_range *ranges, unsigned n, unsigned me,
                 const struct fl_fault_ops *ops, int handle) {
    map->ops = ops;
    map->handle = handle;
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
        map_range(map, &map->ranges[i], me);
    }
}
