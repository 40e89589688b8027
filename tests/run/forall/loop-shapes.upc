// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 5x1
// Conditions and steps of every shape, with integer affinity.
#include "inputs/check_loop.h"

static int cyclic(int i)
{
    return i % THREADS;
}

int main(void)
{
    int i;
    begin_loop();
    upc_forall(i = 3; i <= 90; i++; i) perform(i);
    end_loop(3, 91, 1, cyclic);
    begin_loop();
    upc_forall(i = 100; i > 4; i--; i) perform(i);
    end_loop(5, 101, 1, cyclic);
    begin_loop();
    upc_forall(i = 100; i-- > 4;; i) perform(i);
    end_loop(4, 100, 1, cyclic);
    begin_loop();
    upc_forall(i = 0; i != 99; i += 3; i) perform(i);
    end_loop(0, 99, 3, cyclic);
    begin_loop();
    upc_forall(i = 250; i >= 0; i -= 5; i) perform(i);
    end_loop(0, 251, 5, cyclic);
    begin_loop();
    upc_forall(i = 1; i < 250; i = i + 7; i) perform(i);
    end_loop(1, 250, 7, cyclic);
    begin_loop();
    upc_forall(i = 0; i < 0; i++; i) perform(i);
    upc_forall(i = 5; i < 5; i++; i) perform(i);
    upc_forall(i = 5; i < -5; i++; i) perform(i);
    end_loop(0, 0, 1, cyclic);
    begin_loop();
    upc_forall(i = 0; 17 > i; ++i; i) perform(i);
    end_loop(0, 17, 1, cyclic);
    CHECK_EQ(i, 17);
    return check_done();
}
