// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 2x1 1x3 2x2 5x1
// Random lists of regions, against a loop: regions of 0 bytes, in any order, sources that overlap.
#include "regions.h"

static struct piece dst[PIECES], src[PIECES];
static bupc_smemvec_t shared_dst[PIECES], shared_src[PIECES];
static bupc_pmemvec_t private_dst[PIECES], private_src[PIECES];

static void transfer(int kind, int n_dst, int n_src)
{
    for (int i = 0; i < n_dst; i++) {
        shared_dst[i] = (bupc_smemvec_t){target + dst[i].at, dst[i].len};
        private_dst[i] = (bupc_pmemvec_t){private_target + dst[i].at, dst[i].len};
    }
    for (int i = 0; i < n_src; i++) {
        shared_src[i] = (bupc_smemvec_t){source + src[i].at, src[i].len};
        private_src[i] = (bupc_pmemvec_t){private_source + src[i].at, src[i].len};
    }
    switch (kind) {
    case 0: bupc_memcpy_vlist(n_dst, shared_dst, n_src, shared_src); break;
    case 1: bupc_memput_vlist(n_dst, shared_dst, n_src, private_src); break;
    case 2: bupc_memget_vlist(n_dst, private_dst, n_src, shared_src); break;
    case 3: bupc_waitsync(bupc_memcpy_vlist_async(n_dst, shared_dst, n_src, shared_src)); break;
    case 4: bupc_waitsync(bupc_memput_vlist_async(n_dst, shared_dst, n_src, private_src)); break;
    case 5: bupc_waitsync(bupc_memget_vlist_async(n_dst, private_dst, n_src, shared_src)); break;
    }
}

int main(void)
{
    regions_start();
    for (int round = 0; round < 120; round++) {
        int total = below(5) ? below(1500) : below(10), kind = round % 6;
        int n_dst = cut(total, dst), n_src = cut(total, src);
        place(dst, n_dst);
        place_anywhere(src, n_src);
        before_transfer();
        apply(dst, n_dst, src, n_src);
        transfer(kind, n_dst, n_src);
        after_transfer(kind % 3 == 2);
    }
    before_transfer();
    bupc_memcpy_vlist(0, NULL, 0, NULL);
    after_transfer(0);
    return check_done();
}
