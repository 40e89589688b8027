// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.5.2p5 7.8p9 7.8p10 7.8p11 7.8p12 7.8p14 7.8p15 7.8p13 7.8.1.3p2 7.8.2p5
// With individual pointers each thread moves its own part of shared memory, of its own layout,
// beginning at any element: where that lies in its block does not count.
#include "../../check.h"
#include <upc_io.h>

enum { N = 64 };
shared [4] short blocked[N * THREADS];
shared short cyclic[N * THREADS];
shared [N] short mine[N * THREADS];

int main(void)
{
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    const upc_off_t row = N * sizeof(short);
    for (int i = 0; i < N; i++)
        mine[N * MYTHREAD + i] = (short)(MYTHREAD * N + i);
    // Memory of one's own may be given as local, too.
    CHECK_EQ(upc_all_fseek(f, row * MYTHREAD, UPC_SEEK_SET), row * MYTHREAD);
    CHECK_EQ(upc_all_fwrite_local(f, (void *)&mine[N * MYTHREAD], sizeof(short), N, 0), row);
    CHECK_EQ(upc_all_fsync(f), 0);

    // Each thread reads its neighbour's row, from element 2 * MYTHREAD on.
    int next = (MYTHREAD + 1) % THREADS;
    size_t n = 3 + MYTHREAD % 5, block = MYTHREAD % 3; // block size 0: all at one thread
    CHECK_EQ(upc_all_fseek(f, row * next, UPC_SEEK_SET), row * next);
    shared short *start = &cyclic[MYTHREAD];
    CHECK_EQ(upc_all_fread_shared(f, start, block, sizeof(short), n, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC), n * 2);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), row * next + n * 2);
    upc_barrier;
    if (THREADS == 1) {
        for (size_t k = 0; k < n; k++)
            CHECK_EQ(cyclic[k], next * N + k);
    }

    // Phase: the third element of a block of four begins a block of its own.
    if (MYTHREAD == 0) {
        for (int i = 0; i < N * THREADS; i++)
            blocked[i] = -1;
    }
    upc_barrier;
    size_t some = MYTHREAD == 0 ? 4 + (THREADS > 1) : 0;
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_shared(f, &blocked[2], 4, sizeof(short), some, 0), some * 2);
    // Elements 2 and 3 of the first block, then what follows them in thread 0's memory.
    CHECK_EQ(blocked[1], -1);
    CHECK_EQ(blocked[2], 0);
    CHECK_EQ(blocked[3], 1);
    CHECK_EQ(blocked[4 * THREADS], 2);
    CHECK_EQ(blocked[4 * THREADS + 1], 3);
    if (THREADS > 1) {
        CHECK_EQ(blocked[6], 4); // the same place at thread 1
        CHECK_EQ(blocked[7], -1);
    }
    upc_barrier;

    // Written from a layout, read from another; elements of odd size, blocks larger than the amount.
    CHECK_EQ(upc_all_fseek(f, row * MYTHREAD, UPC_SEEK_SET), row * MYTHREAD);
    CHECK_EQ(upc_all_fwrite_shared(f, &mine[N * next], (size_t)-1, 3, 7, 0), 21);
    CHECK_EQ(upc_all_fseek(f, row * MYTHREAD, UPC_SEEK_SET), row * MYTHREAD);
    char bytes[21];
    CHECK_EQ(upc_all_fread_local(f, bytes, 1, 21, 0), 21);
    CHECK(memcmp(bytes, (short[11]){next * N, next * N + 1, next * N + 2, next * N + 3, next * N + 4,
                                    next * N + 5, next * N + 6, next * N + 7, next * N + 8,
                                    next * N + 9, next * N + 10}, 21) == 0);

    // Neighbouring bytes, by different threads at once.
    char c = (char)(33 + MYTHREAD);
    CHECK_EQ(upc_all_fset_size(f, 0), 0);
    CHECK_EQ(upc_all_fseek(f, MYTHREAD, UPC_SEEK_SET), MYTHREAD);
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(upc_all_fwrite_local(f, &c, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 1);
        CHECK_EQ(upc_all_fseek(f, THREADS - 1, UPC_SEEK_CUR), THREADS * (i + 1) + MYTHREAD);
    }
    CHECK_EQ(upc_all_fsync(f), 0);
    for (int i = 0; i < 5 * THREADS; i++) {
        CHECK_EQ(upc_all_fseek(f, i, UPC_SEEK_SET), i);
        CHECK_EQ(upc_all_fread_local(f, &c, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 1);
        CHECK_EQ(c, 33 + i % THREADS);
    }
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
