// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared that become private pointers without a cast.
#include <string.h>
shared int a[THREADS];
shared int *s = a;
int *p = a; //~ error E0408

static int *f(int *q)
{
    if (q)
        return s; //~ error E0408
    return (int *)s;
}

int main(void)
{
    void *v = s; //~ error E0408
    p = &a[0]; //~ error E0408
    f(s); //~ error E0408
    memcpy(p, a, 4); //~ error E0408
    int *list[2] = {p, s}; //~ error E0408
    return *list[0];
}
