// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x5 4x2
// The result of bupc_all_reduce_allT comes to each thread, with every combination of flags; in each
// type, and with functions of the program.
#include "../../conform/upc_collective/sync.h"

static shared [3] long a[30 * THREADS];
static shared long total[THREADS];

static long later(long left, long right)
{
    return right ? right : left;
}

#define ONE(T, type)                                                                             \
    static shared type from##T[THREADS], to##T[THREADS];                                           \
    static void one##T(void)                                                                       \
    {                                                                                              \
        from##T[MYTHREAD] = (type)(MYTHREAD + 1);                                                  \
        bupc_all_reduce_all##T(to##T, from##T, UPC_ADD, THREADS, 1, NULL, 0);                      \
        CHECK_EQ(to##T[MYTHREAD], THREADS * (THREADS + 1) / 2);                                    \
    }
ONE(C, signed char)
ONE(UC, unsigned char)
ONE(S, signed short)
ONE(US, unsigned short)
ONE(I, signed int)
ONE(UI, unsigned int)
ONE(L, signed long)
ONE(UL, unsigned long)
ONE(F, float)
ONE(D, double)
ONE(LD, long double)

int main(void)
{
    oneC(), oneUC(), oneS(), oneUS(), oneI(), oneUI(), oneL(), oneUL(), oneF(), oneD(), oneLD();
    for (int i = 0; i < 64; i++) {
        upc_flag_t flags = flags_of(i);
        size_t first = pick(30 * THREADS), n = 1 + pick(30 * THREADS - first);
        upc_forall (size_t k = 0; k < 30 * THREADS; k++; &a[k])
            a[k] = (long)k + 1;
        before_call(flags);
        bupc_all_reduce_allL(total, &a[first], i % 2 ? UPC_MAX : UPC_NONCOMM_FUNC, n, 3, later,
                             flags);
        after_call(flags);
        CHECK_EQ(total[MYTHREAD], first + n);
        if (all_is_done(flags)) {
            CHECK_EQ(total[(MYTHREAD + 1) % THREADS], first + n);
            upc_barrier;
        }
    }
    return check_done();
}
