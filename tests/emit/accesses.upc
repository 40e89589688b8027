// SPDX-License-Identifier: BSD-3-Clause
// One access of each kind of pointer-to-shared: only the blocked one costs more than C.
//@ flags: -network=smp
#include <upc_relaxed.h>

double indefinite(shared [] double *p, int i) {
    return p[i] + *p;
}

double cyclic(shared double *p, int i) {
    return p[i];
}

double blocked(shared [4] double *p) {
    return *p;
}

void compound(shared [] int *p) {
    *p += 2;
    p[1]++;
}

struct point {
    int x, y;
};

int member(shared [] struct point *p) {
    return p->x + (*p).y;
}
