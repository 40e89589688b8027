/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer sort by counting: each thread counts its keys into a row of its own, the rows become
 * positions, the keys are scattered. Rows are allocated by their threads. */
#include "../inputs/check.h"

enum { N = 40000, BUCKETS = 512, MOST = 256 };

static unsigned key[N], sorted[N];
static int *count[MOST];

int main(void) {
#pragma omp parallel for
    for (unsigned i = 0; i < N; i++) {
        key[i] = (i * 2654435761u >> 7) % BUCKETS;
    }
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num(), threads = omp_get_num_threads();
            int *my = count[me] = calloc(BUCKETS, sizeof *my);
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                my[key[i]]++;
            }
#pragma omp single
            for (int b = 0, at = 0; b < BUCKETS; b++) {
                for (int t = 0; t < threads; t++) {
                    int keys = count[t][b];
                    count[t][b] = at;
                    at += keys;
                }
            }
            /* The same schedule: a thread has the keys that it has counted. */
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                sorted[my[key[i]]++] = key[i];
            }
            free(my);
        }
        int wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
        for (int i = 1; i < N; i++) {
            wrong += sorted[i - 1] > sorted[i];
        }
        CHECK(wrong == 0);
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            key[i] = (sorted[N - 1 - i] * 7 + (unsigned)i) % BUCKETS;
        }
    }
    return result();
}
