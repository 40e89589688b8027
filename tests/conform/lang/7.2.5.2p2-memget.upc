// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.5.2p2
// upc_memget copies from one thread's memory to private memory, for all sizes and offsets.
#include "../../check.h"

enum { N = 300 };
shared [N] unsigned char data[N * THREADS];

int main(void)
{
    for (int i = 0; i < N; i++)
        data[N * MYTHREAD + i] = (unsigned char)(7 * i + MYTHREAD);
    upc_barrier;
    unsigned char got[N + 2];
    for (int t = 0; t < THREADS; t++)
        for (int from = 0; from < 20; from++)
            for (int n = 0; n <= N - 20; n += 1 + n / 4) {
                memset(got, 0xEE, sizeof got);
                upc_memget(got + 1, &data[N * t + from], n);
                CHECK_EQ(got[0], 0xEE);
                CHECK_EQ(got[n + 1], 0xEE);
                for (int i = 0; i < n; i++)
                    CHECK_EQ(got[i + 1], (unsigned char)(7 * (from + i) + t));
            }
    return check_done();
}
