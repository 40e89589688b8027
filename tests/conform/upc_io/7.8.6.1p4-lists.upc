// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.8.6p1 7.8.6p2 7.8.6p3 7.8.6p4 7.8.6p5 7.8.6p6 7.8.6p8 7.8.6p13 7.8.6.1p2 7.8.6.1p3 7.8.6.1p5
//@ spec: 7.8.6.2p2 7.8.6.2p3 7.8.6.2p4 7.8.6.2p6 7.8.6.3p2 7.8.6.3p3 7.8.6.3p4 7.8.6.3p6
//@ spec: 7.8.6.4p2 7.8.6.4p3 7.8.6.4p4 7.8.6.4p6
// Lists cut the memory and the file independently; neither kind of file pointer matters or moves.
#include "../../check.h"
#include <upc_io.h>

enum { SPAN = 40 }; // bytes of the file that a thread uses
shared [3] char blocked[SPAN * THREADS];

static void local(upc_file_t *f)
{
    char out[16] = "0123456789abcdef", in[16] = "................";
    upc_off_t base = SPAN * MYTHREAD;
    struct upc_local_memvec from[] = {{out + 8, 4}, {NULL, 0}, {out, 5}, {out + 14, 2}};
    struct upc_filevec to[] = {{base + 1, 1}, {base + 2, 3}, {base + 3, 0}, {base + 20, 7}};
    CHECK_EQ(upc_all_fwrite_list_local(f, 4, from, 4, to, 0), 11);

    // 1: 8, 2: 9ab, 20: 01234ef
    struct upc_filevec again[] = {{base + 1, 4}, {base + 1, 1}, {base + 22, 5}};
    struct upc_local_memvec into[] = {{in + 10, 3}, {in, 7}};
    CHECK_EQ(upc_all_fread_list_local(f, 2, into, 3, again, 0), 10);
    CHECK(memcmp(in, "b8234ef...89a...", 16) == 0);
    CHECK_EQ(upc_all_fread_list_local(f, 0, NULL, 0, NULL, 0), 0);
    CHECK_EQ(upc_all_fwrite_list_local(f, 0, NULL, 0, NULL, 0), 0);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
}

static void spread(upc_file_t *f)
{
    // The neighbour's row of the file, into a blocked buffer that starts in the middle.
    upc_off_t base = SPAN * MYTHREAD;
    shared [3] char *start = &blocked[3 * MYTHREAD];
    size_t n = 3 * THREADS + 2; // more than a round
    for (size_t i = 0; i < sizeof(blocked); i += 1)
        if (upc_threadof(&blocked[i]) == MYTHREAD)
            blocked[i] = (char)(i % 127);
    upc_barrier;
    if (n > SPAN)
        n = SPAN;
    if (3 * MYTHREAD + n > SPAN * THREADS)
        n = 5;
    struct upc_shared_memvec from[] = {{start, 3, n}};
    struct upc_filevec to[] = {{base, 2}, {base + 2, n - 2}};
    CHECK_EQ(upc_all_fwrite_list_shared(f, 1, from, 2, to, 0), n);
    char in[SPAN];
    struct upc_local_memvec plain = {in, n};
    struct upc_filevec all = {base, n};
    CHECK_EQ(upc_all_fread_list_local(f, 1, &plain, 1, &all, 0), n);
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(in[i], (3 * MYTHREAD + i) % 127);

    // Back, in another order, to memory at one thread.
    shared [] char *one = upc_alloc(SPAN);
    struct upc_shared_memvec into[] = {{one + 10, 0, 2}, {one, 0, 1}, {one + 20, 100, n - 3}};
    CHECK_EQ(upc_all_fread_list_shared(f, 3, into, 1, &all, 0), n);
    CHECK_EQ(one[10], in[0]);
    CHECK_EQ(one[11], in[1]);
    CHECK_EQ(one[0], in[2]);
    CHECK_EQ(one[20], in[3]);
    CHECK_EQ(one[20 + n - 4], in[n - 1]);
    CHECK_EQ(upc_all_fread_list_shared(f, 0, NULL, 0, NULL, 0), 0);
    CHECK_EQ(upc_all_fwrite_list_shared(f, 0, NULL, 0, NULL, 0), 0);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
    upc_free(one);

    // The end of the file comes first.
    upc_barrier;
    upc_off_t end = upc_all_fget_size(f);
    struct upc_filevec beyond[] = {{end - 2, 5}, {end + 100, 3}};
    struct upc_local_memvec eight = {in, 8};
    CHECK_EQ(upc_all_fread_list_local(f, 1, &eight, 2, beyond, 0), 2);
}

int main(void)
{
    for (int kind = 0; kind < 2; kind++) {
        int pointer = kind ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP;
        upc_file_t *f = upc_all_fopen("file", UPC_RDWR | UPC_CREATE | UPC_TRUNC | pointer, 0, NULL);
        local(f);
        spread(f);
        CHECK_EQ(upc_all_fclose(f), 0);
    }
    return check_done();
}
