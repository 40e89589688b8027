// SPDX-License-Identifier: BSD-3-Clause
// Inline functions take and give pointers-to-shared, and have statics of their own.
#include "../../check.h"

shared [3] int a[6 * THREADS];

static inline int get(shared [3] int *p, int i)
{
    return p[i];
}

static inline void put(shared [3] int *p, int i, int value)
{
    p[i] = value;
}

static inline shared [3] int *forward(shared [3] int *p)
{
    return p + 1;
}

static inline int count(void)
{
    static int calls;
    return ++calls;
}

static inline __attribute__((always_inline)) int both(int i)
{
    return get(a, i) + a[i];
}

int main(void)
{
    for (int i = MYTHREAD; i < 6 * THREADS; i += THREADS)
        put(a, i, 2 * i);
    upc_barrier;
    shared [3] int *p = a;
    for (int i = 0; i < 6 * THREADS; i++, p = forward(p)) {
        CHECK_EQ(get(a, i), 2 * i);
        CHECK_EQ(*p, 2 * i);
        CHECK_EQ(both(i), 4 * i);
        CHECK_EQ(count(), i + 1);
    }
    return check_done();
}
