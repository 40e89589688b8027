/* SPDX-License-Identifier: BSD-3-Clause */
/* Places in the source, numbered for the whole job: processes have the same text at other addresses. */
#ifndef FL_CHECK_SITES_H
#define FL_CHECK_SITES_H

#include "check/check.h"

/* The number of a line; `what` is the function that is called there, or null. Texts live as long as
 * the program. 0 if there are too many. */
FL_COLD uint32_t check_site_slow(struct check_known_site *known, const char *file, int line,
                                 const char *what);

static inline uint32_t check_site(const char *file, int line, const char *what) {
    uint64_t hash = (uint64_t)line * 0x9e3779b1u + ((uint64_t)file >> 3) + ((uint64_t)what >> 1);
    struct check_known_site *known = &check_self.known[hash % CHECK_KNOWN_SITES];
    if (FL_LIKELY(known->line == line && known->file == file && known->what == what &&
                  known->site)) {
        return known->site;
    }
    return check_site_slow(known, file, line, what);
}

struct check_place {
    char text[512];
};
/* "race.upc:12", or "race.upc:12 (upc_memput)". */
struct check_place check_place_of(uint32_t site);

#endif
