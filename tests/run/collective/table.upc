// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:4x1
//@ env: FURLONG_COLL_TABLE={dir}/inputs/collectives.table
/* Broadcasts by a table of one's own, in which each size has another algorithm. */
#include <stdio.h>
#include <string.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#define MOST 5000

static shared [MOST] char src[MOST * THREADS], dst[MOST * THREADS];

int main(void) {
    static const size_t sizes[] = {1, 64, 65, 1024, 1025, MOST};
    for (int i = 0; i < 6; i++) {
        int root = i % THREADS;
        if (MYTHREAD == root) {
            memset((char *)&src[MOST * root], 'a' + i, MOST);
        }
        upc_all_broadcast(dst, &src[MOST * root], sizes[i], UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        const char *mine = (const char *)&dst[MOST * MYTHREAD];
        if (mine[0] != 'a' + i || mine[sizes[i] - 1] != 'a' + i) {
            printf("%zu bytes are wrong in thread %d\n", sizes[i], MYTHREAD);
            return 1;
        }
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("ok\n");
    }
    return 0;
}
