// SPDX-License-Identifier: BSD-3-Clause
// What nothing in the program names is kept where the linker takes unused sections away: shared
// objects, their initialisers, constructors, and the mark of the runtime's main.
//@ flags: -O1 -ffunction-sections -fdata-sections -Wl,--gc-sections -s
//@ with: unused-sections-2.upc
//@ separate
#include "../../check.h"

extern shared int elsewhere;
shared int here = 5;
static int private = 7;
static int constructed;

__attribute__((constructor)) static void construct(void)
{
    constructed = private + 1;
}

int main(void)
{
    CHECK_EQ(here, 5);
    CHECK_EQ(elsewhere, 6);
    CHECK_EQ(constructed, 8);
    return check_done();
}
