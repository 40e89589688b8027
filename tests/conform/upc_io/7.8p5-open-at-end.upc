// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.1.3p3 7.8.1.4p1
//@ repeat: 2
// Files still open when main returns are closed, and deleted if that was asked for: the second run
// of the program finds what the first one left. A common transfer is seen by all after a sync.
#include "../../check.h"
#include <unistd.h>
#include <upc_io.h>

shared int numbers[16 * THREADS];

int main(void)
{
    CHECK(access("scratch", F_OK) != 0);
    upc_barrier;
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    upc_file_t *g = upc_all_fopen("scratch", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(f != g);
    upc_off_t size = upc_all_fget_size(f);
    CHECK(size % 4 == 0);
    for (int i = MYTHREAD; i < 16 * THREADS; i += THREADS)
        numbers[i] = i;
    CHECK_EQ(upc_all_fwrite_shared(g, numbers, 1, sizeof(int), 16 * THREADS, 0), 64 * THREADS);
    if (size > 0) {
        CHECK_EQ(upc_all_fread_shared(f, numbers, 1, sizeof(int), 16, 0), 64);
        for (int i = 0; i < 16; i++)
            CHECK_EQ(numbers[i], i);
        upc_barrier;
        CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    }
    CHECK_EQ(upc_all_fwrite_shared(f, numbers, 1, sizeof(int), 16 * THREADS, UPC_OUT_NOSYNC), 64 * THREADS);
    return check_done();
}
