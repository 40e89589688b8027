// SPDX-License-Identifier: BSD-3-Clause
// Members that shared structures and unions do not have.
struct unknown;
shared struct {
    int x;
    struct {
        int y;
    };
} point = {.z = 1}, good = {.y = 2}; //~ error E0418
shared union {
    int i;
} *p;

int f(void)
{
    return point.y + point.w; //~ error E0418
}

int g(void)
{
    return p->i + p->j; //~ error E0418
}

shared [3] struct pair {
    int a, b;
} *q;

int h(void)
{
    point->x = 1;     //~ error E0418
    (*q)->a = 2;      //~ error E0418
    return p.i + q.a; //~ error E0418
    //~^ error E0418
}
