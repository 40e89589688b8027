/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where coherent memory is: ranges of addresses, the same on all hosts, behind which each host has
 * one memory file. The program's mapping of it is at the global addresses, with the rights that the
 * fault mechanism sets; the runtime's own, the alias, is anywhere and always writable. The runtime
 * touches coherent memory through the alias only, so it never faults.
 *
 * Pages are numbered through all ranges, as they lie in the file. Each range begins with a new
 * chunk of FL_MAP_CHUNK pages, so the pages of a chunk are neighbours.
 */
#ifndef FL_DSM_MAP_H
#define FL_DSM_MAP_H

#include "core/status.h"
#include "dsm/fault.h"

#include <string.h>

enum { FL_MAP_PAGE = 4096, FL_MAP_CHUNK = 64, FL_MAP_RANGES = 16, FL_MAP_NONE = UINT32_MAX };

struct fl_map {
    const struct fl_fault_ops *ops;
    int handle;
    int fd;
    unsigned char *alias;
    uint32_t pages;
    unsigned n_ranges;
    struct fl_map_range {
        uintptr_t address;
        uint64_t bytes;
        const uint16_t *homes; /* of blocks of block_bytes; null: host 0 is the home of all */
        uint64_t block_bytes;
        bool fixed; /* homes never move, and may touch their pages at any time, as the kernel may */
        bool kept;  /* the memory is in use: it begins with what its homes have there, not zeros */
        uint32_t first; /* page */
    } ranges[FL_MAP_RANGES];
};

/* Maps all ranges, once; whole pages, in ascending order. All pages are absent except those of
 * fixed ranges whose home is `me`. Fatal on failure. */
void fl_map_make(struct fl_map *map, const struct fl_map_range *ranges, unsigned n, unsigned me,
                 const struct fl_fault_ops *ops, int handle);

/* The home that the page at `offset` of a range has at first. */
static inline unsigned fl_map_home(const struct fl_map_range *range, uint64_t offset) {
    return range->homes ? range->homes[offset / range->block_bytes] : 0;
}

/* The page that an address is in; FL_MAP_NONE: none. Async-signal-safe. */
static inline uint32_t fl_map_page(const struct fl_map *map, uintptr_t address) {
    for (unsigned i = 0; i < map->n_ranges; i++) {
        const struct fl_map_range *range = &map->ranges[i];
        if (address - range->address < range->bytes) {
            return range->first + (uint32_t)((address - range->address) / FL_MAP_PAGE);
        }
    }
    return FL_MAP_NONE;
}

static inline const struct fl_map_range *fl_map_range_of(const struct fl_map *map, uint32_t page) {
    const struct fl_map_range *range = &map->ranges[map->n_ranges - 1];
    while (page < range->first) {
        range--;
    }
    return range;
}

/* Where the program sees a page; its range's other pages are beside it. */
static inline void *fl_map_address(const struct fl_map *map, uint32_t page) {
    const struct fl_map_range *range = fl_map_range_of(map, page);
    return (void *)(range->address + (uint64_t)(page - range->first) * FL_MAP_PAGE);
}

/* Where the runtime sees it. */
static inline unsigned char *fl_map_alias(const struct fl_map *map, uint32_t page) {
    return map->alias + (uint64_t)page * FL_MAP_PAGE;
}

static inline bool fl_map_is_zero(const unsigned char *page) {
    return page[0] == 0 && memcmp(page, page + 1, FL_MAP_PAGE - 1) == 0;
}

#endif
