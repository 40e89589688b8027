// SPDX-License-Identifier: BSD-3-Clause
// Function pointers with pointers-to-shared in their types, in tables, structures and shared
// memory.
#include "../../check.h"

typedef shared [2] int *place;
typedef place mover(place, int);

shared [2] int a[6 * THREADS];

static place forward(place p, int n) { return p + n; }
static place backward(place p, int n) { return p - n; }
static place nowhere(place p, int n) { return n < 0 ? p : 0; }

static mover *const table[] = {forward, &backward, nowhere};
struct operation { const char *name; place (*run)(shared [2] int *, int); };
static const struct operation operations[2] = {{"forward", forward}, {"backward", backward}};
mover *shared published;

static int apply(mover f, int n)
{
    place p = f(a + 6, n);
    return p ? (int)(p - a) : -1;
}

int main(void)
{
    if (MYTHREAD == 0)
        published = backward;
    CHECK_EQ(apply(forward, 3 * THREADS - 3), 3 + 3 * THREADS);
    CHECK_EQ(apply(table[1], 4), 2);
    CHECK_EQ(apply(*table[2], 4), -1);
    CHECK_EQ(operations[1].run(a + 3, 1) - a, 2);
    CHECK_EQ((**operations[0].run)(a, 1) - a, 1);
    upc_barrier;
    if (MYTHREAD == 0)
        CHECK_EQ(apply(published, 6), 0);
    return check_done();
}
