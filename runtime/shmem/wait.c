/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for variables that other PEs write: OpenSHMEM 1.5, 9.10. */
#include "shmem/inside.h"

/* The value, sign-extended if its type is signed. No labels: another PE's put comes before. */
static uint64_t value_at(const volatile void *at, size_t each, int is_signed) {
    switch (each) {
    case 2: {
        uint16_t value = __atomic_load_n((const volatile uint16_t *)at, __ATOMIC_ACQUIRE);
        return is_signed ? (uint64_t)(int64_t)(int16_t)value : value;
    }
    case 4: {
        uint32_t value = __atomic_load_n((const volatile uint32_t *)at, __ATOMIC_ACQUIRE);
        return is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
    }
    default: return __atomic_load_n((const volatile uint64_t *)at, __ATOMIC_ACQUIRE);
    }
}

static bool holds(uint64_t value, uint64_t other, int is_signed, int comparison) {
    uint64_t flip = is_signed ? 1ull << 63 : 0; /* maps signed order to unsigned order */
    value ^= flip;
    other ^= flip;
    switch (comparison) {
    case SHMEM_CMP_EQ: return value == other;
    case SHMEM_CMP_NE: return value != other;
    case SHMEM_CMP_GT: return value > other;
    case SHMEM_CMP_GE: return value >= other;
    case SHMEM_CMP_LT: return value < other;
    case SHMEM_CMP_LE: return value <= other;
    default: gas_misuse("a comparison is %d, and none of SHMEM_CMP_EQ to SHMEM_CMP_GE", comparison);
    }
}

size_t furlong_shmem_compare(const volatile void *variables, size_t each, int is_signed, size_t n,
                             size_t *indices, const int *status, int comparison,
                             const void *values, int has_values, int waits,
                             enum furlong_shmem_quantity quantity) {
    const volatile char *at = variables;
    struct gas_patience patience = {0};
    static _Thread_local size_t begin; /* rotates, so that ANY is fair */
    size_t seen = 0;                   /* ALL: comparisons before it have held, once at least */
    for (;;) {
        size_t asked = 0, found = 0, place = SIZE_MAX;
        begin = n > 0 ? (begin + 1) % n : 0;
        for (size_t k = seen; k < n; k++) {
            size_t i = quantity == FURLONG_SHMEM_ANY ? (begin + k) % n : k;
            if (status && status[i]) {
                continue;
            }
            asked++;
            uint64_t other =
                value_at((const char *)values + (has_values ? i * each : 0), each, is_signed);
            if (holds(value_at(at + i * each, each, is_signed), other, is_signed, comparison)) {
                place = i;
                if (indices) {
                    indices[found] = i;
                }
                found++;
                if (quantity == FURLONG_SHMEM_ANY) {
                    return i;
                }
            } else if (quantity == FURLONG_SHMEM_ALL) {
                seen = k; /* a value that has come need not stay */
                break;
            }
        }
        switch (quantity) {
        case FURLONG_SHMEM_ALL:
            if (found == asked || !waits) {
                return found == asked ? asked : SIZE_MAX;
            }
            break;
        case FURLONG_SHMEM_SOME:
            if (found > 0 || asked == 0 || !waits) {
                return found;
            }
            break;
        case FURLONG_SHMEM_ANY:
            if (asked == 0 || !waits) {
                return place;
            }
            break;
        }
        gas_wait_step(&patience);
    }
}
