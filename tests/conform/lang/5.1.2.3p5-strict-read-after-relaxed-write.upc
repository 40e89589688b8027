// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p5
//@ mappings: 2x1 1x2
//@ flags: -O2
// A relaxed write comes before a later strict read, whatever stands between them: of two threads
// that each write and then read the other's location, at least one sees the write. The ways from
// the write to the read are those on which a compiler might lose a fence.
#include <upc_relaxed.h>
#include "inputs/litmus.h"

enum { ROUNDS = 20 };
struct triple {
    int value[3];
};
typedef relaxed shared [] int *relaxed_pointer;
typedef strict shared [] int *strict_pointer;

// Thread 0 writes the first half and reads the second, thread 1 the other way round.
shared [LITMUS_SLOTS] int place[LITMUS_SLOTS * THREADS];

static relaxed_pointer mine;
static strict_pointer theirs;
static int *local;
static volatile int always = 1;

static void find(int slot)
{
    mine = (relaxed_pointer)&place[MYTHREAD * LITMUS_SLOTS + slot];
    theirs = (strict_pointer)&place[(1 - MYTHREAD) * LITMUS_SLOTS + slot];
    local = (int *)mine;
}

static void reset(int slot)
{
    place[(1 - MYTHREAD) * LITMUS_SLOTS + slot] = 0;
}

static int forbidden(int read0, int read1)
{
    return read0 == 0 && read1 == 0;
}

static int straight(int slot)
{
    find(slot);
    *mine = 1;
    return *theirs;
}

static int before_a_loop(int slot)
{
    int got = 0;
    find(slot);
    *mine = 1;
    for (int k = 0; k < always; k++)
        got += *theirs;
    return got;
}

static int in_the_turn_before(int slot)
{
    int got = 0;
    find(slot);
    for (int k = 0; k <= always; k++) {
        got = *theirs;
        *mine = 1;
    }
    return got;
}

static int in_a_loop(int slot)
{
    int got = 0;
    find(slot);
    for (int k = 0; k < always; k++) {
        *mine = 1;
        got += *theirs;
    }
    return got;
}

static int in_a_step(int slot)
{
    int got = 0;
    find(slot);
    for (int k = 0; k <= always; *mine = 1, k++)
        got = *theirs;
    return got;
}

static int in_a_for_init(int slot)
{
    int got = 0, k;
    find(slot);
    for (*mine = 1, k = 0; k < always; k++)
        got += *theirs;
    return got;
}

static int in_a_condition(int slot)
{
    int got = 0, k = 0;
    find(slot);
    while (k < always && (*mine = 1)) {
        got = *theirs;
        k++;
    }
    return got;
}

static int through_a_local_pointer(int slot)
{
    find(slot);
    *local = 1;
    return *theirs;
}

static inline void write_one(relaxed_pointer p)
{
    *p = 1;
}

static int in_a_callee(int slot)
{
    find(slot);
    int before = *theirs;
    write_one(mine);
    return *theirs + 0 * before;
}

static int before_a_call(int slot)
{
    find(slot);
    *mine = 1;
    return straight(slot);
}

static int by_memcpy(int slot)
{
    int one = 1;
    find(slot);
    int before = *theirs;
    memcpy(local, &one, sizeof one);
    return *theirs + 0 * before;
}

static int in_one_branch(int slot)
{
    find(slot);
    int before = *theirs;
    if (always)
        *mine = 1;
    else
        upc_fence;
    return *theirs + 0 * before;
}

static int before_a_break(int slot)
{
    find(slot);
    while (1) {
        if (always) {
            *mine = 1;
            break;
        }
        upc_fence;
    }
    return *theirs;
}

static int in_a_case(int slot)
{
    find(slot);
    int before = *theirs;
    switch (always) {
    case 1: *mine = 1; break;
    default: upc_fence;
    }
    return *theirs + 0 * before;
}

static int before_a_goto(int slot)
{
    int got, k = 0;
    find(slot);
again:
    got = *theirs;
    if (k++ < always) {
        *mine = 1;
        goto again;
    }
    return got;
}

static int beside(int slot)
{
    find(slot);
    int before = *theirs;
    return (always && (*mine = 1) && *theirs) + 0 * before;
}

static int in_the_place(int slot)
{
    find(slot);
    int before = *theirs;
    return *(*mine = 1, theirs) + 0 * before;
}

static int before_a_structure(int slot)
{
    find(slot);
    *mine = 1;
    struct triple got = *(strict shared [] struct triple *)theirs;
    return got.value[0];
}

static litmus_step *const steps[] = {
    straight,       before_a_loop,  in_the_turn_before, in_a_loop,
    in_a_step,      in_a_for_init,  in_a_condition,     through_a_local_pointer,
    in_a_callee,    before_a_call,  by_memcpy,          in_one_branch,
    before_a_break, in_a_case,      before_a_goto,      beside,
    in_the_place,   before_a_structure,
};

int main(void)
{
    litmus_spread();
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        int before = check_failures;
        litmus_rounds(ROUNDS, steps[i], steps[i], reset, forbidden);
        if (check_failures != before)
            printf("step %zu: %d of %d\n", i, check_failures - before, ROUNDS * LITMUS_RUNS);
    }
    return check_done();
}
