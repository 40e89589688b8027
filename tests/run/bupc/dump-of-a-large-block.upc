// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1
// A phase that `shared void *` cannot hold is shown as such: looking at a pointer ends no program.
#include "../../check.h"

shared [1000000] char large[1000000 * THREADS];

int main(void)
{
    char text[BUPC_DUMP_MIN_LENGTH];
    CHECK_EQ(bupc_dump_shared(&large[999999], text, sizeof text), 0);
    CHECK(strstr(text, "thread=0, phase=unknown>") != NULL);
    CHECK_EQ(bupc_dump_shared(&large[7], text, sizeof text), 0);
    CHECK(strstr(text, "thread=0, phase=7>") != NULL);
    return check_done();
}
