/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns of bytes, one for each seed: a piece at a wrong place, or another's, differs from the
 * right one. C and C++. */
#ifndef GAS_FILL_H
#define GAS_FILL_H

#include <stddef.h>

static inline void fill(void *p, size_t n, unsigned seed) {
    unsigned char *bytes = (unsigned char *)p;
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (unsigned char)(i * 13 + seed + (i >> 8));
    }
}

static inline int filled(const void *p, size_t n, unsigned seed) {
    const unsigned char *bytes = (const unsigned char *)p;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != (unsigned char)(i * 13 + seed + (i >> 8))) {
            return 0;
        }
    }
    return 1;
}

#endif
