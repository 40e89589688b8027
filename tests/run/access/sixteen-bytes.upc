// SPDX-License-Identifier: BSD-3-Clause
// Reads of objects that instructions want at multiples of 16 bytes, also from the copies of other
// hosts' memory.
//@ mappings: 1x1 3x1 2:4x1 2:2x2
//@ flags: -O2
#include <stdio.h>
#include <upc_relaxed.h>

typedef double pair __attribute__((vector_size(16)));
shared __int128 a[THREADS];
shared unsigned __int128 b;
shared pair pairs[THREADS];

int main(void) {
    a[MYTHREAD] = ((__int128)1 << 100) + MYTHREAD;
    pairs[MYTHREAD] = (pair){MYTHREAD, .5};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        __int128 first = a[0];
        b = first;
        pair sum = pairs[0] + pairs[THREADS / 2];
        printf("%d %d %d\n", (int)(a[0] >> 100), b == a[0] && a[0] + a[0] == 2 * first,
               sum[1] == 1 && (pairs[0] * pairs[0])[1] == .25);
    }
    return 0;
}

/* stdout:
1 1 1
*/
