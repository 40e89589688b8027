// SPDX-License-Identifier: BSD-3-Clause
// What atomic operations on shared memory do not take.
#include <upc.h>

struct point {
    long x, y, z;
};
struct unknown;

shared __int128 huge;
shared struct point point;
shared _Atomic struct point whole;
shared int number;
shared [4] int blocked[4 * THREADS];
shared void *generic;
shared [] struct unknown *opaque;

void refused(void)
{
    struct point private, *pointer = 0;
    int *local = 0;
    __atomic_fetch_add(&huge, 1, __ATOMIC_SEQ_CST);          //~ error E0416
    __sync_lock_test_and_set(&huge, 1);                      //~ error E0416
    __atomic_load(&point, &private, __ATOMIC_SEQ_CST);       //~ error E0416
    whole = private;                                         //~ error E0416
    private = whole;                                         //~ error E0416
    __sync_fetch_and_add(generic, 1);                        //~ error E0416
    __atomic_load(opaque, pointer, __ATOMIC_SEQ_CST);        //~ error E0416
    __sync_fetch_and_add(&number, generic);                  //~ error E0408
    __atomic_load(&number, &blocked[1], __ATOMIC_SEQ_CST);   //~ error E0408
    __atomic_store(local, &number, __ATOMIC_SEQ_CST);        //~ error E0408
    __sync_bool_compare_and_swap(&generic, local, generic);  //~ error E0407
    __atomic_compare_exchange_n(&number, &number, 1, 0, 5, 5); //~ error E0408
}
