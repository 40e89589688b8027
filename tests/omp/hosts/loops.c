// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 4x1 3x1 3x2 2x7
// Threads that wait in a loop for what another writes, without a flush or an atomic operation, see it
// when it has been there for a while, and what that thread had written before.
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { TIMES = 12, APART = 1024 };

static volatile int released[64 * APART], turn;
static volatile double values[64 * APART];

static void wait_for(volatile int *flag, int how) {
    switch (how) {
    case 0:
        while (!*flag) {
        }
        break;
    case 1:
        while (!*flag) {
            usleep(10);
        }
        break;
    case 2:
        while (!*flag) {
            sched_yield();
        }
        break;
    default:
        while (*flag == 0) {
            __builtin_ia32_pause();
        }
    }
}

int main(void) {
    int bad = 0;
    for (int time = 0; time < TIMES; time++) {
        turn = 0;
        for (int i = 0; i < 64 * APART; i++) {
            released[i] = 0;
            values[i] = 0;
        }
#pragma omp parallel reduction(+ : bad)
        {
            int me = omp_get_thread_num(), apart = time % 2 ? APART : 1;
            if (me > 0) {
                wait_for(&released[(me - 1) * apart], time % 4);
                bad += values[(me - 1) * apart] != me + time;
            }
            values[me * apart] = me + 1 + time;
            released[me * apart] = 1;
        }
        turn = 0;
#pragma omp parallel
        {
            while (turn != omp_get_thread_num()) {
            }
            turn = omp_get_thread_num() + 1;
        }
        bad += turn != omp_get_max_threads();
    }
    printf(bad ? "%d are not what they should be\n" : "ok\n", bad);
    return bad != 0;
}
