// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.2p6 7.9.5.1p3 7.9.5.2p2 7.9.5.2p3 7.9.5.3p2 7.9.5.3p3 7.9.5.4p2 7.9.5.4p3
//@ spec: 7.9.7.1p2 7.9.7.2p2
// The transfers without handles do what those with handles do; one upc_synci, or a
// upc_synci_attempt that returns nonzero, ends them all.
#include "transfers.h"

static void check_all(int from, int next, int n)
{
    for (int k = 0; k < ROW; k++) {
        CHECK_EQ(mine[k], k < n ? byte_of(from, k) : 0xdd);
        CHECK_EQ(others[next][k], k < n / 2 ? byte_of(from, k) : k < n ? byte_of(7, k) : 0x5a);
    }
}

int main(void)
{
    unsigned char source[ROW];
    fill();
    int next = (MYTHREAD + 1) % THREADS;
    for (int k = 0; k < ROW; k++)
        source[k] = byte_of(7, k);
    for (int from = 0; from < THREADS; from++) {
        for (int i = 0; i < LENGTHS; i++) {
            int n = lengths[i];
            memset(mine, 0xdd, ROW);
            upc_memget_nbi(mine, rows[from], n);
            upc_memcpy_nbi(others[next], rows[from], n / 2);
            upc_memput_nbi(&others[next][n / 2], source + n / 2, n - n / 2);
            upc_memset_nbi((shared [] unsigned char *)others[next] + n, 0x5a, ROW - n);
            if (i % 2)
                upc_synci();
            else
                WAIT_UNTIL(upc_synci_attempt());
            check_all(from, next, n);
        }
    }
    return check_done();
}
