// SPDX-License-Identifier: BSD-3-Clause
// Pointers to whole shared arrays: as parameters, in structures, from allocation.
#include "../../check.h"

typedef shared [3] double vector[3 * THREADS];
typedef shared [] int table[2][6];
vector v;
shared [] int t[2][6];

static double sum(vector *p)
{
    double s = 0;
    for (int i = 0; i < 3 * THREADS; i++)
        s += (*p)[i];
    return s;
}

struct holder { shared [] int (*p)[2][6]; } h;

int main(void)
{
    upc_forall(int i = 0; i < 3 * THREADS; i++; &v[i]) v[i] = i;
    upc_barrier;
    double expected = 3 * THREADS * (3 * THREADS - 1) / 2;
    CHECK(sum(&v) == expected);
    vector *copy = upc_all_alloc(THREADS, 3 * sizeof(double));
    upc_forall(int i = 0; i < 3 * THREADS; i++; &(*copy)[i])(*copy)[i] = v[i] + 1;
    upc_barrier;
    CHECK(sum(copy) == expected + 3 * THREADS);
    h.p = &t;
    if (MYTHREAD == 0)
        (*h.p)[1][5] = 15;
    upc_barrier;
    CHECK_EQ(t[1][5], 15);
    CHECK_EQ(sizeof(table), sizeof t);
    upc_all_free(copy);
    return check_done();
}
