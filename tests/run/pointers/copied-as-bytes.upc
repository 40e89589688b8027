// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared survive memcpy, unions, and upc_memput to another thread.
#include "../../check.h"

shared [3] int a[9 * THREADS];
typedef shared [3] int *place;
shared place box[THREADS];

int main(void)
{
    place p = &a[7], q = 0;
    memcpy(&q, &p, sizeof p);
    CHECK(q == p && q - a == 7);
    union { place p; unsigned char bytes[sizeof(place)]; } u, v;
    u.p = p;
    for (size_t i = 0; i < sizeof u; i++)
        v.bytes[i] = u.bytes[i];
    CHECK_EQ(v.p - a, 7);
    int next = (MYTHREAD + 1) % THREADS, previous = (MYTHREAD + THREADS - 1) % THREADS;
    place mine = &a[MYTHREAD + 1];
    upc_memput(&box[next], &mine, sizeof mine);
    upc_barrier;
    CHECK_EQ(box[MYTHREAD] - a, previous + 1);
    CHECK_EQ(upc_phaseof(box[MYTHREAD]), (previous + 1) % 3);
    return check_done();
}
