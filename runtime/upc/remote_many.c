/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of compiled code to many places at once, and updates whose result nobody wants. */
#include "upc/abi.h"

#include <string.h>

void upcr_gather_start(void *to, const unsigned long *at, unsigned n, unsigned long bytes,
                       const char *file, int line, struct upcr_reads *reads) {
    for (unsigned i = 0; i < n; i++) {
        upcr_get_start((char *)to + i * bytes, (const void *)at[i], bytes, file, line, reads);
    }
}

void upcr_scatter(const unsigned long *at, const void *from, unsigned n, unsigned long bytes,
                  const char *file, int line) {
    for (unsigned i = 0; i < n; i++) {
        upcr_put((void *)at[i], (const char *)from + i * bytes, bytes, file, line);
    }
}

static uint64_t add_float(uint64_t x, uint64_t y) {
    float a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return upcr_bits_of_float(a + b);
}

static uint64_t add_double(uint64_t x, uint64_t y) {
    double a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return upcr_bits_of_double(a + b);
}

static uint64_t updated(int what, uint64_t old, uint64_t value, unsigned long bytes) {
    switch (what) {
    case UPCR_ADD:
        return old + value;
    case UPCR_SUB:
        return old - value;
    case UPCR_AND:
        return old & value;
    case UPCR_OR:
        return old | value;
    case UPCR_XOR:
        return old ^ value;
    default:
        return bytes == sizeof(float) ? add_float(old, value) : add_double(old, value);
    }
}

void upcr_update(int what, volatile void *at, unsigned long value, unsigned long bytes,
                 const char *file, int line) {
    uint64_t old = 0;
    upcr_get(&old, at, bytes, file, line);
    uint64_t new = updated(what, old, value, bytes);
    upcr_put(at, &new, bytes, file, line);
}

void upcr_update_many(int what, const unsigned long *at, const void *values, unsigned n,
                      unsigned long bytes, const char *file, int line) {
    for (unsigned i = 0; i < n; i++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)values + i * bytes, bytes);
        upcr_update(what, (void *)at[i], value, bytes, file, line);
    }
}
