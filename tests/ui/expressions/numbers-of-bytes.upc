// SPDX-License-Identifier: BSD-3-Clause
// Numbers of bytes that are the size of a pointer, or a number of elements.
#include <stdint.h>
#include <upc_nb.h>
#include <upc.h>
#include <upc_collective.h>
#define BLOCK 50
shared [BLOCK] double a[BLOCK * THREADS], b[THREADS][BLOCK];
shared [] double table[100];
shared [4] int four[4 * THREADS];
shared [BLOCK] char bytes[BLOCK * THREADS];
shared [] char *text;
struct node { int n; } node;
shared struct node *next;
shared [] double *shared parts[THREADS];

void pointers(double *mine, shared [] double *all, double *p, shared [] double **lists) {
    upc_memget(mine, all, sizeof(mine)); //~ warning W0432
    upc_memput(all, p, sizeof all); //~ warning W0432
    upc_memset(all, 0, sizeof(all)); //~ warning W0432
    upc_sync(upc_memget_nb(p, table, sizeof p)); //~ warning W0432
    upc_memput_nbi(text, "abc", sizeof text); //~ warning W0432
    upc_memget(&node, next, sizeof next); //~ warning W0432
    upc_memget(&node, next, sizeof *next);
    upc_memget(mine, all, 100 * sizeof *mine);
    upc_memget(&all, &parts[1], sizeof all);
    upc_memput(&parts[1], &all, sizeof(all));
    upc_memput(&parts[1], lists, sizeof lists);
    double own[100];
    upc_memget(own, all, sizeof own);
}

void elements(double *p) {
    upc_all_broadcast(a, table, BLOCK, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); //~ warning W0429
    upc_all_scatter(b, table, BLOCK, 0); //~ warning W0429
    upc_all_gather(table, b, 100, 0); //~ warning W0429
    upc_all_gather_all(a, b, BLOCK * sizeof(double), 0);
    upc_all_broadcast(four, four, 4, 0);
    upc_all_broadcast(bytes, bytes, BLOCK, 0);
    upc_all_broadcast(a, table, 8, 0);
    upc_all_exchange(a, b, BLOCK / 2 * sizeof(double), 0);
    upc_sync(upc_memput_nb(table, p, 100)); //~ warning W0429
    upc_memget(p, a, BLOCK); //~ warning W0429
}

shared [8] int eight[8 * THREADS];
void few(void) { upc_all_broadcast(eight, eight, 8, 0); }
