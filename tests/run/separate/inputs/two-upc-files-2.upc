// SPDX-License-Identifier: BSD-3-Clause
// The other half of two-upc-files.upc.
#include "two-upc-files.h"

shared [2] int matrix[2][2 * THREADS];

void fill(shared void *where, int id)
{
    item local = {id, "item"};
    shared item *p = where;
    *p = local;
    p->name[4] = 'a' + id % 26;
}

int sum_ids(void)
{
    int sum = 0;
    for (int i = 0; i < 4 * THREADS; i++)
        sum += items[i].id * (items[i].name[4] == 'a' + i % 26);
    return sum;
}

shared [4] item *find(int id)
{
    for (shared [4] item *p = items; p < items + 4 * THREADS; p++)
        if (p->id == id)
            return p;
    return 0;
}

void record_hit(void)
{
    upc_lock(guard);
    hits++;
    upc_unlock(guard);
}
