/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory transfers (UPC 1.3 7.2.5) on one host: all segments are memory of this process. Each side
 * is a `shared [] char[n]`, so it is contiguous at one thread. Old programs pass ranges that
 * overlap or are equal, so memmove; it costs nothing.
 */
#include "library/upc.h"

#include <string.h>

void upc_memcpy(upcr_pts dst, upcr_pts src, size_t n) {
    memmove((void *)upcr_address(dst), (const void *)upcr_address(src), n);
}

void upc_memget(void *dst, upcr_pts src, size_t n) {
    memmove(dst, (const void *)upcr_address(src), n);
}

void upc_memput(upcr_pts dst, const void *src, size_t n) {
    memmove((void *)upcr_address(dst), src, n);
}

void upc_memset(upcr_pts dst, int c, size_t n) {
    memset((void *)upcr_address(dst), c, n);
}
