// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2
/* Each thread adds to the items that pass it, through bounded buffers between neighbours: what is
 * free is counted by one semaphore, what is full by another. The last gives them back to the first
 * to be checked. One thread produces and one consumes each semaphore, as they are allocated for. */
#include "../../check.h"

#define SLOTS 4
#define ITEMS 300

static struct buffer {
    bupc_sem_t *full, *free;
    long slots[SLOTS];
};
static shared struct buffer of[THREADS];

static void put(int to, int i, long item)
{
    bupc_sem_wait(of[to].free);
    bupc_memput_signal(&of[to].slots[i % SLOTS], &item, sizeof item, of[to].full, 1);
}

static long get(int i)
{
    bupc_sem_wait(of[MYTHREAD].full);
    long item = of[MYTHREAD].slots[i % SLOTS];
    bupc_sem_post(of[MYTHREAD].free);
    return item;
}

int main(void)
{
    of[MYTHREAD].full = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    of[MYTHREAD].free = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    bupc_sem_postN(of[MYTHREAD].free, SLOTS);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < ITEMS; i++) {
        if (MYTHREAD == 0) {
            put(next, i, 1000L * i);
            CHECK_EQ(get(i), 1000L * i + THREADS - 1);
        } else {
            put(next, i, get(i) + 1);
        }
    }
    upc_barrier;
    CHECK_EQ(bupc_sem_tryN(of[next].free, SLOTS), 1);
    CHECK(!bupc_sem_try(of[MYTHREAD].full));
    upc_barrier;
    bupc_sem_free(of[MYTHREAD].full);
    bupc_sem_free(of[MYTHREAD].free);
    return check_done();
}
