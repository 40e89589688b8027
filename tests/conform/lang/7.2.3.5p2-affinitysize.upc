// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.5p2 7.2.3.5p5
//@ mappings: 1x1 2x1 1x3 2x2 1x7
// upc_affinitysize is the exact share of a thread: counted here byte by byte.
#include "../../check.h"

int main(void)
{
    for (size_t nbytes = 1; nbytes <= 9; nbytes++)
        for (size_t total = 0; total <= 80; total++)
            for (int t = 0; t < THREADS; t++) {
                size_t share = 0;
                for (size_t i = 0; i < total; i++)
                    share += i / nbytes % THREADS == (size_t)t;
                CHECK_EQ(upc_affinitysize(total, nbytes, t), share);
            }
    return check_done();
}
