/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a member of a loop over several hosts asks for the turn of its piece, and passes it on. The
 * other hosts are this file. */
#include "core/test.h"
#include "omp/loop.h"

#include <string.h>

static struct {
    unsigned awaits, posts;
    uint64_t awaited, posted;
} far;

uint64_t fl_omp_far_await(uint64_t number, uint64_t index, uint64_t least) {
    (void)number;
    (void)index;
    far.awaits++;
    far.awaited = least;
    return least;
}

void fl_omp_far_post(uint64_t number, uint64_t index, uint64_t value) {
    (void)number;
    (void)index;
    far.posts++;
    far.posted = value;
}

static void run_piece(struct fl_omp_member *me, uint64_t from, uint64_t to, unsigned ordered) {
    memset(&far, 0, sizeof far);
    me->loop.from = from;
    me->loop.to = to;
    for (unsigned i = 0; i < ordered; i++) {
        fl_omp_ordered_wait(me);
    }
    fl_omp_ordered_pass(me);
}

int main(void) {
    struct fl_omp_team team = {.far = true};
    struct fl_omp_member me = {.team = &team, .loop = {.ordered = true}};
    run_piece(&me, 0, 100, 100);
    CHECK(far.awaits == 1 && far.awaited == 0, "a piece asks for its turn once: %u", far.awaits);
    CHECK(far.posts == 1 && far.posted == 100, "and passes it on once");
    run_piece(&me, 200, 300, 1);
    CHECK(far.awaits == 1 && far.awaited == 200, "the next piece asks for its own");
    run_piece(&me, 400, 500, 0);
    CHECK(far.awaits == 1 && far.posted == 500, "a piece without ordered regions waits, too");
    fl_omp_ordered_pass(&me);
    CHECK(far.posts == 1, "without a piece there is nothing to pass on");
    return test_done();
}
