// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 5x1
//@ not-checked: thieves look at a stack before they lock it
/* Unbalanced tree search with work stealing: each thread has a stack in its shared memory, whose
 * older end others may steal from under a lock; idle threads are counted to find the end. The
 * number of nodes must be that of a search by one thread. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sched.h>

#define STACK 20000
#define CHUNK 8
#define ROOT_CHILDREN 300

typedef struct {
    uint32_t state;
    int16_t height, n_children;
} Node;

struct stack {
    int shared_top;          /* nodes [steal_from, shared_top) may be stolen; under the lock */
    int steal_from;
    int n_stolen;
    upc_lock_t *lock;
    Node nodes[STACK];
};

shared struct stack stacks[THREADS];
strict shared int idle;
strict shared int finished;
upc_lock_t *idle_lock;
shared long counted[THREADS];
shared int steals[THREADS];

static int top; /* first free place of my stack */

static uint32_t mix(uint32_t s, int i)
{
    s ^= (uint32_t)(i + 1) * 0x9e3779b9u;
    s ^= s >> 16;
    s *= 0x85ebca6bu;
    s ^= s >> 13;
    s *= 0xc2b2ae35u;
    return s ^ s >> 16;
}

static Node make_child(const Node *parent, int i)
{
    Node n;
    n.state = mix(parent->state, i);
    n.height = parent->height + 1;
    /* a critical branching process: mean just below 1 */
    n.n_children = n.state % 1000 < 245 ? 4 : 0;
    return n;
}

static Node make_root(void)
{
    Node n = {42, 0, ROOT_CHILDREN};
    return n;
}

static long search_alone(Node n)
{
    long sum = 1;
    int i;
    for (i = 0; i < n.n_children; i++)
        sum += search_alone(make_child(&n, i));
    return sum;
}

static void push(Node n)
{
    if (top >= STACK) {
        fprintf(stderr, "stack overflow\n");
        upc_global_exit(1);
    }
    stacks[MYTHREAD].nodes[top++] = n;
}

/* offers nodes when there are enough, takes them back when there are none */
static void release(void)
{
    shared struct stack *me = &stacks[MYTHREAD];
    upc_lock(me->lock);
    if (top - me->shared_top > 2 * CHUNK)
        me->shared_top += CHUNK;
    upc_unlock(me->lock);
}

static int reacquire(void)
{
    shared struct stack *me = &stacks[MYTHREAD];
    int got;
    upc_lock(me->lock);
    got = me->shared_top - me->steal_from;
    if (got > 0)
        me->shared_top -= got < CHUNK ? got : CHUNK;
    if (me->shared_top == me->steal_from && got <= 0)
        top = me->shared_top = me->steal_from = 0;
    upc_unlock(me->lock);
    return got > 0;
}

static int steal(void)
{
    static Node loot[STACK];
    int i, n = 0;
    for (i = 1; i < THREADS && !n; i++) {
        int victim = (MYTHREAD + i) % THREADS;
        shared struct stack *s = &stacks[victim];
        if (s->shared_top - s->steal_from <= 0) /* a glance without the lock */
            continue;
        if (!upc_lock_attempt(s->lock))
            continue;
        n = s->shared_top - s->steal_from;
        n = (n + 1) / 2;
        if (n > 0) {
            upc_memget(loot, &s->nodes[s->steal_from], n * sizeof(Node));
            s->steal_from += n;
            s->n_stolen += n;
        }
        upc_unlock(s->lock);
    }
    for (i = 0; i < n; i++)
        push(loot[i]);
    if (n)
        steals[MYTHREAD]++;
    return n > 0;
}

static void change_idle(int by)
{
    upc_lock(idle_lock);
    idle += by;
    if (idle == THREADS)
        finished = 1;
    upc_unlock(idle_lock);
}

/* An idle thread leaves the count before it looks for loot, so that the count cannot reach
 * THREADS while somebody holds work that nobody can see. */
static int find_work(void)
{
    change_idle(1);
    while (!finished) {
        int t, seen = 0;
        for (t = 0; t < THREADS; t++)
            seen |= stacks[t].shared_top - stacks[t].steal_from > 0;
        if (seen) {
            change_idle(-1);
            if (finished)
                return 0;
            if (steal())
                return 1;
            change_idle(1);
        }
        sched_yield();
    }
    return 0;
}

int main()
{
    long nodes = 0, expected;
    int i, t;
    stacks[MYTHREAD].lock = upc_global_lock_alloc();
    idle_lock = upc_all_lock_alloc();
    upc_barrier;
    if (MYTHREAD == 0)
        push(make_root());
    do {
        do {
            while (top > stacks[MYTHREAD].shared_top) {
                Node n = stacks[MYTHREAD].nodes[--top];
                nodes++;
                for (i = 0; i < n.n_children; i++)
                    push(make_child(&n, i));
                if (top - stacks[MYTHREAD].shared_top > 2 * CHUNK)
                    release();
            }
        } while (reacquire());
    } while (THREADS > 1 && find_work());
    counted[MYTHREAD] = nodes;
    upc_barrier;

    if (MYTHREAD == 0) {
        for (nodes = 0, t = 0; t < THREADS; t++)
            nodes += counted[t];
        expected = search_alone(make_root());
        if (nodes != expected) {
            printf("%ld nodes, expected %ld\n", nodes, expected);
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    upc_lock_free(stacks[MYTHREAD].lock);
    return 0;
}
