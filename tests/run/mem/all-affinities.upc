// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// upc_memcpy between every pair of threads, upc_memput, get and set to each, from each.
#include "../../check.h"

enum { N = 40 };
shared [N] char a[N * THREADS];
shared [N] char b[N * THREADS];
shared [N] int record[N * THREADS];

int main(void)
{
    for (int source = 0; source < THREADS; source++)
        for (int target = 0; target < THREADS; target++)
            for (int by = 0; by < THREADS; by++) {
                if (MYTHREAD == by) {
                    char text[N], got[N];
                    for (int i = 0; i < N; i++)
                        text[i] = (char)(source * 31 + target * 7 + by + i);
                    upc_memput(&a[N * source], text, N);
                    upc_memset(&b[N * target], 0, N);
                    upc_memcpy(&b[N * target + 3], &a[N * source], N - 3);
                    upc_memget(got, &b[N * target], N);
                    CHECK(got[0] == 0 && got[2] == 0);
                    CHECK(memcmp(got + 3, text, N - 3) == 0);
                }
                upc_barrier;
                CHECK_EQ(b[N * target + 10], (char)(source * 31 + target * 7 + by + 7));
                upc_barrier;
            }
    return check_done();
}
