// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:2x2 4:4x1
// A list whose nodes lie on all threads: arrows upon arrows.
#include "../../check.h"

typedef struct node node;
struct node { int value; shared [] node *next; int squares[3]; node *unused_local; };
shared [] node *shared head;
shared [] node *shared part[THREADS];

int main(void)
{
    shared [] node *mine = upc_alloc(sizeof(node));
    mine->value = MYTHREAD;
    mine->squares[0] = 0;
    mine->squares[2] = MYTHREAD * MYTHREAD;
    (*mine).unused_local = NULL;
    part[MYTHREAD] = mine;
    upc_barrier;
    mine->next = MYTHREAD + 1 < THREADS ? part[MYTHREAD + 1] : NULL;
    if (MYTHREAD == 0)
        head = mine;
    upc_barrier;
    int count = 0;
    for (shared [] node *p = head; p; p = p->next, count++) {
        CHECK_EQ(p->value, count);
        CHECK_EQ(upc_threadof(p), count);
        CHECK_EQ(p->squares[2], count * count);
        if (p->next && p->next->next)
            CHECK_EQ(p->next->next->value, count + 2);
    }
    CHECK_EQ(count, THREADS);
    upc_barrier;
    if (mine->next)
        mine->next->squares[0] += 5;
    upc_barrier;
    CHECK_EQ(mine->squares[0], MYTHREAD > 0 ? 5 : 0);
    CHECK_EQ(head->value, 0);
    upc_barrier;
    upc_free(mine);
    return check_done();
}
