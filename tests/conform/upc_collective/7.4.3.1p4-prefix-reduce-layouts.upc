// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.3.1p9 7.4.3.1p10
// Block sizes from 1 to one block for each thread; parts that begin anywhere, in number
// no multiple of anything.
#include "prefix.h"

DEFINE_TYPE(L, long, INTEGER)
DEFINE_PREFIX(L, long, 1, static shared, PER_THREAD * THREADS)
DEFINE_PREFIX(L, long, 2, static shared [2], PER_THREAD * THREADS)
DEFINE_PREFIX(L, long, 7, static shared [7], PER_THREAD * THREADS)
DEFINE_PREFIX(L, long, 60, static shared [60], PER_THREAD * 2 * THREADS)

int main(void)
{
    for (int trial = 0; trial < 64; trial++) {
        upc_op_t op = operations[pick(N_INTEGER)];
        prefixL1(op, trial);
        prefixL2(op, trial);
        prefixL7(op, trial);
        prefixL60(op, trial);
    }
    return check_done();
}
