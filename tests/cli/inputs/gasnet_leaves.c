/* SPDX-License-Identifier: BSD-3-Clause */
/* A root and its leaf waited for together, while the library's thread ends the operation: the root may
 * end between the test of its leaf and its own. */
#include <gasnetex.h>
#include <gasnet_vis.h>

#include "gasnet_check.h"

enum { ROUNDS = 8000, BYTES = 64, OPERATIONS = 4 };

static void wait_for_both(gex_Rank_t to) {
    static char from[OPERATIONS][BYTES];
    char *place = (char *)segment_of(to) + me * (gex_Rank_t)sizeof from;
    gex_Event_t events[2 * OPERATIONS];
    for (int i = 0; i < OPERATIONS; i++) {
        gex_Memvec_t source = {from[i], BYTES}, target = {place + i * BYTES, BYTES};
        events[i] = gex_VIS_VectorPutNB(all, to, 1, &target, 1, &source, GEX_FLAG_ENABLE_LEAF_LC);
        events[i + OPERATIONS] = gex_Event_QueryLeaf(events[i], GEX_EC_LC);
    }
    gex_Event_WaitAll(events, 2 * OPERATIONS, 0);
    for (int i = 0; i < 2 * OPERATIONS; i++) {
        CHECK(events[i] == GEX_EVENT_INVALID);
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv, NULL, 0);
    for (int round = 0; round < ROUNDS; round++) {
        wait_for_both((me + 1) % size);
    }
    finish();
    return 0;
}
