// SPDX-License-Identifier: BSD-3-Clause
// Reads of several statements under way at the same time, and those that have to wait.
//@ flags: -O2
#include <upc_relaxed.h>

struct node {
    shared [] struct node *next;
    double value;
};

shared int flag;
strict shared int ready;

double both(shared double *p, shared [] struct node *q, int i) {
    double a = p[i], b;
    int n = 2;
    b = 2 * q->value - flag;
    a += b * n;
    return a;
}

double list(shared [] struct node *p) {
    double s = 0;
    while (p) {
        s += p->value;
        p = p->next;
    }
    return s;
}

double dependent(shared double *p, shared int *q) {
    int i = *q;
    double x = p[i];
    flag = i;
    double y = p[1];
    i = ready;
    double z = p[2];
    return x + y + z;
}

/* Read once; but not what an effect or another condition stands before. */
int twice(shared int *p, shared [] struct node *q, int i) {
    if (p[i] && p[i] != 7) {
        return p[i] * p[i];
    }
    return p[i++] && p[i] && (q && q->value > 0);
}
