// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 2x1 1x3 2x2 5x1
// Random sections of up to five dimensions, against a loop: negative distances, counts of 0 and 1,
// no levels at all.
#include "regions.h"

#define LEVELS 4
static struct piece dst[1000], src[1000];
static size_t count[LEVELS + 1];

struct side {
    int at;
    size_t strides[LEVELS];
};

// Dimensions that contain each other, so that nothing overlaps; some are walked from the end.
static struct side side_of(int levels)
{
    struct side side = {50, {0}};
    int extent = (int)count[0];
    for (int level = 0; level < levels; level++) {
        int n = (int)count[level + 1], stride = extent + below(2) * below(4);
        extent = n ? stride * n : extent;
        if (below(3) == 0 && n > 0) {
            side.at += stride * (n - 1);
            stride = -stride;
        }
        side.strides[level] = (size_t)stride;
    }
    CHECK(extent + 50 < SPACE);
    return side;
}

static int list(struct piece *pieces, struct side side, int levels)
{
    int n = 1;
    pieces[0] = (struct piece){side.at, (int)count[0]};
    for (int level = 0; level < levels; level++) {
        int inner = n;
        n *= (int)count[level + 1];
        for (int i = 0; i < n; i++) {
            pieces[i] = pieces[i % inner];
            pieces[i].at += i / inner * (int)side.strides[level];
        }
    }
    return n;
}

#define SIDES(to, from) (to) + d->at, d->strides, (from) + s->at, s->strides, count, levels

static void transfer(int kind, const struct side *d, const struct side *s, int levels)
{
    switch (kind) {
    case 0: bupc_memcpy_strided(SIDES(target, source)); break;
    case 1: bupc_memput_strided(SIDES(target, private_source)); break;
    case 2: bupc_memget_strided(SIDES(private_target, source)); break;
    case 3: bupc_waitsync(bupc_memcpy_strided_async(SIDES(target, source))); break;
    case 4: bupc_waitsync(bupc_memput_strided_async(SIDES(target, private_source))); break;
    case 5: bupc_waitsync(bupc_memget_strided_async(SIDES(private_target, source))); break;
    }
}

int main(void)
{
    regions_start();
    for (int round = 0; round < 240; round++) {
        int kind = round % 6, levels = below(LEVELS + 1);
        count[0] = (size_t)below(12);
        for (int level = 1; level <= levels; level++)
            count[level] = (size_t)(below(8) ? 1 + below(4) : 0);
        struct side d = side_of(levels), s = side_of(levels);
        int n_dst = list(dst, d, levels), n_src = list(src, s, levels);
        before_transfer();
        apply(dst, n_dst, src, n_src);
        transfer(kind, &d, &s, levels);
        after_transfer(kind % 3 == 2);
    }
    return check_done();
}
