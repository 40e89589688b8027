/* SPDX-License-Identifier: BSD-3-Clause */
/* The hints of one open file (UPC 1.3 library 7.8.3.1p7): copies of the pairs whose keys the
 * specification defines; others are ignored. Private to one thread. */
#ifndef FL_LIBRARY_IO_HINTS_H
#define FL_LIBRARY_IO_HINTS_H

#include "library/io.h"

struct upc_io_hints {
    upc_hint_t *list;
    size_t count;
};

/* Adds the hint, or replaces its value. 0, or ENOMEM. */
int upc_io_hints_set(struct upc_io_hints *hints, const upc_hint_t *hint);
void upc_io_hints_free(struct upc_io_hints *hints);

/* The values of hints, and advice to the system by them. */
unsigned upc_io_hints_mode(const struct upc_io_hints *hints);         /* file_perm, octal */
uint64_t upc_io_hints_number(const struct upc_io_hints *hints, const char *key); /* 0: none */
void upc_io_hints_advise(const struct upc_io_hints *hints, int fd);   /* access_style */

#endif
