// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ spec: 7.9.2p10 7.9.2p11 7.9.7.1p4 7.9.7.2p4
// Transfers stay open across fences, barriers, strict accesses and allocation; upc_synci does not
// consume handles, and upc_sync does not end implicit transfers.
#include "transfers.h"

strict shared int flag;

int main(void)
{
    fill();
    int next = (MYTHREAD + 1) % THREADS;
    upc_handle_t handle = upc_memcpy_nb(others[next], rows[MYTHREAD], ROW);
    upc_memget_nbi(mine, rows[next], ROW);
    upc_fence;
    upc_barrier;
    flag = MYTHREAD;
    upc_all_free(upc_all_alloc(THREADS, 10));
    upc_barrier 3;
    upc_synci();
    WAIT_UNTIL(upc_synci_attempt());
    upc_notify;
    upc_sync(handle);
    upc_wait;
    for (int k = 0; k < ROW; k++) {
        CHECK_EQ(mine[k], byte_of(next, k));
        CHECK_EQ(others[MYTHREAD][k], byte_of((MYTHREAD + THREADS - 1) % THREADS, k));
    }
    return check_done();
}
