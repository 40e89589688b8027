// SPDX-License-Identifier: BSD-3-Clause
// Members of shared things that have none, or whose members are not known.
#include <upc.h>

struct later;
shared int a[THREADS];
shared [4] int *p;
shared struct later *q;
upc_lock_t *lock;

int f(void)
{
    a.first = 1;     //~ error E0418
    a[0].x = 1;      //~ error E0418
    p->y = 2;        //~ error E0418
    q->z = 3;        //~ error E0418
    return lock->is_taken; //~ error E0418
}
