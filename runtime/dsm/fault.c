/* SPDX-License-Identifier: BSD-3-Clause */
/* See fault.h. */
#include "dsm/fault.h"

#include <string.h>

static bool can_note(const struct fl_fault_ops *ops) {
    int handle;
    if (!ops->open_noting || ops->open_noting(&handle) != 0) {
        return false;
    }
    ops->close(handle);
    return true;
}

const struct fl_fault_ops *fl_fault_open(const char *name, int *handle_p) {
    static const struct fl_fault_ops *const all[] = {&fl_fault_watch, &fl_fault_rights};
    bool tracking = name && strcmp(name, FL_FAULT_TRACKING) == 0;
    bool original = name && strcmp(name, FL_FAULT_ORIGINAL) == 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool named = !name || strcmp(name, all[i]->name) == 0 || (tracking && can_note(all[i])) ||
                     (original && all[i] == &fl_fault_rights);
        if (named && all[i]->open(handle_p) == 0) {
            return all[i];
        }
    }
    return NULL;
}
