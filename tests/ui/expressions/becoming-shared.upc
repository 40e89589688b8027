// SPDX-License-Identifier: BSD-3-Clause
// Private pointers and integers that become pointers-to-shared.
int x, *p, **pp;
shared int *s = &x; //~ error E0407
shared [] char *t = "text"; //~ error E0407

static shared int *f(shared int *q)
{
    if (q)
        return p; //~ error E0407
    return (shared int *)&x; //~ error E0407
}

shared int *allocated(void);

int main(void)
{
    shared void *v = p; //~ error E0407
    s = 4; //~ error E0407
    f(p); //~ error E0407
    f((shared int *)0x1000); //~ error E0407
    s = x ? s : p; //~ error E0404
    struct { int i; shared int *m; } r = {1, p}; //~ error E0407
    r.m = &x; //~ error E0407
    f(&s); //~ error E0407
    s = allocated; //~ error E0407
    return f(0) == 0 && r.i;
}
