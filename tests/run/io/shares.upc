// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 5x1 1x8 2:2x2 4:4x1
// Transfers at a common file pointer that are large enough for every thread to have a share: from
// and to odd places, cut short by the end of the file in any share, and with fewer nodes.
#include "../../check.h"
#include <upc_io.h>

enum { N = 150000 }; // ints of each thread: more than one share
shared [7] int out[N * THREADS];
shared int in[N * THREADS];

static int value(size_t i, int salt)
{
    return (int)(i * 2654435761u) ^ salt;
}

// The elements of `in` that the caller has: those that were read, and the others.
static void check_read(size_t read, int salt)
{
    size_t wrong = 0;
    for (size_t i = MYTHREAD; i < N * THREADS; i += THREADS)
        wrong += in[i] != (i < read ? value(i, salt) : -1);
    CHECK_EQ(wrong, 0);
}

static void clear(void)
{
    for (size_t i = MYTHREAD; i < N * THREADS; i += THREADS)
        in[i] = -1;
}

static void there_and_back(upc_file_t *f, upc_off_t at, int salt)
{
    const size_t n = N * THREADS, bytes = n * sizeof(int);
    upc_forall (size_t i = 0; i < n; i++; &out[i])
        out[i] = value(i, salt);
    CHECK_EQ(upc_all_fset_size(f, 0), 0);
    CHECK_EQ(upc_all_fseek(f, at, UPC_SEEK_SET), at);
    CHECK_EQ(upc_all_fwrite_shared(f, out, 7, sizeof(int), n, 0), bytes);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_END), at + bytes);
    CHECK_EQ(upc_all_fsync(f), 0);
    // The file is cut off at quarters, and very near its end.
    for (int part = 0; part <= 4; part++) {
        size_t first = part == 4 ? n - 3 : n / 4 * part;
        clear();
        upc_barrier;
        CHECK_EQ(upc_all_fset_size(f, at + first * sizeof(int)), 0);
        CHECK_EQ(upc_all_fseek(f, at, UPC_SEEK_SET), at);
        CHECK_EQ(upc_all_fread_shared(f, in, 1, sizeof(int), n, 0), first * sizeof(int));
        CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), at + first * sizeof(int));
        check_read(first, salt);
        // What was cut off, again.
        CHECK_EQ(upc_all_fseek(f, at, UPC_SEEK_SET), at);
        CHECK_EQ(upc_all_fwrite_shared(f, out, 7, sizeof(int), n, UPC_OUT_NOSYNC), bytes);
    }
    upc_barrier; // until then other threads may write what is this one's of `out`
}

int main(void)
{
    upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    there_and_back(f, 0, 1);
    there_and_back(f, 262143, 2);
    struct upc_hint nodes = {"cb_nodes", "2"};
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_HINT, &nodes), 0);
    there_and_back(f, 1, 3);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
