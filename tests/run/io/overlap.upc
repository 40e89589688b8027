// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 2:2x2 4:4x1
// Asynchronous operations on several files run beside each other, and beside the thread that began
// them, which computes, waits at barriers and uses other files meanwhile.
#include "../../check.h"
#include <upc_io.h>

enum { FILES = 4, N = 40000 };
static int out[FILES][N], in[FILES][N];

int main(void)
{
    upc_file_t *f[FILES];
    upc_off_t bytes = sizeof out[0], base = bytes * MYTHREAD;
    for (int i = 0; i < FILES; i++) {
        char name[8];
        snprintf(name, sizeof name, "file%d", i);
        f[i] = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
        CHECK_EQ(upc_all_fseek(f[i], base, UPC_SEEK_SET), base);
        for (int k = 0; k < N; k++)
            out[i][k] = k * (i + 1) + MYTHREAD;
    }
    const upc_flag_t none = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;
    for (int round = 0; round < 5; round++) {
        memset(in, 0, sizeof in);
        for (int i = 0; i < FILES; i++)
            upc_all_fwrite_local_async(f[i], out[i], sizeof(int), N, i % 2 ? none : 0);
        upc_barrier;
        // Completed in another order than begun.
        for (int i = FILES - 1; i >= 0; i--) {
            CHECK_EQ(upc_all_fwait_async(f[i]), bytes);
            CHECK_EQ(upc_all_fseek(f[i], base, UPC_SEEK_SET), base);
            upc_all_fread_local_async(f[i], in[i], sizeof(int), N, none);
        }
        int left = FILES, flag, over[FILES] = {0};
        long sum = 0;
        while (left > 0) {
            for (int k = 0; k < N; k++)
                sum += out[0][k];
            for (int i = 0; i < FILES; i++) {
                if (over[i])
                    continue;
                upc_off_t moved = upc_all_ftest_async(f[i], &flag);
                CHECK_EQ(moved, flag ? bytes : 0);
                over[i] = flag;
                left -= flag;
            }
        }
        CHECK(sum != 0);
        CHECK(memcmp(in, out, sizeof in) == 0);
        for (int i = 0; i < FILES; i++)
            CHECK_EQ(upc_all_fseek(f[i], base, UPC_SEEK_SET), base);
    }
    for (int i = 0; i < FILES; i++)
        CHECK_EQ(upc_all_fclose(f[i]), 0);
    return check_done();
}
