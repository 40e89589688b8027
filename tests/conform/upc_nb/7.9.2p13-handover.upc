// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.2p4 7.9.2p5 7.9.2p7 7.9.2p9 7.9.2p12
// Each thread puts to the next, synchronises its handles in another order than they came in, and
// says so by a strict write: whoever reads that sees the bytes. Transfers share a source.
#include "transfers.h"

#define PIECES 41
strict shared int done[THREADS];

int main(void)
{
    fill();
    int next = (MYTHREAD + 1) % THREADS, previous = (MYTHREAD + THREADS - 1) % THREADS;
    for (int round = 1; round <= 20; round++) {
        upc_handle_t handles[PIECES];
        for (int i = 0; i < PIECES; i++)
            handles[i] = upc_memcpy_nb(&others[next][i * 100], &rows[MYTHREAD][round], 100);
        for (int i = 0; i < PIECES; i++)
            upc_sync(handles[i * 7 % PIECES]);
        done[MYTHREAD] = round;
        WAIT_UNTIL(done[previous] == round);
        for (int i = 0; i < PIECES * 100; i += 9)
            CHECK_EQ(others[MYTHREAD][i], byte_of(previous, round + i % 100));
        upc_barrier;
    }
    return check_done();
}
