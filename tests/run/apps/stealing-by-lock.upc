// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2
//@ repeat: 3
//@ not-checked: thieves look at a stack before they lock it
/* Unbalanced tree search in the manner of the UTS benchmark: each thread has a stack in shared
 * memory, of which it uses the top as a private array and offers the bottom, in chunks, to thieves
 * who take them under its lock. Threads without work meet at a barrier that new work cancels. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include "inputs/tree.h"

#ifdef __BERKELEY_UPC__
#define POLL() (bupc_poll(), sched_yield())
#else
#define POLL() sched_yield()
#endif

#define STACK 40000
#define CHUNK 5
#define SEEDS 3

typedef struct {
    int available;  /* nodes offered: [start, local); may be looked at without the lock */
    int start;      /* oldest node not stolen */
    int local;      /* [local, top) belongs to the owner */
    int top;
    int n_stolen;
    shared [] Node *nodes;
    Node *mine;     /* the same, for the owner */
    upc_lock_t *lock;
} Stack;

static shared Stack stacks[THREADS];
static Stack *my;

static upc_lock_t *cb_lock;
static strict shared int cb_count, cb_cancel, cb_done;

static shared long counted[THREADS];

static void stack_init(void)
{
    my = (Stack *)&stacks[MYTHREAD];
    my->nodes = (shared [] Node *)upc_alloc(STACK * sizeof(Node));
    my->mine = (Node *)my->nodes;
    my->lock = upc_global_lock_alloc();
}

static void push(Node n)
{
    if (my->top == STACK) {
        printf("thread %d: stack overflow\n", MYTHREAD);
        upc_global_exit(1);
    }
    my->mine[my->top++] = n;
}

static void release(void)
{
    upc_lock(my->lock);
    my->local += CHUNK;
    my->available += CHUNK;
    upc_unlock(my->lock);
}

static int reacquire(void)
{
    upc_lock(my->lock);
    int got = my->available >= CHUNK;
    if (got) {
        my->local -= CHUNK;
        my->available -= CHUNK;
    } else {
        my->start = my->local = my->top = 0;
    }
    upc_unlock(my->lock);
    return got;
}

static int steal_from(int victim)
{
    shared Stack *theirs = &stacks[victim];
    shared [] Node *from = NULL;
    if (theirs->available < CHUNK) /* a glance */
        return 0;
    upc_lock(theirs->lock);
    if (theirs->available >= CHUNK) {
        from = theirs->nodes + theirs->start;
        theirs->start += CHUNK;
        theirs->available -= CHUNK;
        theirs->n_stolen += CHUNK;
        upc_memget(my->mine, from, CHUNK * sizeof(Node));
    }
    upc_unlock(theirs->lock);
    if (!from)
        return 0;
    my->top = CHUNK;
    return 1;
}

static void cancel(void)
{
    cb_cancel = 1;
}

/* Nonzero if all threads are here: there is no work anywhere. */
static int meet(void)
{
    upc_lock(cb_lock);
    if (++cb_count == THREADS)
        cb_done = 1;
    upc_unlock(cb_lock);
    while (!cb_done && !cb_cancel)
        POLL();
    upc_lock(cb_lock);
    int done = cb_done;
    cb_count--;
    cb_cancel = 0;
    upc_unlock(cb_lock);
    return done;
}

static int find_work(void)
{
    for (;;) {
        for (int i = 1; i < THREADS; i++)
            if (steal_from((MYTHREAD + i) % THREADS))
                return 1;
        if (meet())
            return 0;
    }
}

static long search(void)
{
    long nodes = 0;
    do {
        do {
            while (my->top > my->local) {
                Node n = my->mine[--my->top];
                nodes++;
                for (int i = 0; i < n.n_children; i++)
                    push(tree_child(&n, i));
                if (my->top - my->local >= 2 * CHUNK) {
                    release();
                    cancel();
                }
                if (nodes % 64 == 0)
                    POLL();
            }
        } while (reacquire());
    } while (find_work());
    return nodes;
}

int main(void)
{
    int failed = 0;
    cb_lock = upc_all_lock_alloc();
    stack_init();
    for (int seed = 1; seed <= SEEDS; seed++) {
        if (MYTHREAD == 0) {
            cb_done = cb_cancel = 0;
            push(tree_root(seed));
        }
        upc_barrier;
        counted[MYTHREAD] = search();
        upc_barrier seed;
        if (MYTHREAD == 0) {
            long nodes = 0, expected = tree_count(tree_root(seed));
            for (int t = 0; t < THREADS; t++)
                nodes += counted[t];
            if (nodes != expected) {
                printf("seed %d: %ld nodes, not %ld\n", seed, nodes, expected);
                failed = 1;
            }
        }
        upc_barrier;
    }
    upc_free((shared void *)my->nodes);
    upc_lock_free(my->lock);
    upc_all_lock_free(cb_lock);
    if (MYTHREAD == 0 && !failed)
        puts("ok");
    return failed;
}
