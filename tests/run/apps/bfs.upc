// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 7x1
//@ not-checked: all threads write the same value
/* Breadth-first search, level by level, of a graph whose adjacency lists are in the memory of
 * the vertex's owner (vertex v with thread v mod THREADS); found vertices are put into the
 * owner's inbox under its lock. Distances are compared with a private search. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define VERTICES 150 /* of each thread */
#define DEGREE 3
#define N (VERTICES * THREADS)

typedef shared [] int *list_t;
shared list_t adjacency[VERTICES * THREADS];
shared int degree[VERTICES * THREADS];
shared int level[VERTICES * THREADS];

typedef struct {
    upc_lock_t *lock;
    int n[2];
    int vertex[2][VERTICES];
} inbox_t;
shared inbox_t inbox[THREADS];
shared [] int busy[2];

static int neighbour(int v, int k)
{
    return k == 0 ? (v + 1) % N : (int)(((long)v * 7919 + k * 104729L) % N);
}

static void visit(int v, int depth)
{
    shared inbox_t *box = &inbox[upc_threadof(&level[v])];
    upc_lock(box->lock);
    if (level[v] < 0) {
        level[v] = depth;
        box->vertex[depth & 1][box->n[depth & 1]++] = v;
    }
    upc_unlock(box->lock);
}

static int *search_alone(int root)
{
    int *depth = malloc(N * sizeof(int)), *queue = malloc(N * sizeof(int)), head = 0, tail = 0;
    for (int v = 0; v < N; v++)
        depth[v] = -1;
    depth[root] = 0;
    queue[tail++] = root;
    while (head < tail) {
        int v = queue[head++];
        for (int k = 0; k < DEGREE - v % 2; k++) {
            int w = neighbour(v, k);
            if (depth[w] < 0) {
                depth[w] = depth[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(queue);
    return depth;
}

int main(int argc, char **argv)
{
    int v, k, depth, root = N / 2, *expected;
    inbox[MYTHREAD].lock = upc_global_lock_alloc();
    upc_forall (v = 0; v < N; v++; &adjacency[v]) {
        list_t list = upc_alloc(DEGREE * sizeof(int));
        degree[v] = DEGREE - v % 2;
        for (k = 0; k < degree[v]; k++)
            list[k] = neighbour(v, k);
        adjacency[v] = list;
        level[v] = -1;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        visit(root, 0);
    upc_barrier;

    for (depth = 0;; depth++) {
        shared inbox_t *mine = &inbox[MYTHREAD];
        int now = depth & 1, more;
        busy[!now] = 0;
        upc_barrier;
        if (mine->n[now])
            busy[now] = 1;
        upc_barrier;
        more = busy[now];
        if (!more)
            break;
        for (int i = 0; i < mine->n[now]; i++) {
            v = mine->vertex[now][i];
            for (k = 0; k < degree[v]; k++)
                visit(adjacency[v][k], depth + 1);
        }
        mine->n[now] = 0;
        upc_barrier;
    }

    expected = search_alone(root);
    for (v = 0; v < N; v++)
        if (level[v] != expected[v]) {
            printf("vertex %d is at %d, expected %d\n", v, level[v], expected[v]);
            upc_global_exit(1);
        }
    upc_barrier;
    upc_forall (v = 0; v < N; v++; &adjacency[v])
        upc_free(adjacency[v]);
    upc_lock_free(inbox[MYTHREAD].lock);
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
