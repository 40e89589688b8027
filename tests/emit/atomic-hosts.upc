// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O1
// Atomic functions of the C compiler in code for several hosts ask where their target is.
#include <upc.h>

shared int counts[THREADS];
shared [8] long table[8 * THREADS];
shared _Atomic int number;

int anywhere(shared int *p, shared [8] long *q, int i)
{
    __sync_synchronize();
    while (__sync_lock_test_and_set(p, 1)) {
    }
    __atomic_fetch_xor(&table[i], i, __ATOMIC_RELAXED);
    __atomic_store_n(q, 1, __ATOMIC_RELEASE);
    __sync_lock_release(p);
    number += i;
    return __sync_bool_compare_and_swap(&counts[i], 0, i);
}
