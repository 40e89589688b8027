// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.4.4p3
// upc_memset_nb and upc_sync do what upc_memset does: the value is converted to unsigned char.
#include "transfers.h"

int main(void)
{
    fill();
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < LENGTHS; i++) {
        int n = lengths[i], c = 0x1200 + i;
        upc_memset(others[next], 0xee, ROW);
        upc_sync(upc_memset_nb(others[next], c, n));
        for (int k = 0; k < ROW; k++)
            CHECK_EQ(others[next][k], k < n ? i : 0xee);
    }
    return check_done();
}
