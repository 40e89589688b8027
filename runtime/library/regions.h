/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is not contiguous, and one copy from any such memory to any other: byte after byte in
 * the order of the regions. The forms are lists of regions, lists of regions of one length, and
 * strided sections.
 */
#ifndef FL_LIBRARY_REGIONS_H
#define FL_LIBRARY_REGIONS_H

#include "library/tickets.h"

#include <stdint.h>

/* `count` chunks of `len` bytes, `stride` bytes from the beginning of one to that of the next. */
struct region_run {
    uint64_t at;
    size_t len, stride, count;
};

enum region_form { REGION_VLIST, REGION_ILIST, REGION_STRIDED };

/* Some runs, computed when they are needed. */
struct regions {
    enum region_form form;
    size_t runs;
    uint64_t address_bits; /* mask of the address in a pointer of the list, or in the base */
    const void *list;
    uint64_t base;
    size_t len;
    const size_t *strides, *count;
    size_t levels;
};

/* The pointers are plain addresses, or packed pointers-to-shared. */
enum region_pointers { REGION_PRIVATE, REGION_SHARED };

/* list[i] is a pointer and a length. */
struct regions region_vlist(enum region_pointers pointers, size_t n, const void *list);

/* list[i] is a pointer to `len` bytes. */
struct regions region_ilist(enum region_pointers pointers, size_t n, const void *list, size_t len);

/* count[0] bytes, count[1] times at a distance of strides[0], all that count[2] times at a distance
 * of strides[1], and so on to count[levels]. Keeps the arrays. */
struct regions region_strided(enum region_pointers pointers, uint64_t base, const size_t *strides,
                              const size_t *count, size_t levels);

/* Copies, for the function `what`. In programs that check for misuse, fatal unless both sides have
 * the same number of bytes, and no byte of the destination occurs twice or in the source. */
void region_copy(const char *what, struct regions dst, struct regions src);

/* Initiates the same; the program may change the lists and arrays on return. */
upc_handle_t region_copy_nb(enum nb_call call, struct regions dst, struct regions src);

#endif
