// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 2x2 5x1 1x5 7x1 8x1 1x8 2:3x1 2:2x2 3:3x2 3:5x1 2:4x2
/* Each operation in all nine modes, in the teams of rows and columns of a grid, in a team of all in
 * the opposite order, and in teams of teams; all of them in turn, with nothing between. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_team.h>

#define MOST 1200 /* ints in a block */
#define TEAMS 5
#define MEMBERS 64 /* at most */
#define ROUNDS 9

/* What one team works on: blocks at each thread, and who the members are, from the test's own
 * reckoning. */
struct work {
    upcx_team_t team;
    int size, rank, thread[MEMBERS];
    shared int *src, *dst; /* thread 0's; each thread has THREADS blocks of each */
    shared int *perm;
};

static struct work works[TEAMS];

static int value(int thread, int block, int i, int round)
{
    return (thread * 31 + block * 7 + i * 3 + round * 1009) % 10007;
}

static int *mine(shared int *array)
{
    return (int *)&array[MYTHREAD];
}

/* A pointer to a rank's part. */
static shared int *at(struct work *w, shared int *array, int rank)
{
    return &array[w->thread[rank]];
}

/* A thread belongs to the team of those for which color is the same; ranks go by key. */
static void expect_team(struct work *w, const int *color, const int *key)
{
    w->size = 0;
    for (int t = 0; t < THREADS; t++) {
        if (color[t] != color[MYTHREAD])
            continue;
        int at = w->size++;
        for (; at > 0 && key[w->thread[at - 1]] > key[t]; at--)
            w->thread[at] = w->thread[at - 1];
        w->thread[at] = t;
    }
    for (int r = 0; r < w->size; r++)
        if (w->thread[r] == MYTHREAD)
            w->rank = r;
    CHECK_EQ(upcx_team_size(w->team), w->size);
    CHECK_EQ(upcx_team_rank(w->team), w->rank);
    for (int r = 0; r < w->size; r++)
        CHECK_EQ(upcx_team_thread(w->team, r), w->thread[r]);
}

/* Splits `from`, of which `outer` is the color and `order` the key. */
static void make(struct work *w, upcx_team_t from, int (*color_of)(int), int (*key_of)(int),
                 int (*outer)(int), int (*order)(int))
{
    int color[THREADS], key[THREADS];
    for (int t = 0; t < THREADS; t++) {
        color[t] = outer(t) * THREADS + color_of(t);
        key[t] = key_of(t) * THREADS + order(t);
    }
    w->team = upcx_team_split(from, color_of(MYTHREAD), key_of(MYTHREAD));
    expect_team(w, color, key);
    w->src = upc_all_alloc(THREADS, THREADS * MOST * sizeof(int));
    w->dst = upc_all_alloc(THREADS, THREADS * MOST * sizeof(int));
    w->perm = upc_all_alloc(THREADS, sizeof(int));
}

static int columns(void)
{
    int c = 1;
    while (c * c < THREADS)
        c++;
    return c;
}

static int zero(int t) { return 0 * t; }
static int itself(int t) { return t; }
static int backwards(int t) { return -t; }
static int row(int t) { return t / columns(); }
static int column(int t) { return t % columns(); }
static int odd(int t) { return t % 2; }

static void fill(struct work *w, int n, int round)
{
    for (int b = 0; b < w->size; b++)
        for (int i = 0; i < n; i++)
            mine(w->src)[b * n + i] = value(MYTHREAD, b, i, round);
    *mine(w->perm) = (w->rank + round) % w->size;
}

static void expect_block(struct work *w, int at, int n, int from, int block, int round)
{
    for (int i = 0; i < n; i++)
        if (mine(w->dst)[at * n + i] != value(w->thread[from], block, i, round)) {
            CHECK_EQ(mine(w->dst)[at * n + i], value(w->thread[from], block, i, round));
            return;
        }
}

static void expect_sums(struct work *w, int n, int round)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int r = 0; r < w->size; r++)
            sum += value(w->thread[r], 0, i, round);
        if (mine(w->dst)[i] != sum) {
            CHECK_EQ(mine(w->dst)[i], sum);
            return;
        }
    }
}

enum operation { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE, REDUCE, REDUCE_ALL,
                 OPERATIONS };

static void call(struct work *w, enum operation operation, int n, int root, upc_flag_t flags)
{
    size_t bytes = n * sizeof(int);
    shared int *src = &w->src[MYTHREAD], *dst = w->dst; /* of any thread */
    shared int *root_src = at(w, w->src, root), *root_dst = at(w, w->dst, root);
    switch (operation) {
    case BROADCAST: upcx_team_broadcast(w->team, dst, root_src, bytes, flags); break;
    case SCATTER: upcx_team_scatter(w->team, dst, root_src, bytes, flags); break;
    case GATHER: upcx_team_gather(w->team, root_dst, src, bytes, flags); break;
    case GATHER_ALL: upcx_team_gather_all(w->team, dst, src, bytes, flags); break;
    case EXCHANGE: upcx_team_exchange(w->team, dst, src, bytes, flags); break;
    case PERMUTE: upcx_team_permute(w->team, dst, src, &w->perm[MYTHREAD], bytes, flags); break;
    case REDUCE: upcx_team_reduce(w->team, root_dst, src, n, UPC_INT, UPC_ADD, flags); break;
    default: upcx_team_reduce_all(w->team, dst, src, n, UPC_INT, UPC_ADD, flags);
    }
}

static void expect(struct work *w, enum operation operation, int n, int root, int round)
{
    int giver = (w->rank + w->size - round % w->size) % w->size;
    switch (operation) {
    case BROADCAST: expect_block(w, 0, n, root, 0, round); break;
    case SCATTER: expect_block(w, 0, n, root, w->rank, round); break;
    case PERMUTE: expect_block(w, 0, n, giver, 0, round); break;
    case GATHER:
        for (int r = 0; w->rank == root && r < w->size; r++)
            expect_block(w, r, n, r, 0, round);
        break;
    case GATHER_ALL:
        for (int r = 0; r < w->size; r++)
            expect_block(w, r, n, r, 0, round);
        break;
    case EXCHANGE:
        for (int r = 0; r < w->size; r++)
            expect_block(w, r, n, r, w->rank, round);
        break;
    case REDUCE:
        if (w->rank == root)
            expect_sums(w, n, round);
        break;
    default: expect_sums(w, n, round);
    }
}

static void test(struct work *w, enum operation operation, int round)
{
    static const int sizes[] = {1, 30, MOST};
    static const upc_flag_t ins[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    static const upc_flag_t outs[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    int n = sizes[(round + operation) % 3], root = (round * 5 + operation) % w->size;
    int in = round % 3, out = round / 3 % 3;
    fill(w, n, round);
    if (in == 2)
        upcx_team_barrier(w->team);
    call(w, operation, n, root, ins[in] | outs[out]);
    if (out == 2)
        upcx_team_barrier(w->team);
    expect(w, operation, n, root, round);
}

int main(void)
{
    make(&works[0], UPCX_TEAM_ALL, row, itself, zero, itself);
    make(&works[1], UPCX_TEAM_ALL, column, backwards, zero, itself);
    make(&works[2], UPCX_TEAM_ALL, zero, backwards, zero, itself);
    make(&works[3], works[0].team, odd, itself, row, itself);
    make(&works[4], works[1].team, zero, zero, column, backwards);
    for (int round = 0; round < ROUNDS; round++)
        for (int o = 0; o < OPERATIONS; o++)
            for (int i = 0; i < TEAMS; i++)
                test(&works[i], (enum operation)o, round);
    for (int i = 0; i < TEAMS; i++)
        upcx_team_free(works[i].team);
    return check_done();
}
