/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that has said how far its row is, waits for what the next row does when it has heard that:
 * by an atomic operation, a flush, or a lock. Each thread has one row. */
#include "../inputs/check.h"

enum { COLUMNS = 16, ROUNDS = 9, MOST = 256 };

static int heard[MOST];
static omp_lock_t locks[MOST];

static int see(int row, int round) {
    int value;
    if (round % 3 == 0) {
#pragma omp atomic read seq_cst
        value = heard[row];
    } else if (round % 3 == 1) {
#pragma omp flush
        value = *(volatile int *)&heard[row];
    } else {
        omp_set_lock(&locks[row]);
        value = heard[row];
        omp_unset_lock(&locks[row]);
    }
    return value;
}

static void say(int row, int value) {
    omp_set_lock(&locks[row]);
#pragma omp atomic write seq_cst
    heard[row] = value;
    omp_unset_lock(&locks[row]);
#pragma omp flush
}

int main(void) {
    int rows = omp_get_max_threads();
    for (int i = 0; i <= rows; i++) {
        omp_init_lock(&locks[i]);
    }
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(rows)
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j)
                if (j == COLUMNS - 2 && i > 0) {
                    say(i, round);
                }
#pragma omp ordered depend(source)
                while (j == COLUMNS - 2 && i + 1 < rows && see(i + 1, round) < round) {
                }
            }
        }
    }
    CHECK(rows < 2 || heard[rows - 1] == ROUNDS);
    return result();
}
