/* SPDX-License-Identifier: BSD-3-Clause */
/* threadprivate variables stay with their threads from region to region; copyin. */
#include "../inputs/check.h"

static int counter = 10;
static double table[4] = {1, 2, 3, 4};
static struct {
    int a, b;
} pair;
#pragma omp threadprivate(counter, table, pair)

int main(void) {
    omp_set_dynamic(0);
    counter = 20;
    table[3] = 44;
    pair.b = 7;
#pragma omp parallel
    {
        if (omp_get_thread_num() > 0) {
            CHECK(counter == 10 && table[3] == 4 && pair.b == 0);
        }
        counter = 100 + omp_get_thread_num();
    }
#pragma omp parallel
    CHECK(counter == 100 + omp_get_thread_num());
    counter = 77;
    table[0] = 5;
    table[3] = 55;
    pair.a = 3;
#pragma omp parallel copyin(counter, table, pair)
    {
        CHECK(counter == 77 && table[0] == 5 && table[3] == 55 && table[1] == 2);
        CHECK(pair.a == 3 && pair.b == 7);
        counter += omp_get_thread_num();
    }
#pragma omp parallel
    CHECK(counter == 77 + omp_get_thread_num());
    return result();
}
