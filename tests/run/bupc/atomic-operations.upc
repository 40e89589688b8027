// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:2x2 4:4x1
//@ flags: -Wall -Wextra -O1
// Each function of Berkeley's atomics: result, new value, and nothing beside the object.
#include "../../check.h"
#include <bupc_atomics.h>
#include <stdint.h>

#define OBJECTS(X, type) \
    struct X##_row { type before, object, after; }; \
    shared struct X##_row X##_of[THREADS];
#define TYPES(x) \
    x(I, int) x(UI, unsigned) x(L, long) x(UL, unsigned long) x(I32, int32_t) x(U32, uint32_t) \
    x(I64, int64_t) x(U64, uint64_t)
TYPES(OBJECTS)
OBJECTS(F, float)
OBJECTS(D, double)

// What `call` makes of `start`: it returns the old value and leaves `expected`.
#define TRY(start, call, expected)                                                       \
    do {                                                                                 \
        at->object = (start);                                                            \
        if (!((call) == one * (start)) || !(at->object == (expected)))                   \
            check_fail(__FILE__, __LINE__, #call);                                       \
        CHECK(at->before == 77 && at->after == 77);                                      \
    } while (0)

#define ACCESSORS(X, type, order)                                                        \
    TRY(5, bupc_atomic##X##_read_##order(&at->object), 5);                               \
    TRY(5, (bupc_atomic##X##_set_##order(&at->object, 6), 5), 6);                        \
    TRY(5, bupc_atomic##X##_swap_##order(&at->object, (type)-1), (type)-1);              \
    TRY(5, bupc_atomic##X##_cswap_##order(&at->object, 5, 7), 7);                        \
    TRY(5, bupc_atomic##X##_cswap_##order(&at->object, 6, 7), 5);                        \
    TRY(5, bupc_atomic##X##_fetchadd_##order(&at->object, 9), 14);                       \
    TRY(5, bupc_atomic##X##_fetchadd_##order(&at->object, (type)-9), (type)-4);
#define UPDATES(X, type, order)                                                          \
    TRY(8, bupc_atomic##X##_mswap_##order(&at->object, 7, 255), 15);                     \
    TRY((type)-1, bupc_atomic##X##_mswap_##order(&at->object, (type)0xf0, 0x5a),         \
        (type)-161);                                                                     \
    TRY(0x55, bupc_atomic##X##_fetchand_##order(&at->object, 0x33), 0x11);               \
    TRY(0x55, bupc_atomic##X##_fetchor_##order(&at->object, 0x33), 0x77);                \
    TRY(0x55, bupc_atomic##X##_fetchxor_##order(&at->object, 0x33), 0x66);               \
    TRY(0x55, bupc_atomic##X##_fetchnot_##order(&at->object), (type)~(type)0x55);

#define SHARED(X, type)                                                                  \
    static void shared_##X(shared struct X##_row *at)                                    \
    {                                                                                    \
        const type one = 1;                                                              \
        at->before = at->after = 77;                                                     \
        ACCESSORS(X, type, relaxed)                                                      \
        ACCESSORS(X, type, strict)                                                       \
    }                                                                                    \
    static void private_##X(struct X##_row *at)                                          \
    {                                                                                    \
        const type one = 1;                                                              \
        at->before = at->after = 77;                                                     \
        ACCESSORS(X, type, private)                                                      \
    }
#define INTEGER(X, type)                                                                 \
    SHARED(X, type)                                                                      \
    static void updates_##X(shared struct X##_row *at, struct X##_row *mine)             \
    {                                                                                    \
        const type one = 1;                                                              \
        UPDATES(X, type, relaxed)                                                        \
        UPDATES(X, type, strict)                                                         \
        {                                                                                \
            struct X##_row *at = mine;                                                   \
            UPDATES(X, type, private)                                                    \
        }                                                                                \
    }
TYPES(INTEGER)
SHARED(F, float)
SHARED(D, double)

#define RUN_SHARED(X, type)                                                              \
    struct X##_row X##_mine;                                                             \
    shared_##X(&X##_of[(MYTHREAD + 1) % THREADS]);                                       \
    private_##X(&X##_mine);                                                              \
    upc_barrier;                                                                         \
    private_##X((struct X##_row *)&X##_of[MYTHREAD]);
#define RUN(X, type)                                                                     \
    upc_barrier;                                                                         \
    RUN_SHARED(X, type)                                                                  \
    upc_barrier;                                                                         \
    updates_##X(&X##_of[(MYTHREAD + 1) % THREADS], &X##_mine);

int main(void)
{
    TYPES(RUN)
    upc_barrier;
    RUN_SHARED(F, float)
    upc_barrier;
    RUN_SHARED(D, double)
    return check_done();
}
