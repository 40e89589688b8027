// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
// dst may begin at another thread and with another phase than src, which UPC 1.3 leaves undefined:
// each result goes where dst's own blocks have it. Looked at with all checks.
#include "../../check.h"
#include <upc.h>
#include <upc_collective.h>

enum { EACH = 12 };
static shared [4] int a[EACH * THREADS], b[EACH * THREADS];
static shared [EACH] int own[EACH * THREADS];
static shared int cyclic[EACH * THREADS], to[EACH * THREADS];

int main(void)
{
    for (int i = 0; i < EACH * THREADS; i++) {
        if (upc_threadof(&a[i]) == MYTHREAD)
            a[i] = i;
        if (upc_threadof(&cyclic[i]) == MYTHREAD)
            cyclic[i] = i;
    }
    size_t n = EACH * THREADS - 5;
    upc_all_prefix_reduceI(b + 5, a, UPC_ADD, n, 4, NULL, 0);
    upc_all_prefix_reduceI(to + 1, cyclic + 2, UPC_ADD, n, 1, NULL, 0);
    upc_all_prefix_reduceI(own + EACH * (THREADS - 1), a + 1, UPC_ADD, 3, EACH, NULL, 0);
    for (int i = 0; i < (int)n; i++) {
        CHECK_EQ(b[i + 5], i * (i + 1) / 2);
        CHECK_EQ(to[i + 1], (i + 2) * (i + 3) / 2 - 1);
    }
    CHECK_EQ(own[EACH * (THREADS - 1) + 2], 6);
    return check_done();
}
