// SPDX-License-Identifier: BSD-3-Clause
/* The C side of gups.upc. */
#include <stdint.h>

void gups_ref(uint64_t *table, uint64_t mask, uint64_t n);

void gups_ref(uint64_t *table, uint64_t mask, uint64_t n) {
    uint64_t random = 0x123456789abcdefu;
    for (uint64_t i = 0; i < n; i++) {
        random = random << 1 ^ ((int64_t)random < 0 ? 7u : 0);
        table[random & mask] ^= random;
    }
}
