/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_PROC_BIND=close OMP_PLACES=cores
/* A thread that the program has made itself knows its place once a region has bound it there. */
#include "../inputs/check.h"

#include <pthread.h>

static void *works(void *unused) {
    int inside = -1;
#pragma omp parallel
#pragma omp masked
    inside = omp_get_place_num();
    CHECK(inside >= 0);
    CHECK(omp_get_place_num() == inside);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, works, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return result();
}
