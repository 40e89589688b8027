/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes a loop's writes are. That they arrive in order is comm_test's. */
#include "comm/inside.h"

#include "comm/world_for_test.h"

static void register_handlers(void) {
}

/* Neighbours, one by one: their records are few, and little beside what they write. */
static bool writes_upwards(unsigned me, void *context) {
    enum { WRITES = 3000 };
    (void)context;
    if (me > 0) {
        return true;
    }
    fl_comm_count_alone();
    for (uint64_t i = 0; i < WRITES; i++) {
        fl_comm_put_relaxed(fl_space_address(&space, 1, 8 * i), &i, sizeof i);
    }
    fl_comm_quiet();
    if (pipes_sent > WRITES * 8 / 10 * 11) {
        printf("# %llu bytes\n", (unsigned long long)pipes_sent);
        return false;
    }
    for (uint64_t i = 0; i < WRITES; i++) {
        uint64_t is;
        fl_comm_get(&is, fl_space_address(&space, 1, 8 * i), sizeof is);
        if (is != i) {
            return false;
        }
    }
    return true;
}

int main(void) {
    run("writes upwards travel as few records", new_world(2, 1, 1, writes_upwards));
    return test_done();
}
