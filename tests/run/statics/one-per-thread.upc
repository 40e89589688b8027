// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// File-scope and static variables of every kind are one per thread in every mapping.
#include "../../check.h"

int uninitialised;
int initialised = 5;
static long file_static = -3;
char text[] = "thread";
double array[4] = {1, 2};
struct { int a; struct { char c; float f; } in; } record = {1, {'c', 2.5f}};
const char *const constant = "constant";
extern int later;
static int tentative;
static int tentative;
int later = 40;

static int counter(void)
{
    static int calls = 10;
    return ++calls;
}

int main(void)
{
    CHECK_EQ(uninitialised + initialised + file_static + later + tentative, 42);
    upc_barrier;
    uninitialised = MYTHREAD;
    initialised += MYTHREAD;
    file_static *= MYTHREAD + 1;
    text[0] = 'A' + MYTHREAD;
    array[3] = MYTHREAD;
    record.in.c = 'a' + MYTHREAD;
    later -= MYTHREAD;
    tentative = 2 * MYTHREAD;
    for (int i = 0; i <= MYTHREAD; i++)
        counter();
    upc_barrier;
    CHECK_EQ(uninitialised, MYTHREAD);
    CHECK_EQ(initialised, 5 + MYTHREAD);
    CHECK_EQ(file_static, -3 * (MYTHREAD + 1));
    CHECK_EQ(text[0], 'A' + MYTHREAD);
    CHECK(array[1] == 2 && array[3] == MYTHREAD);
    CHECK_EQ(record.in.c, 'a' + MYTHREAD);
    CHECK(record.in.f == 2.5f);
    CHECK_EQ(later, 40 - MYTHREAD);
    CHECK_EQ(tentative, 2 * MYTHREAD);
    CHECK_EQ(counter(), 12 + MYTHREAD);
    CHECK(strcmp(constant, "constant") == 0);
    return check_done();
}
