// SPDX-License-Identifier: BSD-3-Clause
// A stack of several megabytes, in pthreads too.
#include "../../check.h"

static int depth(int n)
{
    volatile char space[4000];
    space[n % 4000] = (char)n;
    return n == 0 ? 0 : 1 + depth(n - 1) + (space[n % 4000] != (char)n);
}

int main(void)
{
    volatile char large[3 << 20];
    large[0] = large[(3 << 20) - 1] = 1;
    CHECK_EQ(depth(900) + large[0], 901);
    return check_done();
}
