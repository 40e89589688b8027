// SPDX-License-Identifier: BSD-3-Clause
// __int128 and vectors as shared elements.
#include "../../check.h"

typedef int four __attribute__((vector_size(16)));
shared __int128 big[2 * THREADS];
shared [2] four v[2 * THREADS];

int main(void)
{
    int me = MYTHREAD;
    big[me] = (__int128)1 << 100;
    big[me] += me;
    big[me] -= 1;
    CHECK_EQ((long long)(big[me] >> 64), (1LL << 36) - (me == 0));
    v[me] = (four){1, 2, 3, me};
    v[me] += v[me];
    four copy = v[me];
    CHECK_EQ(copy[2] + copy[3], 6 + 2 * me);
    return check_done();
}
