// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.3.1p9
// A blk_size of 0: arrays in one piece at any thread.
#include "reduction.h"

enum { LENGTH = 100 };
static shared [LENGTH] int a[LENGTH * THREADS], b[LENGTH * THREADS];
static shared int sum;

static int later(int left, int right)
{
    return right == 0 ? left : right;
}

static int expected(upc_op_t op, int left, int right)
{
    return op == UPC_ADD ? left + right : later(left, right);
}

int main(void)
{
    for (int trial = 0; trial < 32; trial++) {
        upc_op_t op = trial % 2 ? UPC_ADD : UPC_NONCOMM_FUNC;
        size_t at = pick(THREADS), first = pick(LENGTH), n = 1 + pick(LENGTH - first);
        shared [] int *src = (shared [] int *)&a[at * LENGTH + first];
        shared [] int *dst = (shared [] int *)&b[at * LENGTH + first];
        if (MYTHREAD == at)
            for (size_t i = 0; i < n; i++)
                src[i] = (int)value_of(op, i, trial);
        upc_all_reduceI(&sum, src, op, n, 0, later, 0);
        upc_all_prefix_reduceI(dst, src, op, n, 0, later, 0);
        int total = (int)value_of(op, 0, trial);
        CHECK_EQ(dst[0], total);
        for (size_t i = 1; i < n; i++) {
            total = expected(op, total, (int)value_of(op, i, trial));
            CHECK_EQ(dst[i], total);
        }
        CHECK_EQ(sum, total);
        upc_barrier;
    }
    return check_done();
}
