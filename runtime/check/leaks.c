/* SPDX-License-Identifier: BSD-3-Clause */
/* See leaks.h. */
#include "check/leaks.h"

#include "check/objects.h"
#include "check/report.h"
#include "check/sites.h"

#include <stdlib.h>

/* What was allocated at one place. */
struct leak {
    uint64_t objects, bytes, locks;
};

void check_leaks_report(void) {
    struct leak *leaks = FL_ALLOCATED(calloc(CHECK_MAX_SITES, sizeof *leaks), "upcc -check");
    uint32_t end = check_objects_end();
    for (uint32_t i = 1; i < end; i++) {
        const struct check_object *object = &check_memory.objects[i];
        if (!check_object_is_static(i) && object->total > 0 && !object->is_freed) {
            leaks[object->site].objects++;
            leaks[object->site].bytes += object->total;
        }
    }
    for (uint32_t i = 0; i < CHECK_LOCKS; i++) {
        const struct check_made_lock *made = &check_memory.locks[i];
        leaks[made->site].locks += made->lock > 1;
    }
    for (uint32_t site = 0; site < CHECK_MAX_SITES; site++) {
        const struct leak *leak = &leaks[site];
        if (leak->objects > 0 && check_is_new(FL_CODE_LEAK, site, 0)) {
            check_say(FL_CODE_LEAK,
                      "%s: %llu allocation%s of %llu bytes in all %s never freed",
                      check_place_of(site).text, (unsigned long long)leak->objects,
                      leak->objects == 1 ? "" : "s", (unsigned long long)leak->bytes,
                      leak->objects == 1 ? "is" : "are");
        }
        if (leak->locks > 0 && check_is_new(FL_CODE_LEAK, site, 1)) {
            check_say(FL_CODE_LEAK, "%s: %llu lock%s never freed", check_place_of(site).text,
                      (unsigned long long)leak->locks, leak->locks == 1 ? " is" : "s are");
        }
    }
    free(leaks);
}
