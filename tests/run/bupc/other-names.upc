// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:4x1
// BUPC_USE_UPC_NAMESPACE gives Berkeley's extensions names without the b, beside those of UPC 1.3.
#define BUPC_USE_UPC_NAMESPACE 1
#include "../../check.h"
#include <string.h>
#include <upc.h>
#include <upc_castable.h>
#include <upc_nb.h>
#include <upc_tick.h>

shared [8] char rows[8 * THREADS];

int main(void)
{
    char text[UPC_DUMP_MIN_LENGTH], row[8] = "1234567", got[8];
    int next = (MYTHREAD + 1) % THREADS;
    upc_tick_t begin = upc_ticks_now();
    CHECK(upc_ticks_to_us(upc_ticks_now() - begin) < 100000000);
    CHECK(upc_tick_granularityus() > 0);
    upc_handle_t handle = upc_memput_async(&rows[8 * next], row, 8);
    upc_waitsync(handle);
    upc_barrier;
    upc_memget_asynci(got, &rows[8 * next], 8);
    upc_waitsynci();
    CHECK_EQ(strcmp(got, row), 0);
    upc_sync(upc_memget_nb(got, &rows[8 * MYTHREAD], 8));
    CHECK_EQ(upc_dump_shared(&rows[0], text, sizeof text), 0);
    CHECK_EQ(upc_thread_distance(MYTHREAD, MYTHREAD), UPC_THREADS_SAME);
    CHECK(upc_castable(&rows[8 * MYTHREAD]));
    CHECK(upc_cast(&rows[8 * MYTHREAD]) != NULL);
    upc_sem_t *semaphore = upc_sem_alloc(UPC_SEM_INTEGER | UPC_SEM_SPRODUCER | UPC_SEM_SCONSUMER);
    upc_sem_post(semaphore);
    CHECK(upc_sem_try(semaphore));
    upc_sem_free(semaphore);
    upc_smemvec_t there = {&rows[8 * next], 4};
    upc_pmemvec_t here = {row, 4};
    upc_memput_vlist(1, &there, 1, &here);
    return check_done();
}
