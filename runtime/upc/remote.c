/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of compiled code to memory that may be another host's. */
#include "upc/abi.h"

#include <string.h>

void upcr_get(void *to, const volatile void *from, unsigned long bytes, const char *file,
              int line) {
    (void)file;
    (void)line;
    memcpy(to, (const void *)from, bytes);
}

void upcr_put(volatile void *to, const void *from, unsigned long bytes, const char *file,
              int line) {
    (void)file;
    (void)line;
    memcpy((void *)to, from, bytes);
}

void upcr_get_strict(void *to, const volatile void *from, unsigned long bytes, const char *file,
                     int line) {
    upcr_fence();
    upcr_get(to, from, bytes, file, line);
    upcr_fence();
}

void upcr_put_strict(volatile void *to, const void *from, unsigned long bytes, const char *file,
                     int line) {
    upcr_fence();
    upcr_put(to, from, bytes, file, line);
    upcr_fence();
}

void upcr_quiet(void) {
}
