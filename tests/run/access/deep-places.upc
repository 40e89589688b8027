// SPDX-License-Identifier: BSD-3-Clause
// Long chains of members, subscripts and arrows, shared and private in turn.
#include "../../check.h"

struct leaf { int v[3]; };
struct branch { struct leaf leaves[2]; shared struct leaf *far; struct leaf *near; };
struct tree { struct branch b[2]; shared [2] struct branch *others; struct tree *self; };
shared [2] struct branch pool[4 * THREADS];
shared struct leaf far_leaf[THREADS];

int main(void)
{
    struct leaf near_leaf = {{1, 2, 3}};
    struct tree t = {.others = &pool[4 * MYTHREAD]}, *p = &t;
    t.self = &t;
    p->self->b[1].far = &far_leaf[MYTHREAD];
    p->self->self->b[1].near = &near_leaf;
    p->b[1].far->v[2] = 5;
    p->b[1].near->v[2]++;
    p->others[1].leaves[1].v[0] = 7;
    p->others[1].far = p->b[1].far;
    p->others[1].far->v[2] *= 2;
    (*p->others[1].far).v[1] = p->others[1].leaves[p->others[1].leaves[1].v[0] - 6].v[0] + 1;
    p->self->others++->leaves[0].v[2] = 11;
    CHECK_EQ(far_leaf[MYTHREAD].v[2] * 100 + far_leaf[MYTHREAD].v[1], 1008);
    CHECK_EQ(near_leaf.v[2], 4);
    CHECK_EQ(pool[4 * MYTHREAD + 1].leaves[1].v[0], 7);
    CHECK_EQ(pool[4 * MYTHREAD].leaves[0].v[2], 11);
    CHECK_EQ(t.others - pool, 4 * MYTHREAD + 1);
    CHECK_EQ((&t.others->leaves[1])->v[0], 7);
    CHECK_EQ((&pool[4 * MYTHREAD + 1])->leaves->v[0] + *(p->others->leaves + 1)->v, 7);
    struct leaf copy = *p->others->far;
    CHECK_EQ(copy.v[2], 10);
    return check_done();
}
