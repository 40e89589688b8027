/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_alloc and its relatives; the allocate clause and directive. */
#include "../inputs/check.h"
#include <stdint.h>

/* Within a pool, a block that grows needs room for the difference only. */
static void grow_in_a_pool(void) {
    omp_alloctrait_t traits[] = {{omp_atk_fallback, omp_atv_null_fb}, {omp_atk_pool_size, 4096}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    char *p = omp_alloc(3000, pool);
    CHECK(p);
    p[2999] = 9;
    p = omp_realloc(p, 4000, pool, pool);
    CHECK(p && p[2999] == 9);
    CHECK(!omp_realloc(p, 5000, pool, pool) && !omp_alloc(200, pool));
    p = omp_realloc(p, 2000, pool, omp_null_allocator);
    char *q = omp_alloc(2000, pool);
    CHECK(p && q);
    omp_free(p, pool);
    omp_free(q, pool);
    p = omp_alloc(4096, pool);
    CHECK(p);
    omp_free(p, pool);
    omp_destroy_allocator(pool);
}

/* All threads take from one pool, which has room for all but one of what they ask for. */
static void share_a_pool(void) {
    int n = omp_get_max_threads(), got = 0;
    omp_alloctrait_t traits[] = {{omp_atk_fallback, omp_atv_null_fb},
                                 {omp_atk_pool_size, 1000 * (2 * n - 1)}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    for (int round = 0; round < 2; round++) {
        got = 0;
#pragma omp parallel reduction(+ : got)
        {
            char *blocks[2];
            omp_set_default_allocator(pool);
            for (int i = 0; i < 2; i++) {
                blocks[i] = omp_alloc(1000, omp_null_allocator);
                got += blocks[i] != NULL;
            }
#pragma omp barrier
            omp_free(blocks[0], pool);
            omp_free(blocks[1], pool);
            omp_set_default_allocator(omp_default_mem_alloc);
        }
        CHECK(got == 2 * n - 1);
    }
    omp_destroy_allocator(pool);
}

int main(void) {
    grow_in_a_pool();
    share_a_pool();
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}};
    omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
    CHECK(aligned != omp_null_allocator);
    char *p = omp_alloc(1000, aligned);
    CHECK(p && (uintptr_t)p % 256 == 0);
    memset(p, 7, 1000);
    p = omp_realloc(p, 5000, aligned, aligned);
    CHECK(p && p[999] == 7 && (uintptr_t)p % 256 == 0);
    omp_free(p, aligned);
    int *zeros = omp_calloc(100, sizeof *zeros, omp_default_mem_alloc);
    CHECK(zeros && zeros[0] == 0 && zeros[99] == 0);
#pragma omp parallel
    zeros[omp_get_thread_num()] = omp_get_thread_num() + 1;
    for (int i = 0; i < omp_get_max_threads(); i++) {
        CHECK(zeros[i] == i + 1);
    }
    omp_free(zeros, omp_null_allocator);
    double *big = omp_aligned_alloc(4096, 1 << 20, omp_default_mem_alloc);
    CHECK(big && (uintptr_t)big % 4096 == 0);
    omp_free(big, omp_default_mem_alloc);
    omp_destroy_allocator(aligned);
    int x = 3, sum = 0;
#pragma omp parallel firstprivate(x) allocate(omp_default_mem_alloc : x) reduction(+ : sum)
    {
        x += omp_get_thread_num();
        sum += x;
    }
    int n = omp_get_max_threads();
    CHECK(sum == 3 * n + n * (n - 1) / 2 && x == 3);
    return result();
}
