// SPDX-License-Identifier: BSD-3-Clause
// For gdb.toml, which knows the line numbers of what follows.
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

struct node {
    int value;
    shared struct node *next;
    shared [4] double *row;
};
typedef struct { int x, y; } point;

shared int counter = 41;
shared [4] double blocked[12*THREADS];
shared int table[THREADS][3];
shared point points[2*THREADS];
shared struct node nodes[THREADS];
shared [] char text[8] = "shared";
shared [300000] char wide[300000*THREADS];
int private_value = 7;

__attribute__((noinline)) void show(shared [4] double *row, shared [] char *letters,
                                    shared [300000] char *far, shared void *any) {
    static shared int calls;
    if (MYTHREAD == 0) calls++;
    upc_barrier;
    if (MYTHREAD == 1) printf("%d %d\n", (int)*far + (int)*row, (int)upc_threadof(any));
}

int main(int argc, char **argv) {
    nodes[MYTHREAD].value = 10 * MYTHREAD;
    nodes[MYTHREAD].next = &nodes[(MYTHREAD + 1) % THREADS];
    nodes[MYTHREAD].row = &blocked[6];
    points[MYTHREAD].y = 100 + MYTHREAD;
    table[MYTHREAD][2] = MYTHREAD;
    upc_barrier;
    int i;
    upc_forall (i = 0; i < 12*THREADS; i++; &blocked[i]) {
        blocked[i] = i;
    }
    if (argc > 1 && MYTHREAD == 1) *(volatile int *)argv[7] = 0;
    upc_barrier;
    if (MYTHREAD == 0) counter++;
    show(&blocked[6], &text[2], &wide[300002], &points[1]);
    upc_barrier;
    return 0;
}
