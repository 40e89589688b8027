// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ spec: 7.9.3p4 7.9.6.1p2 7.9.6.2p2 7.9.6.2p3
// upc_sync_attempt returns nonzero once the transfer is complete, which it will be, and then has
// consumed the handle. Thousands of handles may be open; all are synchronised.
#include "transfers.h"

#define MANY 3000
static upc_handle_t handles[MANY];

int main(void)
{
    fill();
    int next = (MYTHREAD + 1) % THREADS;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++)
            handles[i] = upc_memget_nb(&mine[i], &rows[next][i], 1);
        for (int i = MANY - 1; i >= 0; i--) {
            if (i % 3)
                upc_sync(handles[i]);
            else
                WAIT_UNTIL(upc_sync_attempt(handles[i]));
        }
    }
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(mine[i], byte_of(next, i));
    return check_done();
}
