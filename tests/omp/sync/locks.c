/* SPDX-License-Identifier: BSD-3-Clause */
/* Simple and nestable locks: exclusion, test, nesting, locks on the heap. */
#include "../inputs/check.h"

static omp_lock_t lock, many[20];
static omp_nest_lock_t nest;
static long counter, deep, tested, each[20];

int main(void) {
    int n = omp_get_max_threads();
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int i = 0; i < 20; i++) {
        omp_init_lock(&many[i]);
    }
    omp_lock_t *heap = malloc(sizeof *heap);
    omp_init_lock(heap);
    omp_set_lock(heap);
    CHECK(!omp_test_lock(heap));
    omp_unset_lock(heap);
    CHECK(omp_test_lock(heap));
    omp_unset_lock(heap);
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
        omp_set_lock(&lock);
        counter++;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        CHECK(omp_test_nest_lock(&nest) == 3);
        deep++;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        while (!omp_test_lock(heap)) {
        }
        tested++;
        omp_unset_lock(heap);
        int k = (i + omp_get_thread_num()) % 20;
        omp_set_lock(&many[k]);
        each[k]++;
        omp_unset_lock(&many[k]);
    }
    CHECK(counter == 100L * n && deep == 100L * n && tested == 100L * n);
    long sum = 0;
    for (int i = 0; i < 20; i++) {
        sum += each[i];
        omp_destroy_lock(&many[i]);
    }
    CHECK(sum == 100L * n);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(heap);
    free(heap);
    return result();
}
