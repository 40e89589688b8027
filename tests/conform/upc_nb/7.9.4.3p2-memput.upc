// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.4.3p3
// upc_memput_nb and upc_sync do what upc_memput does.
#include "transfers.h"

int main(void)
{
    fill();
    int next = (MYTHREAD + 1) % THREADS;
    for (int k = 0; k < ROW; k++)
        mine[k] = byte_of(MYTHREAD + 1, k);
    for (int i = 0; i < LENGTHS; i++) {
        int n = lengths[i];
        upc_memset(others[next], 0xee, ROW);
        upc_sync(upc_memput_nb(others[next], mine, n));
        for (int k = 0; k < ROW; k++)
            CHECK_EQ(others[next][k], k < n ? byte_of(MYTHREAD + 1, k) : 0xee);
    }
    return check_done();
}
