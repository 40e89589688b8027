// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
//@ spec: 7.8.7p4 7.8.7p5 7.8.7.1p3 7.8.7.1p4 7.8.7.2p2 7.8.7.2p3 7.8.7.2p4 7.8.7.3p2 7.8.7.3p3 7.8.7.3p4
//@ spec: 7.8.7.4p2 7.8.7.4p3 7.8.7.4p4 7.8.7.5p2 7.8.7.5p3 7.8.7.5p4 7.8.7.6p2 7.8.7.6p3 7.8.7.6p4
//@ spec: 7.8.7.7p2 7.8.7.7p3 7.8.7.7p4 7.8.7.8p2 7.8.7.8p3 7.8.7.8p4 7.8.7.9p2 7.8.7.9p4 7.8.7.10p2
//@ spec: 7.8.7.10p3 7.8.7.10p4
// Each asynchronous function moves what its blocking form does; the two ways of completing it.
#include "../../check.h"
#include <errno.h>
#include <upc_io.h>

enum { N = 100 };
shared [5] int wide[N * THREADS], back[N * THREADS];

static upc_off_t test_until_done(upc_file_t *f)
{
    int flag = 0;
    upc_off_t moved = 0;
    while (!flag)
        moved = upc_all_ftest_async(f, &flag);
    return moved;
}

int main(void)
{
    int out[N], in[N] = {0};
    const upc_off_t bytes = sizeof out, base = bytes * MYTHREAD;
    for (int i = 0; i < N; i++)
        out[i] = MYTHREAD * 1000 + i;
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK_EQ(upc_all_fseek(f, base, UPC_SEEK_SET), base);
    upc_all_fwrite_local_async(f, out, sizeof(int), N, 0);
    CHECK_EQ(upc_all_fwait_async(f), bytes);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), base + bytes);
    CHECK_EQ(upc_all_fseek(f, base, UPC_SEEK_SET), base);
    upc_all_fread_local_async(f, in, sizeof(int), N, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    CHECK_EQ(test_until_done(f), bytes);
    CHECK(memcmp(in, out, sizeof out) == 0);

    // Lists may change as soon as the operation has begun.
    struct upc_local_memvec memory = {in, bytes};
    struct upc_filevec place = {base, bytes};
    memset(in, 0, sizeof in);
    upc_all_fread_list_local_async(f, 1, &memory, 1, &place, 0);
    memory.baseaddr = NULL;
    place.len = 0;
    CHECK_EQ(upc_all_fwait_async(f), bytes);
    CHECK(memcmp(in, out, sizeof out) == 0);
    for (int i = 0; i < N; i++)
        out[i] += 500000;
    memory = (struct upc_local_memvec){out, bytes};
    place.len = bytes;
    upc_all_fwrite_list_local_async(f, 1, &memory, 1, &place, 0);
    place.len = 1;
    CHECK_EQ(test_until_done(f), bytes);

    // Shared buffers with the common pointer, and lists of them.
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL), 0);
    upc_all_fread_shared_async(f, wide, 5, sizeof(int), N * THREADS, 0);
    CHECK_EQ(upc_all_fwait_async(f), bytes * THREADS);
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(wide[i], i / N * 1000 + i % N + 500000);
    upc_all_fwrite_shared_async(f, wide, 5, sizeof(int), N * THREADS, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
    CHECK_EQ(test_until_done(f), bytes * THREADS);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 2 * bytes * THREADS);
    CHECK_EQ(upc_all_fsync(f), 0);
    int mine = MYTHREAD == THREADS - 1;
    struct upc_shared_memvec all = {back, 5 * sizeof(int), bytes * THREADS};
    place = (struct upc_filevec){bytes * THREADS, bytes * THREADS};
    upc_all_fread_list_shared_async(f, mine, &all, mine, &place, 0);
    all.len = 1;
    CHECK_EQ(upc_all_fwait_async(f), mine * bytes * THREADS);
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(back[i], wide[i]);
    all.len = bytes * THREADS;
    place.offset = 0;
    upc_all_fwrite_list_shared_async(f, mine, &all, mine, &place, 0);
    CHECK_EQ(test_until_done(f), mine * bytes * THREADS);

    // Past the end there is nothing; an error comes with the completion, which ends the operation.
    CHECK_EQ(upc_all_fseek(f, -bytes / 2, UPC_SEEK_END), 2 * bytes * THREADS - bytes / 2);
    upc_all_fread_shared_async(f, wide, 5, sizeof(int), N * THREADS, 0);
    CHECK_EQ(upc_all_fwait_async(f), bytes / 2);
    CHECK_EQ(upc_all_fclose(f), 0);
    f = upc_all_fopen("file", UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_all_fwrite_local_async(f, out, sizeof(int), N, 0);
    errno = 0;
    CHECK_EQ(upc_all_fwait_async(f), -1);
    CHECK_EQ(errno, EBADF);
    upc_all_fwrite_local_async(f, out, sizeof(int), N, 0);
    int flag = 0;
    errno = 0;
    CHECK_EQ(upc_all_ftest_async(f, &flag), -1);
    CHECK_EQ(errno, EBADF);
    CHECK_EQ(flag, 1);
    CHECK_EQ(upc_all_fwait_async(f), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
