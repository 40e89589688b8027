// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x5 4x2
// Collective operations on values: every operation, for types of all kinds, one after another
// without a barrier, by threads that arrive at different times.
#include "../../check.h"
#include <bupc_collectivev.h>
#include <bupc_collectivev.h>
#include <stdbool.h>

struct body {
    double x[3];
    char name[200];
    shared int *where;
};
typedef unsigned char byte;
enum colour { RED, GREEN, BLUE };

static shared int place[THREADS];

static struct body body_of(int thread, int round)
{
    struct body b = {{thread, round, thread + round}, "", &place[thread]};
    snprintf(b.name, sizeof b.name, "%d.%d", thread, round);
    return b;
}

static int same(struct body a, struct body b)
{
    return a.x[0] == b.x[0] && a.x[2] == b.x[2] && strcmp(a.name, b.name) == 0 &&
           a.where == b.where;
}

static void arrive_late(int round)
{
    for (int i = (MYTHREAD * 7 + round * 5) % 11; i > 8; i--)
        sched_yield();
}

static void reductions(int round, int root)
{
    long sum = (long)THREADS * (THREADS - 1) / 2;
    int value = MYTHREAD + round;
    double half = MYTHREAD + 0.5;
    int at_root = bupc_allv_reduce(int, value, root, UPC_ADD);
    if (MYTHREAD == root)
        CHECK_EQ(at_root, sum + (long)round * THREADS);
    CHECK_EQ(value, MYTHREAD + round);
    CHECK_EQ(bupc_allv_reduce(int, value, -1, UPC_MAX), THREADS - 1 + round);
    CHECK(bupc_allv_reduce_all(double, half, UPC_ADD) == sum + THREADS * 0.5);
    CHECK(bupc_allv_reduce_all(long double, (long double)half, UPC_MIN) == 0.5L);
    CHECK_EQ(bupc_allv_prefix_reduce(long long, value, UPC_ADD),
             (long)MYTHREAD * (MYTHREAD + 1) / 2 + (long)round * (MYTHREAD + 1));
    arrive_late(round);
    CHECK_EQ(bupc_allv_prefix_reduce(short, (short)-MYTHREAD, UPC_MIN), -MYTHREAD);
    bool mine = MYTHREAD == root;
    CHECK_EQ(bupc_allv_reduce_all(bool, mine, UPC_ADD), 1);
    CHECK_EQ(bupc_allv_reduce_all(bool, mine, UPC_MULT), THREADS == 1);
    CHECK_EQ(bupc_allv_reduce_all(char, (char)-1, UPC_MAX), (char)-1);
    CHECK_EQ(bupc_allv_reduce_all(byte, (byte)200, UPC_MIN), 200);
    CHECK_EQ(bupc_allv_reduce_all(unsigned long long, 1ull << MYTHREAD, UPC_OR),
             (1ll << THREADS) - 1);
    CHECK_EQ(bupc_allv_reduce_all(enum colour, MYTHREAD == root ? BLUE : RED, UPC_MAX), BLUE);
    CHECK(bupc_allv_reduce_all(float, 2.0f, UPC_LOGAND) == (THREADS == 1 ? 2 : 1));
    CHECK_EQ(bupc_allv_reduce_all(unsigned short, 3, UPC_XOR), THREADS % 2 ? 3 : 0);
    // One within another.
    CHECK_EQ(bupc_allv_reduce_all(int, bupc_allv_reduce_all(int, 1, UPC_ADD), UPC_MIN), THREADS);
}

static void movements(int round, int root)
{
    struct body mine = body_of(MYTHREAD, round);
    struct body table[THREADS], all[THREADS];
    CHECK(same(bupc_allv_broadcast(struct body, mine, root), body_of(root, round)));
    shared int *p = bupc_allv_broadcast(shared int *, &place[MYTHREAD], root);
    CHECK_EQ(upc_threadof(p), root);
    arrive_late(round);
    struct body *got = bupc_allv_gather(struct body, mine, root, MYTHREAD == root ? table : NULL);
    for (int t = 0; t < THREADS && MYTHREAD == root; t++)
        CHECK(got == table && same(table[t], body_of(t, round)));
    CHECK(same(bupc_allv_scatter(struct body, root, table), mine));
    int none = MYTHREAD == 0 && THREADS > 1;
    CHECK(bupc_allv_gather_all(struct body, mine, none ? NULL : all) == (none ? NULL : all));
    for (int t = 0; t < THREADS && !none; t++)
        CHECK(same(all[t], body_of(t, round)));
    int numbers[THREADS];
    CHECK_EQ(bupc_allv_gather(int, MYTHREAD, -1, numbers)[THREADS - 1], THREADS - 1);
    CHECK(same(bupc_allv_permute(struct body, mine, (MYTHREAD + root) % THREADS),
               body_of((MYTHREAD + THREADS - root) % THREADS, round)));
}

int main(void)
{
    CHECK(BUPC_COLLECTIVEV_VERSION_MAJOR == 1 && BUPC_COLLECTIVEV_VERSION_MINOR >= 2);
    for (int round = 0; round < 100; round++) {
        reductions(round, round % THREADS);
        movements(round, round % THREADS);
    }
    return check_done();
}
