// SPDX-License-Identifier: BSD-3-Clause
// Private objects with static storage are one for each thread; an address of one of them is not
// a constant, so its initialiser runs when the thread starts.
//@ flags: -network=smp
#include <stdio.h>
#include <upc.h>

int count = 3;
static double table[2] = {1.0, 2.0};
int *where = &count;
extern int elsewhere;

int next(void) {
    static int calls;
    return ++calls + *where + (int)table[1] + elsewhere;
}

void say(void) {
    fprintf(stdout, "%d of %d\n", MYTHREAD, THREADS);
}
