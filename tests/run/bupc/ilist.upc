// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 2x1 1x3 2x2 5x1
// Random lists of regions of one length, against a loop: the lengths of the two sides differ.
#include "regions.h"

static struct piece dst[PIECES], src[PIECES];

static void transfer(int kind, int n_dst, int n_src)
{
    shared void *shared_dst[PIECES];
    shared const void *shared_src[PIECES];
    void *private_dst[PIECES];
    const void *private_src[PIECES];
    size_t d = dst[0].len, s = src[0].len;
    for (int i = 0; i < n_dst; i++) {
        shared_dst[i] = target + dst[i].at;
        private_dst[i] = private_target + dst[i].at;
    }
    for (int i = 0; i < n_src; i++) {
        shared_src[i] = source + src[i].at;
        private_src[i] = private_source + src[i].at;
    }
    switch (kind) {
    case 0: bupc_memcpy_ilist(n_dst, shared_dst, d, n_src, shared_src, s); break;
    case 1: bupc_memput_ilist(n_dst, shared_dst, d, n_src, private_src, s); break;
    case 2: bupc_memget_ilist(n_dst, private_dst, d, n_src, shared_src, s); break;
    case 3:
        bupc_waitsync(bupc_memcpy_ilist_async(n_dst, shared_dst, d, n_src, shared_src, s));
        break;
    case 4:
        bupc_waitsync(bupc_memput_ilist_async(n_dst, shared_dst, d, n_src, private_src, s));
        break;
    case 5:
        bupc_waitsync(bupc_memget_ilist_async(n_dst, private_dst, d, n_src, shared_src, s));
        break;
    }
}

int main(void)
{
    regions_start();
    for (int round = 0; round < 120; round++) {
        int kind = round % 6, k = 1 + below(4), n_dst = k * (1 + below(8)), n_src;
        int unit = below(9), len_dst = unit * (1 + below(8));
        // n_dst * len_dst bytes as n_src pieces: move the factor from one side to the other.
        n_src = k * (unit ? len_dst / unit : 3);
        int len_src = n_dst / k * unit;
        for (int i = 0; i < n_dst; i++)
            dst[i].len = len_dst;
        for (int i = 0; i < n_src; i++)
            src[i].len = len_src;
        CHECK_EQ(n_dst * len_dst, n_src * len_src);
        place(dst, n_dst);
        place_anywhere(src, n_src);
        before_transfer();
        apply(dst, n_dst, src, n_src);
        transfer(kind, n_dst, n_src);
        after_transfer(kind % 3 == 2);
    }
    return check_done();
}
