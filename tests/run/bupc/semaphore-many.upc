// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2 2:2x2 4:4x1
/* Many producers for one consumer that waits for all of them at once; many consumers that take
 * different amounts of what one produces; and all as both, where the count is a lock. */
#include "../../check.h"

#define ROUNDS 100

static bupc_sem_t *shared gathered, *shared told[THREADS], *shared handed, *shared guard;
static shared long part[THREADS], counter;

static void many_producers(void)
{
    for (long round = 1; round <= ROUNDS; round++) {
        part[MYTHREAD] = round * (MYTHREAD + 1);
        bupc_sem_post(gathered);
        if (MYTHREAD == 0) {
            bupc_sem_waitN(gathered, THREADS);
            for (int t = 0; t < THREADS; t++)
                CHECK_EQ(part[t], round * (t + 1));
            for (int t = 0; t < THREADS; t++)
                bupc_sem_post(told[t]);
        }
        bupc_sem_wait(told[MYTHREAD]);
    }
}

static void many_consumers(void)
{
    if (MYTHREAD == 0) {
        long left = 0;
        for (int t = 1; t < THREADS; t++)
            left += ROUNDS * (t % 3 + 1);
        for (long step = 1; left > 0; step = step % 4 + 1) {
            long n = step < left ? step : left;
            bupc_sem_postN(handed, n);
            left -= n;
        }
    } else {
        for (int i = 0; i < ROUNDS; i++)
            bupc_sem_waitN(handed, MYTHREAD % 3 + 1);
    }
    upc_barrier;
    CHECK(!bupc_sem_try(handed));
}

static void exclude(void)
{
    if (MYTHREAD == 0)
        bupc_sem_post(guard);
    for (int i = 0; i < ROUNDS; i++) {
        bupc_sem_wait(guard);
        counter++;
        bupc_sem_post(guard);
    }
    upc_barrier;
    CHECK_EQ(counter, (long)ROUNDS * THREADS);
}

int main(void)
{
    told[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    if (MYTHREAD == 0) {
        gathered = bupc_sem_alloc(BUPC_SEM_SCONSUMER);
        handed = bupc_sem_alloc(BUPC_SEM_SPRODUCER);
        guard = bupc_sem_alloc(BUPC_SEM_BOOLEAN);
    }
    upc_barrier;
    many_producers();
    many_consumers();
    exclude();
    return check_done();
}
