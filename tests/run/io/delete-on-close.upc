// SPDX-License-Identifier: BSD-3-Clause
// UPC_DELETE_ON_CLOSE: the file is there until every thread closes it, and gone when any has.
#include "../../check.h"
#include <unistd.h>
#include <upc_io.h>

int main(void)
{
    for (int round = 0; round < 20; round++) {
        upc_file_t *f =
            upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
        CHECK(f != NULL);
        for (int i = 0; i < 5 * MYTHREAD; i++)
            sched_yield();
        CHECK_EQ(access("file", F_OK), 0);
        CHECK_EQ(upc_all_fclose(f), 0);
        CHECK(access("file", F_OK) != 0);
        upc_barrier;
    }
    return check_done();
}
