// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.4.2p6 7.8.4.2p2 7.8.4.2p3 7.8.5.2p2 7.8.5.2p3 7.8.4.2p4 7.8.5.2p4
// With a common file pointer all threads together move one buffer, whatever its layout; the file
// holds its elements in order of index, and can be read back into another layout.
#include "../../check.h"
#include <upc_io.h>

enum { PER_THREAD = 300 };
shared int cyclic[PER_THREAD * THREADS];
shared [7] int blocked[PER_THREAD * THREADS];
shared [*] int even[PER_THREAD * THREADS];
shared [] int *one;

int main(void)
{
    const size_t n = PER_THREAD * THREADS;
    const upc_flag_t sync = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    one = upc_all_alloc(1, n * sizeof(int));
    for (size_t i = MYTHREAD; i < n; i += THREADS)
        blocked[i] = (int)i * 3 + 1;

    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);
    CHECK(f != NULL);
    CHECK_EQ(upc_all_fwrite_shared(f, blocked, 7, sizeof(int), n, sync), n * sizeof(int));
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), n * sizeof(int));
    CHECK_EQ(upc_all_fsync(f), 0);

    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_shared(f, cyclic, 1, sizeof(int), n, sync), n * sizeof(int));
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), n * sizeof(int));
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_shared(f, even, upc_blocksizeof(even), sizeof(int), n, sync), n * sizeof(int));
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_shared(f, one, 0, sizeof(int), n, sync), n * sizeof(int));
    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(cyclic[i], (int)i * 3 + 1);
        CHECK_EQ(even[i], (int)i * 3 + 1);
        CHECK_EQ(one[i], (int)i * 3 + 1);
    }
    CHECK_EQ(upc_all_fclose(f), 0);

    FILE *plain = fopen("file", "rb");
    for (size_t i = 0; i < n; i++) {
        int value = -1;
        CHECK_EQ(fread(&value, sizeof value, 1, plain), 1);
        CHECK_EQ(value, (int)i * 3 + 1);
    }
    CHECK_EQ(fgetc(plain), EOF);
    fclose(plain);
    return check_done();
}
