// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4p1 7.4.1p3
// The header alone declares every function and the two operations, and includes <upc_types.h>.
#include <upc_collective.h>
#include <upc_collective.h>

#if __UPC_COLLECTIVE__ != 1
#error __UPC_COLLECTIVE__
#endif
#if (UPC_FUNC | UPC_NONCOMM_FUNC) <= UPC_FUNC || (UPC_FUNC | UPC_NONCOMM_FUNC) >= 65536
#error not distinct bits
#endif
#if (UPC_FUNC | UPC_NONCOMM_FUNC) & \
    (UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX)
#error the bits of other operations
#endif

typedef void move(shared void *restrict, shared const void *restrict, size_t, upc_flag_t);
static move *moves[] = {upc_all_broadcast, upc_all_scatter, upc_all_gather, upc_all_gather_all,
                        upc_all_exchange};
static void (*permute)(shared void *restrict, shared const void *restrict,
                       shared const int *restrict, size_t, upc_flag_t) = upc_all_permute;

#define REDUCTIONS(T, type)                                                                      \
    static void (*reduce##T[])(shared void *restrict, shared const void *restrict, upc_op_t,     \
                               size_t, size_t, type (*)(type, type), upc_flag_t) = {             \
        upc_all_reduce##T, upc_all_prefix_reduce##T};
REDUCTIONS(C, signed char)
REDUCTIONS(UC, unsigned char)
REDUCTIONS(S, signed short)
REDUCTIONS(US, unsigned short)
REDUCTIONS(I, signed int)
REDUCTIONS(UI, unsigned int)
REDUCTIONS(L, signed long)
REDUCTIONS(UL, unsigned long)
REDUCTIONS(F, float)
REDUCTIONS(D, double)
REDUCTIONS(LD, long double)

#include "../../check.h"

static shared int source, target[THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        source = 42;
    moves[0](target, &source, sizeof(int), 0);
    CHECK_EQ(target[MYTHREAD], 42);
    reduceI[0](&source, target, UPC_ADD, THREADS, 1, NULL, 0);
    CHECK_EQ(source, 42 * THREADS);
    CHECK(permute && reduceC[1] && reduceUC[1] && reduceS[1] && reduceUS[1] && reduceUI[1] &&
          reduceL[1] && reduceUL[1] && reduceF[1] && reduceD[1] && reduceLD[1]);
    return check_done();
}
