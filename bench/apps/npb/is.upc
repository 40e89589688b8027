// SPDX-License-Identifier: BSD-3-Clause
/*
 * IS (is.h). FINE and CAST write each key to its place at the thread that has its bucket; FINE also
 * accesses its own keys and counts as shared. BULK orders its keys by buckets, and gets what others
 * have for its own buckets in pieces, the next one while it counts.
 */
#include "is.h"
#include <bupc_collectivev.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

static shared int *sizes; /* of each thread: IS_SIZES */
static shared int *areas; /* keys: those for own buckets, or own ones in the order of buckets */

/* A thread's part, from its own one on. */
static shared [] int *area_of(int thread) { return (shared [] int *)&areas[thread]; }

#if CODING == BULK
enum { PIECE = 1 << 14 };
static shared int *gathered; /* of each thread: all sizes */

static void is_share_sizes(struct is *is) {
    upcx_team_gather_all(UPCX_TEAM_ALL, gathered, sizes, IS_SIZES * sizeof(int),
                         UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    is->all_sizes = (int *)&gathered[MYTHREAD];
}

static upc_handle_t get_piece(int *piece, shared [] int *from, long n) {
    return upc_memget_nb(piece, from, (size_t)(n < PIECE ? n : PIECE) * sizeof(int));
}

/* Counts `n` keys of another thread. */
static void count_from(shared [] int *from, long n, int low, int *counts) {
    static int pieces[2][PIECE];
    upc_handle_t handle = get_piece(pieces[0], from, n);
    for (int turn = 0; n > 0; turn = 1 - turn, n -= PIECE, from += PIECE) {
        upc_sync(handle);
        handle = n > PIECE ? get_piece(pieces[1 - turn], from + PIECE, n - PIECE)
                           : UPC_COMPLETE_HANDLE;
        is_count(n < PIECE ? n : PIECE, pieces[turn], low, counts);
    }
}

static void is_exchange(struct is *is) {
    is_place_in_buffer(is, (int *)area_of(MYTHREAD));
    is_scatter(is->n, is->keys, is->next);
    upc_barrier;
    int begin = is->begin[MYTHREAD], end = is->begin[MYTHREAD + 1];
    for (int i = 0; i < THREADS; i++) {
        int from = (MYTHREAD + i) % THREADS;
        shared [] int *keys = area_of(from) + is_keys_of(is, from, 0, begin);
        long n = is_keys_of(is, from, begin, end);
        if (from == MYTHREAD) {
            is_count(n, (int *)keys, is_low(is), is->counts);
        } else {
            count_from(keys, n, is_low(is), is->counts);
        }
    }
}
#else
static void is_share_sizes(struct is *is) {
    upc_barrier;
    for (int thread = 0; thread < THREADS; thread++) {
        shared [] int *theirs = (shared [] int *)&sizes[thread];
        for (int i = 0; i < IS_SIZES; i++) {
            is->all_sizes[thread * IS_SIZES + i] = theirs[i];
        }
    }
}

static void is_exchange(struct is *is) {
    is_place *places = is_allocate(THREADS, sizeof(is_place));
    for (int thread = 0; thread < THREADS; thread++) {
        places[thread] = area_of(thread);
    }
    is_place_in_areas(is, places);
    free(places);
    is_scatter(is->n, is->keys, is->next);
    upc_barrier;
    is_count(is->received, (NPB_OWN int *)area_of(MYTHREAD), is_low(is), is->counts);
}
#endif

/* Memory of each thread for n integers. */
static shared int *allocate(long n) {
    return upc_all_alloc((size_t)(n * THREADS), sizeof(int));
}

static void prepare(struct is *is) {
    is_prepare(is, MYTHREAD, THREADS);
    sizes = allocate(IS_SIZES);
    areas = allocate(is_room(THREADS));
    is->sizes = (NPB_OWN int *)&sizes[MYTHREAD];
    is->keys = (NPB_OWN int *)upc_alloc((size_t)is->n * sizeof(int));
    is->counts = (NPB_OWN int *)upc_alloc(IS_MAX * sizeof(int));
#if CODING == BULK
    gathered = allocate((long)IS_SIZES * THREADS);
#endif
    is_make_keys(is);
}

int main(void) {
    static struct is is;
    prepare(&is);
    is_begin(&is);
    upc_barrier;
    double start = bench_now();
    is_rank_all(&is);
    upc_barrier;
    double seconds = bench_now() - start;
    int passed = bupc_allv_reduce_all(int, is.passed, UPC_ADD);
    int sorted = bupc_allv_reduce_all(int, is_sorted(&is), UPC_ADD);
    return MYTHREAD == 0 ? is_finish(passed, sorted, THREADS, seconds) : 0;
}
