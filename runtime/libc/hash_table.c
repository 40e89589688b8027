/* SPDX-License-Identifier: BSD-3-Clause */
/* hsearch (POSIX): one table for each UPC thread. */
#include "libc/state.h"

#include <search.h>

static struct hsearch_data *table_of_caller(void) {
    return libc_state(UPC_LIBC_HSEARCH, sizeof(struct hsearch_data));
}

LIBC_OWN int hcreate(size_t entries) {
    return hcreate_r(entries, table_of_caller());
}

LIBC_OWN ENTRY *hsearch(ENTRY item, ACTION action) {
    ENTRY *found = NULL;
    (void)hsearch_r(item, action, &found, table_of_caller());
    return found;
}

LIBC_OWN void hdestroy(void) {
    hdestroy_r(table_of_caller());
}
