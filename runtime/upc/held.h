/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a thread has taken the locks that it holds, as far as upcr_called_from says it: in code that is
 * compiled with -g. For the message that names who holds a lock (upc/stuck.h).
 */
#ifndef FL_UPC_HELD_H
#define FL_UPC_HELD_H

#include "core/status.h"

/* Of more locks at once the places are not known. */
enum { UPC_HELD_MAX = 4 };

struct upc_held {
    unsigned n;
    struct upc_held_lock {
        const void *lock;
        const char *file;
        int line;
    } locks[UPC_HELD_MAX];
};

static inline void upc_held_add(struct upc_held *held, const void *lock, const char *file,
                                int line) {
    if (held->n < UPC_HELD_MAX) {
        held->locks[held->n++] = (struct upc_held_lock){lock, file, line};
    }
}

static inline void upc_held_remove(struct upc_held *held, const void *lock) {
    unsigned i = held->n;
    while (i > 0 && held->locks[i - 1].lock != lock) {
        i--;
    }
    if (i > 0) {
        held->locks[i - 1] = held->locks[--held->n];
    }
}

#endif
