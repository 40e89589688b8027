// SPDX-License-Identifier: BSD-3-Clause
/*
 * IS (is.h). FINE and CAST write each key to its place at the thread that has its bucket; FINE also
 * accesses its own keys and counts as shared. BULK orders its keys by buckets, and sends the threads
 * of other hosts theirs while it counts its own; on its host a thread counts others' where they are.
 */
#include "is.h"
#include <bupc_collectivev.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

static shared int *sizes; /* of each thread: IS_SIZES */
static shared int *areas; /* keys: those for own buckets */

/* A thread's part, from its own one on. */
static shared [] int *area_of(int thread) { return (shared [] int *)&areas[thread]; }

#if CODING == BULK
static shared int *gathered; /* of each thread: all sizes */
static shared int *buffers;  /* own keys, in the order of buckets */

static void is_share_sizes(struct is *is) {
    upcx_team_gather_all(UPCX_TEAM_ALL, gathered, sizes, IS_SIZES * sizeof(int),
                         UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    is->all_sizes = (int *)&gathered[MYTHREAD];
}

/* A thread's keys for another one, in its buffer; and how many these are. */
static shared [] int *keys_for(const struct is *is, int from, int to) {
    return (shared [] int *)&buffers[from] + is_keys_of(is, from, 0, is->begin[to]);
}
static long number_for(const struct is *is, int from, int to) {
    return is_keys_of(is, from, is->begin[to], is->begin[to + 1]);
}

/* Where these go in the area of a thread of another host: behind those of earlier threads. */
static shared [] int *place_for(const struct is *is, int from, int to) {
    shared [] int *place = area_of(to);
    for (int earlier = 0; earlier < from; earlier++) {
        place += number_for(is, earlier, to);
    }
    return place;
}

static void send_keys(const struct is *is, int to) {
    upc_memput_nbi(place_for(is, MYTHREAD, to), (int *)keys_for(is, MYTHREAD, to),
                   (size_t)number_for(is, MYTHREAD, to) * sizeof(int));
}

static void count_from(const struct is *is, int from) {
    const int *keys = upc_cast(keys_for(is, from, MYTHREAD));
    is_count(number_for(is, from, MYTHREAD),
             keys ? keys : (int *)place_for(is, from, MYTHREAD), is_low(is), is->counts);
}

static void is_exchange(struct is *is) {
    is_place_in_buffer(is, (int *)&buffers[MYTHREAD]);
    is_scatter(is->n, is->keys, is->next);
    for (int i = 1; i < THREADS; i++) {
        int to = (MYTHREAD + i) % THREADS;
        if (!upc_cast(area_of(to))) {
            send_keys(is, to);
        }
    }
    count_from(is, MYTHREAD);
    upc_synci();
    upc_barrier;
    for (int i = 1; i < THREADS; i++) {
        count_from(is, (MYTHREAD + i) % THREADS);
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
    buffers = allocate(is_room(THREADS));
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
