// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.2.2p4 7.4.2.2p5 7.4.2.2p6 7.4.2.2p7
// Blocks of any size from any place, with every combination of flags.
#include "blocks.h"

static void call(size_t dst, size_t src, size_t n, upc_flag_t flags)
{
    upc_all_scatter(&dst_area[dst], &src_area[src], n, flags);
}

static void model(int trial, size_t thread, size_t dst, size_t src, size_t n)
{
    expect(trial, dst, src / AREA, src % AREA + thread * n, n);
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        attempt(i, pick(64), pick(THREADS) * AREA + pick(64), 1 + pick(most(THREADS)));
    return check_done();
}
