// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x3 2x2 2:2x2
// Large statics, aligned ones, and ones whose address is taken in odd ways.
#include "../../check.h"
#include <stdint.h>

static char megabytes[8 << 20];
static int aligned __attribute__((aligned(128)));
static _Alignas(64) struct { char c; } line[3];
typedef int apart __attribute__((aligned(256)));
shared char odd_before;
shared apart alone;
shared char odd_between;
shared int aligned_shared __attribute__((__aligned__(128)));
static int table[100][100];
static int (*row)[100] = table + 50;
static int *middle = &table[50][50];
static uintptr_t unused_but_legal = sizeof(megabytes);

int main(void)
{
    megabytes[sizeof megabytes - 1] = (char)MYTHREAD;
    megabytes[4 << 20] = (char)(MYTHREAD + 1);
    table[50][50] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(megabytes[sizeof megabytes - 1] + megabytes[4 << 20], 2 * MYTHREAD + 1);
    CHECK_EQ((uintptr_t)&aligned % 128, 0);
    CHECK_EQ((uintptr_t)line % 64, 0);
    CHECK_EQ(upc_addrfield(&alone) % 256, 0);
    CHECK_EQ(upc_addrfield(&aligned_shared) % 128, 0);
    CHECK_EQ((*row)[50], MYTHREAD);
    CHECK_EQ(*middle, MYTHREAD);
    CHECK_EQ(row - table, 50);
    CHECK_EQ(unused_but_legal, 8 << 20);
    return check_done();
}
