// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.4.2p3
// upc_memget_nb and upc_sync do what upc_memget does.
#include "transfers.h"

int main(void)
{
    fill();
    for (int from = 0; from < THREADS; from++) {
        for (int i = 0; i < LENGTHS; i++) {
            int n = lengths[i];
            memset(mine, 0xdd, ROW);
            upc_sync(upc_memget_nb(mine, rows[from], n));
            for (int k = 0; k < ROW; k++)
                CHECK_EQ(mine[k], k < n ? byte_of(from, k) : 0xdd);
        }
    }
    return check_done();
}
