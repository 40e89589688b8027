/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x2 1x3 1x16 2x2 2x1 4x1
/* The same if the long ones are those of the next region. */
#include "../inputs/coarse.h"

int main(void) {
    int own = LONG;
#pragma omp parallel
#pragma omp single
    make_short();
#pragma omp parallel
#pragma omp single
    own = make_long();
    CHECK(own < LONG);
    return result();
}
