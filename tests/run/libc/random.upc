// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
//@ with: random-in-c.c
// Each thread has the sequences of rand, random and drand48 that a process of its own would have,
// in objects of plain C too.
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

int number_in_c(void);

static int wrong;

static void expect(const char *what, long number, long expected)
{
    if (number != expected) {
        printf("thread %d: %s: %ld, not %ld\n", MYTHREAD, what, number, expected);
        wrong = 1;
    }
}

/* Numbers of all threads alternate. */
static void alternate(struct random_data *own)
{
    for (int i = 0; i < 100; i++) {
        int expected;
        random_r(own, &expected);
        upc_barrier;
        expect("random", i % 3 == 0 ? rand() : i % 3 == 1 ? random() : number_in_c(), expected);
    }
}

static void tables(struct random_data *own)
{
    static char small[32], own_small[32];
    expect("initstate's return", initstate(7, small, sizeof small) != NULL, 1);
    struct random_data other = {0};
    initstate_r(7, own_small, sizeof own_small, &other);
    upc_barrier;
    alternate(&other);
    char *was = setstate(small);
    expect("setstate's return", was == small, 1);
    srandom(99 + MYTHREAD);
    srandom_r(99 + MYTHREAD, &other);
    alternate(&other);
    (void)own;
}

static void reals(void)
{
    struct drand48_data own = {0};
    unsigned short seed[3] = {1, 2, MYTHREAD}, other[3] = {4, 5, 6}, other_own[3] = {4, 5, 6};
    for (int i = 0; i < 60; i++) {
        double expected;
        long number;
        drand48_r(&own, &expected);
        upc_barrier;
        expect("drand48", drand48() == expected, 1);
        lrand48_r(&own, &number);
        upc_barrier;
        expect("lrand48", lrand48(), number);
        mrand48_r(&own, &number);
        upc_barrier;
        expect("mrand48", mrand48(), number);
        nrand48_r(other_own, &own, &number);
        expect("nrand48", nrand48(other), number);
        if (i == 20) {
            srand48(MYTHREAD);
            srand48_r(MYTHREAD, &own);
        } else if (i == 40) {
            seed48(seed);
            seed48_r(seed, &own);
        }
    }
}

int main(void)
{
    static char table[128];
    struct random_data own = {0};
    initstate_r(1, table, sizeof table, &own);
    expect("the first", MYTHREAD % 2 ? rand() : random(), 1804289383);
    int first;
    random_r(&own, &first);
    alternate(&own);
    srand(MYTHREAD);
    srandom_r(MYTHREAD, &own);
    alternate(&own);
    tables(&own);
    reals();
    upc_barrier;
    if (!wrong)
        printf("ok\n");
    return wrong;
}
