// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.2.3p4 7.4.2.3p5 7.4.2.3p6 7.4.2.3p7
// Blocks of any size to any place, with every combination of flags.
#include "blocks.h"

static void call(size_t dst, size_t src, size_t n, upc_flag_t flags)
{
    upc_all_gather(&dst_area[dst], &src_area[src], n, flags);
}

static void model(int trial, size_t thread, size_t dst, size_t src, size_t n)
{
    if (dst / AREA == thread)
        for (int t = 0; t < THREADS; t++)
            expect(trial, dst % AREA + t * n, t, src, n);
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        attempt(i, pick(THREADS) * AREA + pick(64), pick(64), 1 + pick(most(THREADS)));
    return check_done();
}
