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
    // Braces before the first semicolon.
    struct cursor { int at, step; };
    begin_loop();
    upc_forall(struct cursor c = { 2, 3 }; c.at < 50; c.at += c.step; c.at) perform(c.at);
    end_loop(2, 50, 3, cyclic);
    begin_loop();
    upc_forall(int part[2] = { [1] = 4 }, *p = &part[1]; *p < 40; ++*p; *p) perform(*p);
    end_loop(4, 40, 1, cyclic);
    begin_loop();
    upc_forall(i = ({ int from = 1; from + 6; }); i < (struct cursor){ 30, 1 }.at; i++; i) perform(i);
    end_loop(7, 30, 1, cyclic);
    return check_done();
}
