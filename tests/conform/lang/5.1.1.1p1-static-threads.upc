// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.1.1p1
//@ static-threads: 4
//@ mappings: 4x1 1x4 2x2
// In the static THREADS environment the number of threads is a constant of the translation.
#include "../../check.h"

#if THREADS != 4
#error THREADS is not 4 in the preprocessor
#endif

static int per_thread[THREADS];
enum { TWICE = 2 * THREADS };
_Static_assert(THREADS == 4, "constant");

int main(void)
{
    CHECK_EQ(sizeof per_thread / sizeof per_thread[0], 4);
    CHECK_EQ(TWICE, 8);
    CHECK_EQ(THREADS, 4);
    return check_done();
}
