// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:2x1 2:2x2
//@ flags: -O2
// Functions that call themselves some thousand times may have loops that go in pieces, or gather.
#include <upc_relaxed.h>
#include "../hosts/expect.h"

enum { DEPTH = 5000, KEYS = 5, N = 100 };

struct node {
    int n;
    shared [] int *keys;
    shared [] struct node *next;
};

static shared [] struct node *shared head;
static shared [] int *shared table;
static shared int index_of[N * THREADS];

static void make(void)
{
    table = (shared [] int *)upc_alloc(N * sizeof(int));
    for (int i = 0; i < N; i++) {
        table[i] = i;
        index_of[i] = i;
    }
    for (int k = 0; k < DEPTH; k++) {
        shared [] struct node *p = (shared [] struct node *)upc_alloc(sizeof(struct node));
        p->n = KEYS;
        p->keys = table;
        p->next = head;
        head = p;
    }
}

static long in_pieces(shared [] struct node *p)
{
    if (!p)
        return 0;
    long sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += p->keys[i];
    long others = in_pieces(p->next);
    return (others * 31 + sum) % 1000003;
}

static long by_index(shared [] int *p, int depth)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += p[index_of[i] % 7];
    if (depth == 0)
        return sum;
    long others = by_index(p, depth - 1);
    return (others * 31 + sum) % 1000003;
}

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        make();
    upc_barrier;
    if (MYTHREAD == 0) {
        long pieces = 0, gathered = 0, sum = 0;
        for (int k = 0; k < DEPTH; k++)
            pieces = (pieces * 31 + KEYS * (KEYS - 1) / 2) % 1000003;
        for (int i = 0; i < N; i++)
            sum += i % 7;
        for (int k = 0; k <= DEPTH; k++)
            gathered = k == 0 ? sum : (gathered * 31 + sum) % 1000003;
        expect("in pieces", in_pieces(head), pieces);
        expect("gathered", by_index(table, DEPTH), gathered);
    }
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
