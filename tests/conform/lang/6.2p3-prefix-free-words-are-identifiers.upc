// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.2p3
// Only the keywords of 6.2 are reserved: older spellings and other upper/lower case are names.
#include "../../check.h"

static int barrier = 1, notify = 2, wait_ = 3, fence = 4, forall = 5;
static int Shared = 6, threads = 7, mythread = 8, RELAXED = 9, upc_Barrier = 10;

struct wait { int blocksizeof, localsizeof, elemsizeof; };

int main(void)
{
    struct wait w = {1, 2, 3};
    CHECK_EQ(barrier + notify + wait_ + fence + forall, 15);
    CHECK_EQ(Shared + threads + mythread + RELAXED + upc_Barrier, 40);
    CHECK_EQ(w.blocksizeof + w.localsizeof + w.elemsizeof, 6);
    return check_done();
}
