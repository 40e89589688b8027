/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x2 1x3 1x16 2x2
/* Who has executed many short tasks at once leaves some of the long ones that follow to others. */
#include "../inputs/coarse.h"

int main(void) {
    int own = LONG;
#pragma omp parallel
#pragma omp single
    {
        make_short();
        own = make_long();
    }
    CHECK(own < LONG);
    return result();
}
