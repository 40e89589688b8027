/* SPDX-License-Identifier: BSD-3-Clause */
/* Small things that every room uses: attributes, cache lines, arithmetic that notices overflow. */
#ifndef FL_CORE_STATUS_H
#define FL_CORE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#define FL_CACHE_LINE 64
#define FL_MUST_USE __attribute__((warn_unused_result))
#define FL_COLD __attribute__((cold, noinline))
#define FL_HOT __attribute__((hot, noinline))
#define FL_LIKELY(x) __builtin_expect(!!(x), 1)
#define FL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FL_PRINTF(at, first) __attribute__((format(printf, at, first)))

/* The result of a call. Positive values are no errors. */
enum fl_status {
    FL_OK = 0,
    FL_AGAIN = 1,
    FL_ERR_FULL = -1,    /* a limit that the user set */
    FL_ERR_MEMORY = -2,  /* the machine has no more */
    FL_ERR_INVALID = -3, /* the argument cannot be */
};

static inline uint64_t fl_round_up(uint64_t value, uint64_t power_of_two) {
    return (value + power_of_two - 1) & ~(power_of_two - 1);
}

/* floor(log2(value)) for value >= 1. */
static inline unsigned fl_log2_floor(uint64_t value) {
    return 63u - (unsigned)__builtin_clzll(value);
}

/* ceil(log2(value)) for value >= 1. */
static inline unsigned fl_log2_ceil(uint64_t value) {
    return value <= 1 ? 0 : fl_log2_floor(value - 1) + 1;
}

#endif
