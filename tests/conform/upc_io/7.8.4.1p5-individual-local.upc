// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.4.1p2 7.8.4.1p3 7.8.4.1p4 7.8.4.1p6 7.8.5.1p2 7.8.5.1p3 7.8.5.1p4 7.8.5.1p5 7.8.5.1p7 7.8.3p1
// With individual file pointers each thread moves its own amount between its own buffer and its own
// place, and its own pointer advances by that.
#include "../../check.h"
#include <upc_io.h>

int main(void)
{
    short out[64], in[64];
    size_t mine = 5 + MYTHREAD % 7;
    upc_off_t begin = 100 * MYTHREAD;
    for (int i = 0; i < 64; i++) {
        out[i] = (short)(MYTHREAD * 100 + i);
        in[i] = -1;
    }
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL);
    CHECK_EQ(upc_all_fseek(f, begin, UPC_SEEK_SET), begin);
    CHECK_EQ(upc_all_fwrite_local(f, out, sizeof(short), mine, 0), mine * sizeof(short));
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), begin + mine * sizeof(short));
    // A second write follows the first; a size of 0 moves nothing, and needs no buffer.
    CHECK_EQ(upc_all_fwrite_local(f, out + mine, mine * sizeof(short), 1, 0), mine * sizeof(short));
    CHECK_EQ(upc_all_fwrite_local(f, NULL, 0, MYTHREAD, 0), 0);
    CHECK_EQ(upc_all_fwrite_local(f, NULL, MYTHREAD, 0, 0), 0);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), begin + 2 * mine * sizeof(short));

    // What a thread has written it reads back without any synchronisation.
    CHECK_EQ(upc_all_fseek(f, -(upc_off_t)(2 * mine * sizeof(short)), UPC_SEEK_CUR), begin);
    CHECK_EQ(upc_all_fread_local(f, in, 2, 2 * mine, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 4 * mine);
    CHECK(memcmp(in, out, 4 * mine) == 0);
    CHECK_EQ(in[2 * mine], -1);

    // The neighbour's, after a sync.
    CHECK_EQ(upc_all_fsync(f), 0);
    int next = (MYTHREAD + 1) % THREADS;
    CHECK_EQ(upc_all_fseek(f, 100 * next + 2, UPC_SEEK_SET), 100 * next + 2);
    CHECK_EQ(upc_all_fread_local(f, in, 1, 4, UPC_IN_MYSYNC | UPC_OUT_MYSYNC), 4);
    CHECK_EQ(in[0], next * 100 + 1);
    CHECK_EQ(in[1], next * 100 + 2);

    // Threads may ask for nothing while others read.
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_local(f, in, MYTHREAD % 2, 2, 0), MYTHREAD % 2 * 2);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), MYTHREAD % 2 * 2);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
