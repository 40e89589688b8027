// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.9.6.1p4 7.9.7.1p3 7.9.7.2p3
// With UPC_COMPLETE_HANDLE, or with no implicit transfer pending, the functions return at once,
// and the attempts return nonzero, as often as they are called. Transfers of nothing are legal.
#include "transfers.h"

int main(void)
{
    fill();
    for (int i = 0; i < 10; i++) {
        upc_sync(UPC_COMPLETE_HANDLE);
        CHECK(upc_sync_attempt(UPC_COMPLETE_HANDLE) != 0);
        upc_synci();
        CHECK(upc_synci_attempt() != 0);
    }
    upc_handle_t zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    CHECK(upc_sync_attempt(zeroed) != 0);

    upc_sync(upc_memcpy_nb(others[0], rows[THREADS - 1], 0));
    upc_sync(upc_memget_nb(mine, rows[0], 0));
    upc_sync(upc_memput_nb(others[0], mine, 0));
    upc_sync(upc_memset_nb(others[0], 1, 0));
    upc_memcpy_nbi(others[0], rows[0], 0);
    upc_synci();
    CHECK_EQ(mine[0], 0xdd);
    CHECK_EQ(others[0][0], 0xee);
    return check_done();
}
