// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 5x1
/* A sorted doubly linked list in shared space, changed by all threads with hand-over-hand
 * locking; nodes come from the threads' own memory and are freed by others. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

typedef struct node_s node_t;
typedef shared node_t *node_p;
struct node_s {
    int key;
    node_p next, prev;
    upc_lock_t *lock;
};

#define PER_THREAD 40

shared node_p head; /* a sentinel with key -1 */
shared int removed[THREADS];

static node_p make(int key)
{
    node_p n = (node_p)upc_alloc(sizeof(node_t));
    n->key = key;
    n->next = n->prev = NULL;
    n->lock = upc_global_lock_alloc();
    return n;
}

/* returns the last node with a smaller key, locked, and its successor, locked, or null */
static node_p locate(int key, node_p *next)
{
    node_p at = head, after;
    upc_lock(at->lock);
    while ((after = at->next) != NULL) {
        upc_lock(after->lock);
        if (after->key >= key)
            break;
        upc_unlock(at->lock);
        at = after;
    }
    *next = after;
    return at;
}

static void insert(int key)
{
    node_p next, at, fresh = make(key);
    at = locate(key, &next);
    fresh->next = next;
    fresh->prev = at;
    at->next = fresh;
    if (next) {
        next->prev = fresh;
        upc_unlock(next->lock);
    }
    upc_unlock(at->lock);
}

static int take_out(int key)
{
    node_p next, at = locate(key, &next);
    int found = next != NULL && next->key == key;
    if (found) {
        node_p after = next->next;
        if (after) {
            upc_lock(after->lock);
            after->prev = at;
            upc_unlock(after->lock);
        }
        at->next = after;
    }
    if (next)
        upc_unlock(next->lock);
    upc_unlock(at->lock);
    if (found) {
        upc_lock_free(next->lock);
        upc_free(next);
    }
    return found;
}

int main(void)
{
    int i;
    if (MYTHREAD == 0)
        head = make(-1);
    upc_barrier;
    /* keys of all threads are interleaved */
    for (i = PER_THREAD; i-- > 0;)
        insert(i * THREADS + MYTHREAD);
    upc_barrier;
    /* every thread removes a third of its neighbour's keys */
    for (i = 0; i < PER_THREAD; i += 3)
        removed[MYTHREAD] += take_out(i * THREADS + (MYTHREAD + 1) % THREADS);
    removed[MYTHREAD] += take_out(PER_THREAD * THREADS + 5);
    upc_barrier;

    if (MYTHREAD == 0) {
        int expected = 0, n = 0, out = 0;
        node_p at, before = head;
        for (at = head->next; at; before = at, at = at->next, n++) {
            while (expected / THREADS % 3 == 0)
                expected++;
            if (at->key != expected || at->prev != before) {
                printf("key %d, expected %d\n", at->key, expected);
                upc_global_exit(1);
            }
            expected++;
        }
        for (i = 0; i < THREADS; i++)
            out += removed[i];
        if (n + out != PER_THREAD * THREADS || out != (PER_THREAD + 2) / 3 * THREADS) {
            printf("%d left, %d removed\n", n, out);
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    return 0;
}
