// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 2:2x2 4:4x1
// Allocations of random sizes and lifetimes by all threads at once never overlap.
#include "../../check.h"

enum { SLOTS = 60, STEPS = 3000 };
typedef shared [] unsigned char *space;

static unsigned long state;

static unsigned next_random(void)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33);
}

static void verify(space p, size_t size, int mark)
{
    for (size_t i = 0; i < size; i += 1 + size / 7)
        CHECK_EQ(p[i], mark);
    CHECK_EQ(p[size - 1], mark);
}

int main(void)
{
    space slots[SLOTS] = {0};
    size_t sizes[SLOTS];
    int marks[SLOTS];
    state = MYTHREAD + 1;
    for (int step = 0; step < STEPS; step++) {
        int i = next_random() % SLOTS;
        if (slots[i]) {
            verify(slots[i], sizes[i], marks[i]);
            upc_free(slots[i]);
            slots[i] = 0;
            continue;
        }
        sizes[i] = 1 + next_random() % (step % 50 == 0 ? 300000 : 500);
        marks[i] = next_random() % 256;
        slots[i] = step % 3 ? upc_alloc(sizes[i]) : upc_global_alloc(1, sizes[i]);
        CHECK(slots[i] != NULL);
        upc_memset(slots[i], marks[i], sizes[i]);
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i])
            verify(slots[i], sizes[i], marks[i]);
    return check_done();
}
