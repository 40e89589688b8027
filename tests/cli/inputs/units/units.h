// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <string.h>
#include <upc.h>

#define BLOCK 3

typedef struct {
    char name[24];
    double value;
} entry;

extern shared [BLOCK] int table[BLOCK * THREADS]; // table.upc
extern shared entry entries[THREADS];
extern strict shared int turn;
extern int counter; // next.upc: one for each thread
void fill_table(int factor);
int sum_table(void);
int next_number(void);
const char *describe(shared entry *e);
