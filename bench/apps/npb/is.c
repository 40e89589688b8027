/* SPDX-License-Identifier: BSD-3-Clause */
/* IS (is.h) with OpenMP: each thread of one region writes its keys to their places. */
#include "is.h"
#include <omp.h>

static is_place *areas;
static int **sizes;

static void is_share_sizes(struct is *is) {
#pragma omp barrier
    for (int thread = 0; thread < is->threads; thread++) {
        memcpy(&is->all_sizes[thread * IS_SIZES], sizes[thread], IS_SIZES * sizeof(int));
    }
}

static void is_exchange(struct is *is) {
    is_place_in_areas(is, areas);
    is_scatter(is->n, is->keys, is->next);
#pragma omp barrier
    is_count(is->received, areas[is->me], is_low(is), is->counts);
}

static void prepare(struct is *is) {
    is_prepare(is, omp_get_thread_num(), omp_get_num_threads());
    areas[is->me] = is_allocate((size_t)is_room(is->threads), sizeof(int));
    is->sizes = sizes[is->me] = is_allocate(IS_SIZES, sizeof(int));
    is->keys = is_allocate((size_t)is->n, sizeof(int));
    is->counts = is_allocate(IS_MAX, sizeof(int));
    is_make_keys(is);
}

int main(void) {
    int passed = 0, sorted = 0, threads = omp_get_max_threads();
    double seconds = 0;
    areas = is_allocate((size_t)threads, sizeof *areas);
    sizes = is_allocate((size_t)threads, sizeof *sizes);
#pragma omp parallel num_threads(threads) reduction(+ : passed, sorted)
    {
        struct is is;
        prepare(&is);
#pragma omp barrier
        is_begin(&is);
#pragma omp barrier
        double start = bench_now();
        is_rank_all(&is);
#pragma omp barrier
#pragma omp master
        seconds = bench_now() - start;
        passed = is.passed;
        sorted = is_sorted(&is);
    }
    return is_finish(passed, sorted, threads, seconds);
}
