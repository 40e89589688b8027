// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2 2:2x2 4:4x1
//@ repeat: 3
//@ not-checked: thieves read what its owner may overwrite, and then look whether it has
/* Unbalanced tree search without locks: each thread has a private stack, and a ring of chunks in
 * shared memory from which everybody, the owner included, takes the oldest by compare-and-swap. A
 * thief copies the chunk first; if the swap fails, somebody else had it and the copy is thrown
 * away. The counters of a ring only grow, so a swap cannot succeed for an older state. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "inputs/tree.h"

#ifdef __BERKELEY_UPC__
#define POLL() (bupc_poll(), sched_yield())
#else
#define POLL() sched_yield()
#endif

#define STACK 40000
#define CHUNK 4
#define RING 8
#define SEEDS 3

typedef struct {
    Node nodes[CHUNK];
} Chunk;

static shared [RING] Chunk ring[THREADS][RING];
static shared uint64_t range[THREADS]; /* first << 32 | end */
static shared int64_t working;         /* threads that may hold nodes */
static shared long counted[THREADS];

static upc_atomicdomain_t *of_range, *of_working;
static Node *stack;
static int top;

static uint64_t current(int t)
{
    uint64_t now;
    upc_atomic_strict(of_range, &now, UPC_GET, &range[t], NULL, NULL);
    return now;
}

static int replace(int t, uint64_t old, uint64_t new)
{
    uint64_t was;
    upc_atomic_strict(of_range, &was, UPC_CSWAP, &range[t], &old, &new);
    return was == old;
}

static int has_chunk(uint64_t now)
{
    return (uint32_t)(now >> 32) != (uint32_t)now;
}

static void push(Node n)
{
    if (top == STACK) {
        printf("thread %d: stack overflow\n", MYTHREAD);
        upc_global_exit(1);
    }
    stack[top++] = n;
}

/* Offers the oldest nodes of the private stack, if there is room. */
static void offer(void)
{
    uint64_t now = current(MYTHREAD);
    uint32_t first = now >> 32, end = now;
    if (end - first == RING)
        return;
    upc_memput(&ring[MYTHREAD][end % RING], stack, sizeof(Chunk));
    top -= CHUNK;
    memmove(stack, stack + CHUNK, top * sizeof(Node));
    while (!replace(MYTHREAD, now, (uint64_t)first << 32 | (end + 1))) {
        now = current(MYTHREAD);
        first = now >> 32;
    }
}

static int take(int t)
{
    uint64_t now = current(t);
    while (has_chunk(now)) {
        uint32_t first = now >> 32;
        upc_memget(stack + top, &ring[t][first % RING], sizeof(Chunk));
        if (first % 8 == 3)
            POLL(); /* somebody else may be quicker */
        if (replace(t, now, (uint64_t)(first + 1) << 32 | (uint32_t)now)) {
            top += CHUNK;
            return 1;
        }
        now = current(t);
    }
    return 0;
}

/* A thread counts as working before it takes anything, and until it and its ring are empty: when
 * nobody is, no node is left. */
static int find_work(void)
{
    int64_t n;
    upc_atomic_strict(of_working, NULL, UPC_DEC, &working, NULL, NULL);
    for (;;) {
        for (int i = 1; i < THREADS; i++) {
            int t = (MYTHREAD + i) % THREADS;
            if (!has_chunk(current(t)))
                continue;
            upc_atomic_strict(of_working, NULL, UPC_INC, &working, NULL, NULL);
            if (take(t))
                return 1;
            upc_atomic_strict(of_working, NULL, UPC_DEC, &working, NULL, NULL);
        }
        upc_atomic_strict(of_working, &n, UPC_GET, &working, NULL, NULL);
        if (n == 0)
            return 0;
        POLL();
    }
}

static long search(void)
{
    long nodes = 0;
    do {
        do {
            while (top > 0) {
                Node n = stack[--top];
                nodes++;
                for (int i = 0; i < n.n_children; i++)
                    push(tree_child(&n, i));
                if (top > 2 * CHUNK)
                    offer();
                if (nodes % 64 == 0)
                    POLL();
            }
        } while (take(MYTHREAD));
    } while (find_work());
    return nodes;
}

int main(void)
{
    int failed = 0;
    stack = malloc((STACK + CHUNK) * sizeof *stack);
    of_range = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_GET | UPC_CSWAP, 0);
    of_working = upc_all_atomicdomain_alloc(UPC_INT64, UPC_GET | UPC_INC | UPC_DEC, 0);
    for (int seed = 11; seed < 11 + SEEDS; seed++) {
        if (MYTHREAD == 0) {
            working = THREADS;
            push(tree_root(seed));
        }
        upc_barrier;
        counted[MYTHREAD] = search();
        upc_barrier;
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
    upc_all_atomicdomain_free(of_range);
    upc_all_atomicdomain_free(of_working);
    free(stack);
    if (MYTHREAD == 0 && !failed)
        puts("ok");
    return failed;
}
