// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 2x2 5x1 1x5 7x1 8x1 1x8 2:3x1 2:2x2 3:3x2 3:5x1
/* Operations that are waited for later: several at once, of several teams; with barriers, locks and
 * signals between the begin and the wait, at which a thread that others need must go on. */
#include "../../check.h"
#include <bupc_extensions.h>
#include <upc_collective.h>
#include <upc_relaxed.h>
#include <upcx_pairwise.h>
#include <upcx_team.h>

#define MOST 2000
#define AT_ONCE 6
#define ROUNDS 12

shared [MOST] int src[AT_ONCE][THREADS][MOST], dst[AT_ONCE][THREADS][MOST];
static shared int counted, plain[THREADS], sums[THREADS];
static shared int permutation[THREADS];

static int value(int thread, int i, int k, int round)
{
    return (thread * 101 + i * 3 + k * 17 + round * 7) % 9973;
}

static void fill(int n, int round)
{
    for (int k = 0; k < AT_ONCE; k++)
        for (int i = 0; i < n; i++)
            src[k][MYTHREAD][i] = value(MYTHREAD, i, k, round);
}

/* Operation k of a round: a broadcast, a permutation or a sum. */
static upcx_coll_handle_t begin(upcx_team_t team, int k, int n, int root, upc_flag_t flags)
{
    shared void *to = &dst[k][0][0], *from = &src[k][0][0];
    switch (k % 3) {
    case 0:
        return upcx_team_broadcast_nb(team, to, &src[k][upcx_team_thread(team, root)][0],
                                      n * sizeof(int), flags);
    case 1:
        return upcx_team_permute_nb(team, to, from, permutation, n * sizeof(int), flags);
    default: return upcx_team_reduce_all_nb(team, to, from, n, UPC_INT, UPC_ADD, flags);
    }
}

static int expected(upcx_team_t team, int k, int i, int root, int round)
{
    int size = upcx_team_size(team), sum = 0;
    switch (k % 3) {
    case 0: return value(upcx_team_thread(team, root), i, k, round);
    case 1:
        return value(upcx_team_thread(team, (upcx_team_rank(team) + size - 1) % size), i, k, round);
    default:
        for (int r = 0; r < size; r++)
            sum += value(upcx_team_thread(team, r), i, k, round);
        return sum;
    }
}

static void expect(upcx_team_t team, int k, int n, int root, int round)
{
    for (int i = 0; i < n; i++)
        if (dst[k][MYTHREAD][i] != expected(team, k, i, root, round)) {
            CHECK_EQ(dst[k][MYTHREAD][i], expected(team, k, i, root, round));
            return;
        }
}

static upc_lock_t *lock;

/* Waits of every kind, which depend on other threads that wait too. */
static void wait_for_others(int round)
{
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    switch (round % 5) {
    case 0: upc_barrier; break;
    case 1:
        upcx_signal(next);
        upcx_wait(before);
        break;
    case 2:
        upc_lock(lock);
        counted++;
        upc_unlock(lock);
        upc_barrier;
        break;
    case 3: /* a collective operation of all */
        plain[MYTHREAD] = round;
        upc_all_reduceI(sums, plain, UPC_ADD, THREADS, 1, NULL, 0);
        break;
    default: break;
    }
}

static void test(upcx_team_t team, int round)
{
    static const upc_flag_t modes[] = {0, UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
                                       UPC_IN_MYSYNC | UPC_OUT_ALLSYNC};
    int n = round % 2 ? MOST : 5, root = round % upcx_team_size(team);
    upcx_coll_handle_t handles[AT_ONCE];
    fill(n, round);
    for (int k = 0; k < AT_ONCE; k++)
        handles[k] = begin(team, k, n, root, modes[(round + k) % 3]);
    wait_for_others(round);
    if (round % 4 == 3) { /* in any order */
        for (int left = AT_ONCE; left > 0;)
            for (int k = AT_ONCE - 1; k >= 0; k--)
                if (handles[k] != (upcx_coll_handle_t)-1 && upcx_coll_try(handles[k])) {
                    handles[k] = (upcx_coll_handle_t)-1;
                    expect(team, k, n, root, round);
                    left--;
                } else {
                    sched_yield();
                }
    } else {
        for (int k = AT_ONCE - 1; k >= 0; k--) {
            upcx_coll_wait(handles[k]);
            expect(team, k, n, root, round);
        }
    }
}

/* One thread waits for the operation before it lets the others out of a wait in which they have yet
 * to do their parts. */
static void test_needed(upcx_team_t team, int round)
{
    int one = round % THREADS, n = MOST;
    strict shared int *begun = (strict shared int *)&plain[0];
    fill(n, round);
    begun[MYTHREAD] = 0;
    upc_barrier;
    if (MYTHREAD == one && round % 3 == 1)
        upc_lock(lock);
    begun[MYTHREAD] = 1;
    for (int t = 0; t < THREADS; t++)
        WAIT_UNTIL(begun[t]);
    upcx_coll_handle_t handles[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++)
        handles[k] = begin(team, k, n, 0, 0);
    for (int early = 1; early >= 0; early--) {
        for (int k = 0; early == (MYTHREAD == one) && k < AT_ONCE; k++) {
            upcx_coll_wait(handles[k]);
            expect(team, k, n, 0, round);
        }
        if (!early)
            break;
        switch (round % 3) {
        case 0: upc_barrier; break;
        case 1:
            if (MYTHREAD != one)
                upc_lock(lock);
            upc_unlock(lock);
            break;
        default:
            for (int t = 0; MYTHREAD == one && t < THREADS; t++)
                upcx_signal(t);
            upcx_wait(one);
        }
    }
    upc_barrier;
}

/* A blocking operation of a team comes after what the team has begun. */
static void test_order(upcx_team_t team)
{
    int n = 700, me = MYTHREAD;
    fill(n, 1);
    upcx_coll_handle_t first = begin(team, 2, n, 0, 0);
    upcx_team_reduce_all(team, dst[5], dst[2], n, UPC_INT, UPC_MAX, 0);
    for (int i = 0; i < n; i++)
        CHECK_EQ(dst[5][me][i], dst[2][me][i]);
    upcx_coll_wait(first);
    expect(team, 2, n, 0, 1);
}

/* A barrier of a team, passed only when all have come. */
static void test_barrier(upcx_team_t team)
{
    strict shared int *all = (strict shared int *)&plain[0];
    all[MYTHREAD] = -1;
    upc_barrier;
    all[MYTHREAD] = 7;
    upcx_coll_handle_t met = upcx_team_barrier_nb(team);
    while (!upcx_coll_try(met))
        sched_yield();
    for (int r = 0; r < upcx_team_size(team); r++)
        CHECK_EQ(all[upcx_team_thread(team, r)], 7);
    upc_barrier;
}

int main(void)
{
    lock = upc_all_lock_alloc();
    upcx_team_t odd = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD % 2, -MYTHREAD);
    upcx_team_t teams[] = {UPCX_TEAM_ALL, odd};
    for (int t = 0; t < 2; t++) {
        int size = upcx_team_size(teams[t]);
        permutation[MYTHREAD] = (upcx_team_rank(teams[t]) + 1) % size;
        upc_barrier;
        for (int round = 0; round < ROUNDS; round++)
            test(teams[t], round);
        for (int round = 0; round < ROUNDS; round++)
            test_needed(teams[t], round);
        if (teams[t] != UPCX_TEAM_ALL)
            test_order(teams[t]);
        test_barrier(teams[t]);
        upc_barrier;
    }
    upcx_team_free(odd);
    CHECK_EQ(counted, 2 * 2 * THREADS);
    return check_done();
}
