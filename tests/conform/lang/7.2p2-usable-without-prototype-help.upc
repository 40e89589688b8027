// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2p2
// Every function of 7.2 is declared with its exact type.
#include "../../check.h"

#define HAS_TYPE(f, ...) _Generic(&f, __VA_ARGS__: 1, default: 0)

int main(void)
{
    CHECK(HAS_TYPE(upc_global_exit, void (*)(int)));
    CHECK(HAS_TYPE(upc_global_alloc, shared void *(*)(size_t, size_t)));
    CHECK(HAS_TYPE(upc_all_alloc, shared void *(*)(size_t, size_t)));
    CHECK(HAS_TYPE(upc_alloc, shared void *(*)(size_t)));
    CHECK(HAS_TYPE(upc_free, void (*)(shared void *)));
    CHECK(HAS_TYPE(upc_all_free, void (*)(shared void *)));
    CHECK(HAS_TYPE(upc_threadof, size_t(*)(shared void *)));
    CHECK(HAS_TYPE(upc_resetphase, shared void *(*)(shared void *)));
    CHECK(HAS_TYPE(upc_affinitysize, size_t(*)(size_t, size_t, size_t)));
    CHECK(HAS_TYPE(upc_global_lock_alloc, upc_lock_t *(*)(void)));
    CHECK(HAS_TYPE(upc_lock_attempt, int (*)(upc_lock_t *)));
    CHECK(HAS_TYPE(upc_memcpy, void (*)(shared void *, shared const void *, size_t)));
    CHECK(HAS_TYPE(upc_memget, void (*)(void *, shared const void *, size_t)));
    CHECK(HAS_TYPE(upc_memput, void (*)(shared void *, const void *, size_t)));
    CHECK(HAS_TYPE(upc_memset, void (*)(shared void *, int, size_t)));
    return check_done();
}
