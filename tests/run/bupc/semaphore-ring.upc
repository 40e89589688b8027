// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2
/* A token goes round, by plain semaphores and by boolean ones; then signalling puts of all sizes, blocking or not,
 * whose bytes the receiver must see, and tell that it has, before the next. */
#include "../../check.h"

#define LAPS 50
#define LARGEST 5000

static bupc_sem_t *shared full[THREADS], *shared empty[THREADS];
static shared long token;
static shared [LARGEST] unsigned char inbox[THREADS][LARGEST];

static void circulate(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    bupc_sem_t *mine = full[MYTHREAD], *theirs = full[next];
    for (int lap = 0; lap < LAPS; lap++) {
        if (MYTHREAD > 0 || lap > 0)
            bupc_sem_wait(mine);
        CHECK_EQ(token, (long)lap * THREADS + MYTHREAD);
        token++;
        bupc_sem_post(theirs);
    }
    if (MYTHREAD == 0) {
        bupc_sem_wait(mine);
        CHECK_EQ(token, (long)LAPS * THREADS);
        token = 0;
    }
}

static void send_and_receive(void)
{
    static const int sizes[] = {0, 1, 8, 63, 64, 65, 1000, LARGEST};
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    unsigned char block[LARGEST];
    for (int i = 0; i < LAPS; i++) {
        int size = sizes[i % 8];
        memset(block, MYTHREAD + i, size);
        if (i % 2)
            bupc_memput_signal(inbox[next], block, size, full[next], 1);
        else
            bupc_waitsync(bupc_memput_signal_async(inbox[next], block, size, full[next], 1));
        memset(block, 255, size); /* is ours again */
        bupc_sem_wait(full[MYTHREAD]);
        for (int k = 0; k < size; k++) {
            if (inbox[MYTHREAD][k] != (unsigned char)(before + i)) {
                CHECK_EQ(inbox[MYTHREAD][k], (unsigned char)(before + i));
                break;
            }
        }
        bupc_sem_post(empty[before]);
        bupc_sem_wait(empty[MYTHREAD]);
    }
}

int main(void)
{
    static const int flags[] = {0, BUPC_SEM_BOOLEAN, BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER,
                                BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER};
    for (int i = 0; i < 4; i++) {
        full[MYTHREAD] = bupc_sem_alloc(flags[i]);
        empty[MYTHREAD] = bupc_sem_alloc(flags[i]);
        upc_barrier;
        circulate();
        upc_barrier; /* or a boolean semaphore could be posted to before it was taken */
        send_and_receive();
        upc_barrier;
        bupc_sem_free(full[MYTHREAD]);
        bupc_sem_free(empty[MYTHREAD]);
    }
    return check_done();
}
