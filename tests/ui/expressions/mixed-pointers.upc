// SPDX-License-Identifier: BSD-3-Clause
// A pointer-to-shared and a pointer-to-local in one operator.
shared int *s;
shared void *v;
int *p, x;

int main(void)
{
    s == p; //~ error E0404
    p != s; //~ error E0404
    s < &x; //~ error E0404
    p - s; //~ error E0404
    v == (void *)p; //~ error E0404
    while (s > p) //~ error E0404
        ;
    return s == 0 && v != 0;
}
