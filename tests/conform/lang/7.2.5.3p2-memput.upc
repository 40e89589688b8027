// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.5.3p2
// upc_memput copies private memory to one thread's memory and touches nothing beside.
#include "../../check.h"

enum { N = 64 };
shared [N] char data[N * THREADS];
typedef struct { int id; char name[12]; } record;
shared record records[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, previous = (MYTHREAD + THREADS - 1) % THREADS;
    char text[] = "hello from 0";
    text[11] = '0' + MYTHREAD;
    upc_memset(&data[N * next], '.', N);
    upc_memput(&data[N * next + 5], text, 12);
    record mine = {MYTHREAD, "record"};
    upc_memput(&records[next], &mine, sizeof mine);
    upc_barrier;
    CHECK_EQ(data[N * MYTHREAD + 4], '.');
    CHECK_EQ(data[N * MYTHREAD + 5], 'h');
    CHECK_EQ(data[N * MYTHREAD + 16], '0' + previous);
    CHECK_EQ(data[N * MYTHREAD + 17], '.');
    CHECK_EQ(records[MYTHREAD].id, previous);
    CHECK_EQ(records[MYTHREAD].name[5], 'd');
    return check_done();
}
