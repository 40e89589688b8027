// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.2p2 7.9.2p3 7.9.4.1p3
// upc_memcpy_nb and upc_sync do what upc_memcpy does, for every pair of threads and odd lengths.
#include "transfers.h"

int main(void)
{
    fill();
    int next = (MYTHREAD + 1) % THREADS;
    for (int from = 0; from < THREADS; from++) {
        for (int i = 0; i < LENGTHS; i++) {
            int n = lengths[i];
            upc_sync(upc_memset_nb(others[next], 0xee, ROW));
            upc_handle_t handle = upc_memcpy_nb(others[next], rows[from], n);
            upc_sync(handle);
            for (int k = 0; k < ROW; k++)
                CHECK_EQ(others[next][k], k < n ? byte_of(from, k) : 0xee);
        }
    }
    return check_done();
}
