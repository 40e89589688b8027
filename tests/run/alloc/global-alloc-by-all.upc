// SPDX-License-Identifier: BSD-3-Clause
// upc_global_alloc and upc_all_alloc mixed: nothing overlaps, also with many live at once.
#include "../../check.h"

enum { N = 30 };
typedef shared [3] int *array;
shared [N] array owned[N * THREADS];

int main(void)
{
    array common[N];
    for (int i = 0; i < N; i++) {
        owned[N * MYTHREAD + i] = upc_global_alloc(2 * THREADS, 3 * sizeof(int));
        common[i] = upc_all_alloc(2 * THREADS, 3 * sizeof(int));
        for (int k = 0; k < 6 * THREADS; k++)
            owned[N * MYTHREAD + i][k] = 1000 * MYTHREAD + i;
        upc_forall(int k = 0; k < 6 * THREADS; k++; &common[i][k]) common[i][k] = -i;
    }
    upc_barrier;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 6 * THREADS; k++) {
            for (int t = 0; t < THREADS; t++)
                CHECK_EQ(owned[N * t + i][k], 1000 * t + i);
            CHECK_EQ(common[i][k], -i);
        }
    upc_barrier;
    for (int i = 0; i < N; i++) {
        upc_free(owned[N * ((MYTHREAD + i) % THREADS) + i]);
        upc_all_free(common[i]);
    }
    return check_done();
}
