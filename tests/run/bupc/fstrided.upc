// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 2x1 1x3 2x2 5x1
// Random chunks at one distance, against a loop: contiguous, apart, and at negative distances, which
// are numbers converted to size_t; no chunk, chunks of 0 bytes; a source that repeats itself.
#include "regions.h"

static struct piece dst[PIECES], src[PIECES];

struct side {
    int at, len, stride, n;
};

static struct side side_of(int len, int n, int may_overlap)
{
    struct side side = {0, len, len + below(2) * below(20), n};
    if (may_overlap && below(4) == 0)
        side.stride = below(len + 1);
    if (below(3) == 0)
        side.stride = -side.stride;
    side.at = 100 + below(50) + (side.stride < 0 ? -side.stride * n : 0);
    return side;
}

static void list(struct piece *pieces, struct side side)
{
    for (int i = 0; i < side.n; i++)
        pieces[i] = (struct piece){side.at + i * side.stride, side.len};
}

#define DST(memory) (memory) + d.at, d.len, (size_t)d.stride, d.n
#define SRC(memory) (memory) + s.at, s.len, (size_t)s.stride, s.n

static void transfer(int kind, struct side d, struct side s)
{
    switch (kind) {
    case 0: bupc_memcpy_fstrided(DST(target), SRC(source)); break;
    case 1: bupc_memput_fstrided(DST(target), SRC(private_source)); break;
    case 2: bupc_memget_fstrided(DST(private_target), SRC(source)); break;
    case 3: bupc_waitsync(bupc_memcpy_fstrided_async(DST(target), SRC(source))); break;
    case 4: bupc_waitsync(bupc_memput_fstrided_async(DST(target), SRC(private_source))); break;
    case 5: bupc_waitsync(bupc_memget_fstrided_async(DST(private_target), SRC(source))); break;
    }
}

int main(void)
{
    regions_start();
    for (int round = 0; round < 240; round++) {
        int kind = round % 6, a = below(7), b = 1 + below(7), k = 1 + below(4);
        struct side d = side_of(a * b, a * k, 0), s = side_of(a * a, b * k, 1);
        CHECK_EQ(d.len * d.n, s.len * s.n);
        list(dst, d);
        list(src, s);
        before_transfer();
        apply(dst, d.n, src, s.n);
        transfer(kind, d, s);
        after_transfer(kind % 3 == 2);
    }
    return check_done();
}
