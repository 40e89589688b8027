/* SPDX-License-Identifier: BSD-3-Clause */
/* See fault.h. */
#include "dsm/fault.h"

#include <string.h>

const struct fl_fault_ops *fl_fault_open(const char *name, int *handle_p) {
    static const struct fl_fault_ops *const all[] = {&fl_fault_watch, &fl_fault_rights};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if ((!name || strcmp(name, all[i]->name) == 0) && all[i]->open(handle_p) == 0) {
            return all[i];
        }
    }
    return NULL;
}
