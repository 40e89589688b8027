/* SPDX-License-Identifier: BSD-3-Clause */
/* single: one thread each time, others wait; copyprivate; nowait; masked and master. */
#include "../inputs/check.h"

static int by_one, by_master, masked;
struct big {
    int values[100];
};

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    {
        int mine = -1;
        struct big big;
        char *text = NULL;
        int array[5];
        for (int round = 0; round < 40; round++) {
#pragma omp single
            by_one++;
            CHECK(by_one == round + 1);
#pragma omp barrier
#pragma omp single copyprivate(mine, big, text, array)
            {
                mine = round;
                big.values[99] = 2 * round;
                text = "text";
                array[4] = 3 * round;
            }
            CHECK(mine == round && big.values[99] == 2 * round && strcmp(text, "text") == 0);
            CHECK(array[4] == 3 * round);
#pragma omp single nowait
            {
#pragma omp atomic
                masked++;
            }
        }
#pragma omp barrier
        CHECK(masked == 40);
#pragma omp master
        by_master += omp_get_thread_num() + 1;
#pragma omp barrier
        CHECK(by_master == 1);
#pragma omp barrier
#pragma omp masked filter(n - 1)
        by_master += omp_get_thread_num();
#pragma omp barrier
        CHECK(by_master == n);
    }
#pragma omp parallel
#pragma omp single
    CHECK(omp_get_num_threads() == n);
    return result();
}
