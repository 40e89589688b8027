// SPDX-License-Identifier: BSD-3-Clause
// Compound literals with shared values, and as what is stored.
#include "../../check.h"

struct pair { int l, r; };
shared struct pair p[2 * THREADS];
shared int a[THREADS];

static int total(const struct pair *q)
{
    return q->l + q->r;
}

int main(void)
{
    int me = MYTHREAD;
    a[me] = me + 1;
    p[me] = (struct pair){a[me], .r = 2 * a[me]};
    CHECK_EQ(total(&(struct pair){p[me].r, a[me]}), 3 * (me + 1));
    CHECK_EQ(((int[]){a[me], 5, a[me]}[2]), me + 1);
    p[me + THREADS] = (struct pair){.l = p[me].l++};
    CHECK_EQ(p[me].l * 100 + p[me + THREADS].l, 100 * (me + 2) + me + 1);
    struct pair *q = (struct pair[]){p[me], p[me + THREADS]};
    CHECK_EQ(q[0].l - q[1].l, 1);
    return check_done();
}
