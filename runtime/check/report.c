/* SPDX-License-Identifier: BSD-3-Clause */
/* See report.h. */
#include "check/report.h"

#include "check/leaks.h"
#include "check/objects.h"
#include "check/sites.h"

#include <stdarg.h>
#include <stdio.h>

bool check_is_new(enum fl_code code, uint32_t site, uint32_t other) {
    uint64_t key = (uint64_t)(code + 1) << 32 | (uint64_t)site << 16 | other;
    uint64_t at = key * 0x9e3779b97f4a7c15u >> 40;
    /* Relaxed: the word alone counts. */
    for (unsigned i = 0; i < CHECK_PAIRS; i++, at++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong_explicit(&check_memory.pairs[at % CHECK_PAIRS], &none,
                                                    key, memory_order_relaxed,
                                                    memory_order_relaxed)) {
            atomic_fetch_add_explicit(&check_memory.shared->findings, 1, memory_order_relaxed);
            return true;
        }
        if (none == key) {
            return false;
        }
    }
    return false;
}

void check_say(enum fl_code code, const char *format, ...) {
    char text[4600];
    int used = snprintf(text, sizeof text, "warning[%s]: ", fl_code_text(code));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", text);
}

static const char *verb(unsigned access) {
    static const char *const names[] = {
        [CHECK_READ] = "reads",
        [CHECK_WRITE] = "writes",
        [CHECK_STRICT] = "reads",
        [CHECK_STRICT | CHECK_WRITE] = "writes",
        [CHECK_ATOMIC] = "reads",
        [CHECK_ATOMIC | CHECK_WRITE] = "updates",
        [CHECK_COLLECTIVE] = "reads",
        [CHECK_COLLECTIVE | CHECK_WRITE] = "writes",
    };
    return names[access];
}

static bool is_collective(unsigned access) {
    return (access & CHECK_COLLECTIVE) == CHECK_COLLECTIVE;
}

static const char *manner(unsigned access) {
    return is_collective(access)      ? ""
           : (access & CHECK_ATOMIC) ? " atomically"
           : (access & CHECK_STRICT) ? " strictly"
                                     : "";
}

static const char *advice(uint64_t old, uint64_t new) {
    unsigned a = check_word_access(old), b = check_word_access(new);
    if (check_word_thread(old) == check_word_thread(new)) {
        return "wait for the transfer, by upc_sync with its handle or by upc_synci, before the other "
               "access";
    }
    if (is_collective(a) || is_collective(b)) {
        return "UPC_IN_NOSYNC lets the operation begin when the first thread calls it, and "
               "UPC_OUT_NOSYNC lets it go on until the last one returns: use UPC_IN_ALLSYNC and "
               "UPC_OUT_ALLSYNC, or put a barrier between them";
    }
    if ((a | b) & CHECK_ATOMIC) {
        return "make both atomic (<upc_atomic.h>), or put a barrier between them";
    }
    if ((a | b) & CHECK_STRICT) {
        return "make both strict, or put a barrier between them";
    }
    return "a barrier between them, a lock around both, or an atomic or strict access that one "
           "thread makes after its own and the other sees before would order them";
}

void check_report_race(uint64_t address, uint64_t old, uint64_t new) {
    unsigned both = check_word_mask(old & new);
    address = both ? address - address % 8 + (unsigned)__builtin_ctz(both) : address;
    uint32_t first = check_word_site(old), second = check_word_site(new);
    uint32_t low = first < second ? first : second, high = first < second ? second : first;
    if (!check_is_new(FL_CODE_RACE, low, high)) {
        return;
    }
    unsigned a = check_word_access(old), b = check_word_access(new);
    check_say(FL_CODE_RACE,
              "data race on %s\n"
              "  %s: thread %u %s it%s\n"
              "  %s: thread %u %s it%s, and nothing says which comes first\n"
              "  %s",
              check_name_of(address).text, check_place_of(first).text, check_word_thread(old),
              verb(a), manner(a), check_place_of(second).text, check_word_thread(new), verb(b),
              manner(b), advice(old, new));
}

void check_report_bounds(uint32_t site, unsigned access, uint64_t bytes, const char *where) {
    if (check_is_new(FL_CODE_BOUNDS, site, 0)) {
        check_say(FL_CODE_BOUNDS, "%s: thread %u %s %llu byte%s outside any object: %s",
                  check_place_of(site).text, check_self.me, verb(access),
                  (unsigned long long)bytes, bytes == 1 ? "" : "s", where);
    }
}

static void sum_up(void) {
    uint32_t findings =
        atomic_load_explicit(&check_memory.shared->findings, memory_order_relaxed);
    if (findings > 0) {
        fprintf(stderr, "upcc -check: %u finding%s\n", findings, findings == 1 ? "" : "s");
    }
}

void check_report_end(bool in_order) {
    struct check_shared *shared = check_memory.shared;
    check_self.on = false;
    /* Relaxed: the last one to count has nothing else of the others to see. */
    uint32_t ended = atomic_fetch_add_explicit(&shared->ended, 1, memory_order_relaxed) + 1;
    if (in_order && ended == upc_process.job.threads && upc_process.params.check_leaks) {
        check_leaks_report();
    }
    if (!in_order || ended == upc_process.job.threads) {
        sum_up();
    }
    int32_t code = (int32_t)upc_process.params.check_exit, largest = 0;
    if (in_order && code &&
        atomic_load_explicit(&shared->findings, memory_order_relaxed) > 0) {
        /* Larger ones that threads return win. */
        (void)atomic_compare_exchange_strong_explicit(&upc_process.status, &largest, code,
                                                      memory_order_relaxed, memory_order_relaxed);
    }
}
