// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 8x1 1x8 4x2
/* What a semaphore counts, whatever its flags, seen by one thread; each in turn uses the others'. */
#include "../../check.h"

static bupc_sem_t *shared of[THREADS];

static void serial(bupc_sem_t *s, int boolean)
{
    CHECK(!bupc_sem_try(s));
    bupc_sem_post(s);
    bupc_sem_wait(s);
    CHECK(!bupc_sem_try(s));
    bupc_sem_post(s);
    bupc_sem_post(s);
    CHECK_EQ(bupc_sem_try(s), 1);
    CHECK_EQ(bupc_sem_try(s), !boolean);
    CHECK(!bupc_sem_try(s));
    bupc_sem_postN(s, 0);
    bupc_sem_waitN(s, 0);
    CHECK_EQ(bupc_sem_tryN(s, 0), 1);
    if (boolean)
        return;
    bupc_sem_postN(s, 5);
    bupc_sem_waitN(s, 2);
    CHECK(!bupc_sem_tryN(s, 4));
    CHECK_EQ(bupc_sem_tryN(s, 3), 1);
    CHECK(!bupc_sem_try(s));
    bupc_sem_postN(s, BUPC_SEM_MAXVALUE);
    CHECK_EQ(bupc_sem_tryN(s, BUPC_SEM_MAXVALUE), 1);
    CHECK(!bupc_sem_try(s));
}

int main(void)
{
    static const int kinds[] = {0, BUPC_SEM_INTEGER, BUPC_SEM_BOOLEAN};
    static const int producers[] = {0, BUPC_SEM_MPRODUCER, BUPC_SEM_SPRODUCER};
    static const int consumers[] = {0, BUPC_SEM_MCONSUMER, BUPC_SEM_SCONSUMER};
    for (int i = 0; i < 27; i++) {
        bupc_sem_t *s = bupc_sem_alloc(kinds[i / 9] | producers[i / 3 % 3] | consumers[i % 3]);
        CHECK_EQ(upc_threadof(s), MYTHREAD);
        serial(s, kinds[i / 9] == BUPC_SEM_BOOLEAN);
        bupc_sem_free(s);
    }
    bupc_sem_free(NULL);

    of[MYTHREAD] = bupc_sem_alloc(0);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        serial(of[(MYTHREAD + t) % THREADS], 0);
        upc_barrier;
    }
    bupc_sem_free(of[(MYTHREAD + 1) % THREADS]);
    return check_done();
}
