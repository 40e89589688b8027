// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 4x1 1x4 2x2 5x1 2:4x1 3:3x1 2:4x2
//@ flags: -O2
//@ limit: 60
// A stack of elements of all threads, by compare-and-exchange of a pointer-to-shared with a
// counter beside it; and a ring that hands out tickets. Each element is taken exactly once.
#include <upc_relaxed.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EACH 50

struct node {
    shared [] struct node *next;
    int value;
};
typedef shared [] struct node *node_pointer;

shared [EACH] struct node nodes[EACH * THREADS];
shared node_pointer top;
shared [EACH] int taken[EACH * THREADS];
shared unsigned ticket;
shared [EACH] unsigned ring[EACH * THREADS];

static void push(node_pointer node)
{
    node_pointer old = __atomic_load_n(&top, __ATOMIC_RELAXED);
    do {
        node->next = old;
    } while (!__atomic_compare_exchange_n(&top, &old, node, 1, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED));
}

/* Nobody pushes any more: a node that is gone does not come back. */
static node_pointer pop(void)
{
    node_pointer old = __atomic_load_n(&top, __ATOMIC_ACQUIRE);
    while (old && !__atomic_compare_exchange_n(&top, &old, old->next, 0, __ATOMIC_ACQ_REL,
                                               __ATOMIC_ACQUIRE)) {
    }
    return old;
}

int main(void)
{
    for (int i = 0; i < EACH; i++) {
        node_pointer node = (node_pointer)&nodes[(MYTHREAD + 1) % THREADS * EACH + i];
        node->value = (MYTHREAD + 1) % THREADS * EACH + i;
        push(node);
    }
    upc_barrier;
    node_pointer node;
    while ((node = pop()) != NULL) {
        if (__sync_fetch_and_add(&taken[node->value], 1) != 0) {
            printf("thread %d: %d is taken twice\n", MYTHREAD, node->value);
            exit(1);
        }
    }
    for (int i = 0; i < EACH; i++) {
        unsigned mine = __sync_fetch_and_add(&ticket, 1);
        if (!__sync_bool_compare_and_swap(&ring[mine], 0, 1 + MYTHREAD)) {
            printf("thread %d: ticket %u twice\n", MYTHREAD, mine);
            exit(1);
        }
    }
    upc_barrier;
    for (int i = 0; i < EACH * THREADS; i++) {
        if (taken[i] != 1 || ring[i] == 0) {
            printf("thread %d: element %d: %d, %u\n", MYTHREAD, i, taken[i], ring[i]);
            exit(1);
        }
    }
    if (MYTHREAD == 0) {
        puts("ok");
    }
    return 0;
}
