// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3
// Places beyond 2 and 4 GiB, in a file with holes.
#include "../../check.h"
#include <upc_io.h>

enum { N = 1000 };
shared [3] int a[N * THREADS], b[N * THREADS];

int main(void)
{
    upc_off_t far = (5ll << 30) + 12345;
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    size_t n = N * THREADS, bytes = n * sizeof(int);
    for (size_t i = MYTHREAD; i < n; i += THREADS)
        a[i] = (int)i;
    for (int i = 1; i <= 3; i++) {
        // Around 2 GiB, around 4 GiB, and far beyond.
        upc_off_t at = i == 3 ? far : ((upc_off_t)i << 31) - 1001;
        CHECK_EQ(upc_all_fseek(f, at, UPC_SEEK_SET), at);
        CHECK_EQ(upc_all_fwrite_shared(f, a, 3, sizeof(int), n, 0), bytes);
        CHECK_EQ(upc_all_fseek(f, -(upc_off_t)bytes, UPC_SEEK_CUR), at);
        for (size_t k = MYTHREAD; k < n; k += THREADS)
            b[k] = -1;
        CHECK_EQ(upc_all_fsync(f), 0);
        CHECK_EQ(upc_all_fread_shared(f, b, 3, sizeof(int), n, 0), bytes);
        for (size_t k = 0; k < n; k++)
            CHECK_EQ(b[k], k);
        upc_barrier;
    }
    CHECK_EQ(upc_all_fget_size(f), far + bytes);
    CHECK_EQ(upc_all_fset_size(f, (3ll << 30) + 1), 0);
    CHECK_EQ(upc_all_fseek(f, -1, UPC_SEEK_END), 3ll << 30);

    // Local: one byte at 6 GiB and a little.
    char c = (char)(1 + MYTHREAD), got = 0;
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    upc_off_t mine = (6ll << 30) + MYTHREAD;
    struct upc_local_memvec memory = {&c, 1}, back = {&got, 1};
    struct upc_filevec place = {mine, 1};
    CHECK_EQ(upc_all_fwrite_list_local(f, 1, &memory, 1, &place, 0), 1);
    CHECK_EQ(upc_all_fread_list_local(f, 1, &back, 1, &place, 0), 1);
    CHECK_EQ(got, c);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
