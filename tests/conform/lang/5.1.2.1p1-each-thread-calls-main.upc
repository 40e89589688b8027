// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.1p1
//@ mappings: 1x1 5x1 1x5 2x2
// Every thread calls main once, with the program's arguments of its own.
//@ args: alpha beta
#include "../../check.h"

shared int calls[THREADS];

int main(int argc, char **argv)
{
    calls[MYTHREAD]++;
    CHECK_EQ(argc, 3);
    CHECK(strcmp(argv[1], "alpha") == 0);
    CHECK(strcmp(argv[2], "beta") == 0);
    CHECK(argv[3] == NULL);
    argv[1][0] = 'A' + MYTHREAD;
    upc_barrier;
    CHECK_EQ(argv[1][0], 'A' + MYTHREAD);
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(calls[t], 1);
    return check_done();
}
