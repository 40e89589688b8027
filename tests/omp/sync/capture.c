/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic capture, read, write and compare: each ticket once. */
#include "../inputs/check.h"

static int next, tickets[4000], maximum, claimed, swaps;
static double sum;
static long biggest;

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    for (int k = 0; k < 60; k++) {
        int mine, old;
#pragma omp atomic capture
        mine = next++;
        tickets[mine]++;
        double before, after;
#pragma omp atomic capture
        {
            before = sum;
            sum += 1.5;
        }
#pragma omp atomic capture
        {
            sum += 1.5;
            after = sum;
        }
        CHECK(after >= before + 3);
#pragma omp atomic capture seq_cst
        {
            old = swaps;
            swaps = mine;
        }
        CHECK(old >= 0 && old < 60 * n);
        _Bool won;
#if defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 12
#pragma omp atomic compare
        maximum = maximum < mine ? mine : maximum;
#pragma omp atomic compare capture
        {
            won = claimed == 0;
            if (won) {
                claimed = mine + 1;
            }
        }
#else /* gcc 11 and clang 14 do not compare */
#pragma omp critical
        {
            maximum = maximum < mine ? mine : maximum;
            won = claimed == 0;
            claimed = won ? mine + 1 : claimed;
        }
#endif
        if (won) {
#pragma omp atomic
            biggest++;
        }
        int now;
#pragma omp atomic read
        now = next;
        CHECK(now > mine);
    }
    for (int k = 0; k < 60 * n; k++) {
        CHECK(tickets[k] == 1);
    }
    CHECK(next == 60 * n && sum == 180.0 * n && maximum == 60 * n - 1 && biggest == 1);
    return result();
}
