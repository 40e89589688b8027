// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// What a header defines is each thread's, whether UPC stands in the header or not: statics, those
// of its functions, and what a second file compiled by upcc defines for the header's declarations.
//@ with: headers-2.c
#include "inputs/generator.h"
#include "inputs/plain-state.h"
#include "inputs/upc-state.uph"
#include "../../check.h"

int main(void)
{
    generator_seed(1000 * MYTHREAD);
    for (int i = 0; i < 10; i++) {
        generator_next();
        upc_barrier;
    }
    CHECK_EQ(generator_next(), 1000 * MYTHREAD + 11);
    CHECK_EQ(generator_calls(), 1);
    CHECK_EQ(generator_calls(), 2);
    CHECK_EQ(plain_register(), 1);
    upc_state += MYTHREAD;
    plain_count += MYTHREAD;
    upc_barrier;
    CHECK_EQ(plain_count, 1 + MYTHREAD);
    CHECK_EQ(plain_count, plain_read());
    CHECK(plain_address == &plain_count);
    CHECK_EQ(upc_state, 50 + MYTHREAD);
    return check_done();
}
