// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2 3x1 2x2 1x5
/* A bounded queue between neighbours, ordered only by strict accesses: relaxed data, then a
 * strict counter. Thread i sends to thread i + 1; the last one checks the sums. */
#include <upc.h>
#include <stdio.h>
#include <sched.h>

#define SLOTS 8
#define ITEMS 400

typedef struct { int number; double payload[3]; } item_t;
shared [SLOTS] item_t slots[THREADS * SLOTS];
strict shared unsigned produced[THREADS], consumed[THREADS];

static void put(int to, const item_t *item)
{
    unsigned n = produced[to];
    while (n - consumed[to] == SLOTS)
        sched_yield();
    slots[to * SLOTS + n % SLOTS] = *item;
    produced[to] = n + 1;
}

static item_t get(void)
{
    item_t item;
    unsigned n = consumed[MYTHREAD];
    while (produced[MYTHREAD] == n)
        sched_yield();
    item = slots[MYTHREAD * SLOTS + n % SLOTS];
    consumed[MYTHREAD]++;
    return item;
}

int main(void)
{
    item_t item;
    int i;
    double sum = 0;
    for (i = 0; i < ITEMS; i++) {
        if (MYTHREAD == 0) {
            item.number = i;
            item.payload[0] = item.payload[1] = item.payload[2] = i;
        } else {
            item = get();
            if (item.number != i || item.payload[0] != item.payload[2] ||
                item.payload[1] != i + MYTHREAD - 1) {
                printf("thread %d: item %d is %d with %g\n", MYTHREAD, i, item.number,
                       item.payload[1]);
                upc_global_exit(1);
            }
            for (int k = 0; k < 3; k++)
                item.payload[k] += 1;
        }
        if (MYTHREAD < THREADS - 1)
            put(MYTHREAD + 1, &item);
        sum += item.payload[1];
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        double expected = ITEMS * (ITEMS - 1) / 2.0 + (double)ITEMS * (THREADS - 1);
        if (sum != expected) {
            printf("sum %g, expected %g\n", sum, expected);
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    return 0;
}
