// SPDX-License-Identifier: BSD-3-Clause
// Accesses in code for several hosts: reads, writes, both at once; bit-fields; strict ones.
//@ flags: -O0
#include <upc_relaxed.h>

struct flags {
    unsigned low : 3;
    int value;
};

int element(shared int *p, int i) {
    return p[i];
}

void set(shared [4] double *p, double x) {
    *p = x;
    p[1] += x;
}

int count(shared [] int *p) {
    return p[2]++;
}

unsigned part(shared struct flags *p) {
    p->low |= 1;
    p->value = 2;
    return p->low;
}

shared [] int *shared list;

int indirect(void) {
    list++;
    return list[1];
}

strict shared int ready;

void publish(shared int *data, int x) {
    *data = x;
    ready = 1;
    ready++;
}

int wait(void) {
    while (!ready)
        ;
    return sizeof(ready) + (upc_threadof(&ready) == 0);
}
