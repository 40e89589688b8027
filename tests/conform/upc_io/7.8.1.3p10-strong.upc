// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.1.3p4 7.8.1.3p5 7.8.1.3p6 7.8.3.1p5 7.8.4.2p7 7.8.5.1p6 7.8.5.2p7 7.8.6.2p5 7.8.6.3p5 7.8.6.4p5
// Strong mode: writes and reads that overlap come out as if done in some order, whole calls each;
// what one thread has written another sees as soon as the call returns, whatever the flags.
#include "../../check.h"
#include <upc_io.h>

enum { N = 6000, PIECES = N / 2, NONE = UPC_IN_NOSYNC | UPC_OUT_NOSYNC };
shared [] char *one;
static char buffer[2 * N];

// All `n` bytes are of one thread.
static void uniform(const char *bytes, int n, int step)
{
    for (int i = step; i < n; i += step)
        CHECK_EQ(bytes[i], bytes[0]);
    CHECK(bytes[0] >= 'A' && bytes[0] < 'A' + THREADS);
}

static void same_place(upc_file_t *f)
{
    memset(buffer, 'A' + MYTHREAD, sizeof buffer);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fwrite_local(f, buffer, 1, N, NONE), N);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    CHECK_EQ(upc_all_fread_local(f, buffer, 1, N, NONE), N);
    uniform(buffer, N, 1);
}

// Every other two bytes: so many places that threads are interrupted, but one operation.
static void lists(upc_file_t *f)
{
    static struct upc_local_memvec memory[PIECES];
    static struct upc_filevec file[PIECES];
    memset(buffer, 'A' + MYTHREAD, sizeof buffer);
    for (int i = 0; i < PIECES; i++) {
        memory[i] = (struct upc_local_memvec){buffer + (i * 7 % PIECES) * 2, 2};
        file[i] = (struct upc_filevec){i * 4, 2};
    }
    CHECK_EQ(upc_all_fwrite_list_local(f, PIECES, memory, PIECES, file, NONE), N);
    CHECK_EQ(upc_all_fread_list_local(f, PIECES, memory, PIECES, file, NONE), N);
    uniform(buffer, N, 1);
    struct upc_shared_memvec to = {one, 0, N};
    // The neighbour's bytes differ, so that reads into one buffer can be told apart.
    memset(buffer, 'A' + MYTHREAD, N);
    struct upc_local_memvec from = {buffer, N};
    struct upc_filevec own = {100000 + N * MYTHREAD, N};
    CHECK_EQ(upc_all_fwrite_list_local(f, 1, &from, 1, &own, NONE), N);
    CHECK_EQ(upc_all_fread_list_shared(f, 1, &to, 1, &own, NONE), N);
    upc_memget(buffer, one, N);
    uniform(buffer, N, 1);
    upc_barrier;
    CHECK_EQ(upc_all_fwrite_list_shared(f, 1, &to, 1, &own, NONE), N);
}

static void shared_buffer(upc_file_t *f)
{
    memset(buffer, 'A' + MYTHREAD, sizeof buffer);
    CHECK_EQ(upc_all_fseek(f, N * MYTHREAD, UPC_SEEK_SET), N * MYTHREAD);
    CHECK_EQ(upc_all_fwrite_local(f, buffer, N, 1, NONE), N);
    CHECK_EQ(upc_all_fseek(f, N * MYTHREAD, UPC_SEEK_SET), N * MYTHREAD);
    CHECK_EQ(upc_all_fread_shared(f, one, 0, 1, N, NONE), N);
    upc_memget(buffer, one, N);
    uniform(buffer, N, 1);
    upc_barrier;
    CHECK_EQ(upc_all_fseek(f, N * MYTHREAD / 2, UPC_SEEK_SET), N * MYTHREAD / 2);
    upc_all_fwrite_shared_async(f, one, 0, 1, N, NONE);
    CHECK_EQ(upc_all_fwait_async(f), N);
}

int main(void)
{
    one = upc_all_alloc(1, N);
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP | UPC_STRONG_CA, 0, NULL);
    for (int round = 0; round < 3; round++) {
        same_place(f);
        lists(f);
        shared_buffer(f);
    }
    // The neighbour's data at once, although the flags ask for nothing.
    for (int round = 0; round < 5; round++) {
        int value = 100 * round + MYTHREAD, got = -1, next = (MYTHREAD + 1) % THREADS;
        CHECK_EQ(upc_all_fseek(f, MYTHREAD * sizeof(int), UPC_SEEK_SET), MYTHREAD * sizeof(int));
        CHECK_EQ(upc_all_fwrite_local(f, &value, sizeof value, 1, NONE), sizeof value);
        CHECK_EQ(upc_all_fseek(f, next * sizeof(int), UPC_SEEK_SET), next * sizeof(int));
        CHECK_EQ(upc_all_fread_local(f, &got, sizeof got, 1, NONE), sizeof got);
        CHECK_EQ(got, 100 * round + next);
    }
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
