// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:2x2 4:4x1
// Transfers of structures, of pointers-to-shared, within one array, from string literals.
#include "../../check.h"

typedef struct { int id; double d[3]; } record;
shared [2] record r[4 * THREADS];
shared [] record *shared links[THREADS];
shared [16] char text[16 * THREADS];

int main(void)
{
    record local[2] = {{MYTHREAD, {1, 2, 3}}, {-MYTHREAD, {4, 5, 6}}}, back[2];
    int next = (MYTHREAD + 1) % THREADS;
    upc_memput(&r[2 * next], local, sizeof local);
    upc_barrier;
    upc_memget(back, &r[2 * MYTHREAD], sizeof back);
    int previous = (MYTHREAD + THREADS - 1) % THREADS;
    CHECK(back[0].id == previous && back[1].id == -previous && back[1].d[2] == 6);
    upc_memcpy(&r[2 * MYTHREAD + 1], &r[2 * MYTHREAD], sizeof(record));
    CHECK_EQ(r[2 * MYTHREAD + 1].id, previous);
    shared [] record *link = (shared [] record *)&r[2 * next];
    upc_memput(&links[next], &link, sizeof link);
    upc_memput(&text[16 * MYTHREAD], "a literal", 10);
    upc_barrier;
    CHECK_EQ(upc_threadof(links[MYTHREAD]), MYTHREAD);
    CHECK_EQ(links[MYTHREAD]->id, previous);
    char got[10];
    upc_memget(got, &text[16 * next], 10);
    CHECK(strcmp(got, "a literal") == 0);
    return check_done();
}
