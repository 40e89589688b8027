/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IS, the integer sort: ranks keys by buckets. A thread counts its keys' buckets; all learn these
 * sizes, divide the buckets among them, and send each key to who has its bucket, which counts the
 * keys. Who includes this says how sizes and keys travel.
 */
#ifndef NPB_IS_H
#define NPB_IS_H

#include "npb.h"
#include <string.h>

/* Numbers of keys, of what they can be, and of buckets: powers of two. */
#if CLASS == 'S'
#define IS_KEYS_LOG 16
#define IS_MAX_LOG 11
#define IS_BUCKETS_LOG 9
#elif CLASS == 'W'
#define IS_KEYS_LOG 20
#define IS_MAX_LOG 16
#define IS_BUCKETS_LOG 10
#elif CLASS == 'A'
#define IS_KEYS_LOG 23
#define IS_MAX_LOG 19
#define IS_BUCKETS_LOG 10
#else
#define IS_KEYS_LOG 25
#define IS_MAX_LOG 21
#define IS_BUCKETS_LOG 10
#endif

enum {
    IS_KEYS = 1 << IS_KEYS_LOG,
    IS_MAX = 1 << IS_MAX_LOG,
    IS_BUCKETS = 1 << IS_BUCKETS_LOG,
    IS_SHIFT = IS_MAX_LOG - IS_BUCKETS_LOG,
    IS_ITERATIONS = 10,
    IS_TESTS = 5,
    IS_SIZES = IS_BUCKETS + IS_TESTS, /* sizes of buckets, and the keys to test, else 0 */
};

/* Keys whose ranks are known: where they are among the keys; the rank; and what an iteration i adds
 * to it, sign (i - back). */
struct is_test {
    int at, rank, sign, back;
};

#if CLASS == 'S'
#define IS_TEST_LIST                                                                               \
    {48427, 0, 1, 0}, {17148, 18, 1, 0}, {23627, 346, 1, 0}, {62548, 64917, -1, 0},                \
        {4431, 65463, -1, 0}
#elif CLASS == 'W'
#define IS_TEST_LIST                                                                               \
    {357773, 1249, 1, 2}, {934767, 11698, 1, 2}, {875723, 1039987, -1, 0},                         \
        {898999, 1043896, -1, 0}, {404505, 1048018, -1, 0}
#elif CLASS == 'A'
#define IS_TEST_LIST                                                                               \
    {2112377, 104, 1, 1}, {662041, 17523, 1, 1}, {5336171, 123928, 1, 1},                          \
        {3642833, 8288932, -1, 1}, {4250760, 8388264, -1, 1}
#else
#define IS_TEST_LIST                                                                               \
    {41869, 33422937, -1, 0}, {812306, 10244, 1, 0}, {5102857, 59149, 1, 0},                       \
        {18232239, 33135281, -1, 0}, {26860214, 99, 1, 0}
#endif

/* Where keys go: to their place at the thread that has their bucket; or first into a buffer of the
 * own thread, in the order of buckets. */
#if defined __UPC__ && CODING != BULK
typedef shared [] int *is_place;
#else
typedef int *is_place;
#endif

struct is {
    int me, threads;
    long first, n;         /* own keys, among all */
    NPB_OWN int *keys;     /* which are these */
    NPB_OWN int *sizes;    /* of buckets of own keys, IS_SIZES */
    NPB_OWN int *counts;   /* of each key in own buckets, IS_MAX; then their sums */
    int *all_sizes;        /* of all threads, one after the other */
    int *begin;            /* each thread's first bucket; and IS_BUCKETS */
    long before, received; /* keys in earlier buckets than the own ones, and in those */
    is_place next[IS_BUCKETS];
    int passed; /* tests, by this thread */
};

/* Of the including program: fills `all_sizes` with the threads' sizes; and sends all keys to those
 * that have their buckets, which count them (is_count). */
static void is_share_sizes(struct is *is);
static void is_exchange(struct is *is);

static inline void *is_allocate(size_t n, size_t bytes) {
    void *memory = calloc(n, bytes);
    if (!memory) {
        fprintf(stderr, "npb: no memory for %zu keys\n", n);
        exit(1);
    }
    return memory;
}

/* Keys that a thread may get; more end the program (is_divide). */
static inline long is_room(int threads) {
    return (long)IS_KEYS / threads + IS_KEYS / 128;
}

/* All but the memory for keys, sizes and counts, which the program has. */
static inline void is_prepare(struct is *is, int me, int threads) {
    is->me = me;
    is->threads = threads;
    is->passed = 0;
    is->first = npb_begin(IS_KEYS, threads, me);
    is->n = npb_begin(IS_KEYS, threads, me + 1) - is->first;
    is->all_sizes = is_allocate((size_t)threads * IS_SIZES, sizeof(int));
    is->begin = is_allocate((size_t)threads + 1, sizeof(int));
}

static inline int is_next_key(uint64_t *seed) {
    double sum = npb_random(seed, NPB_A);
    for (int j = 1; j < 4; j++) {
        sum += npb_random(seed, NPB_A);
    }
    return (int)(IS_MAX / 4 * sum);
}

static inline void is_make_keys(struct is *is) {
    uint64_t seed = npb_skip(NPB_SEED, NPB_A, 4 * (uint64_t)is->first);
    for (long i = 0; i < is->n; i++) {
        is->keys[i] = is_next_key(&seed);
    }
}

NPB_KERNEL static void is_count_buckets(long n, NPB_OWN const int *keys, NPB_OWN int *sizes) {
    for (int i = 0; i < IS_SIZES; i++) {
        sizes[i] = 0;
    }
    for (long i = 0; i < n; i++) {
        sizes[keys[i] >> IS_SHIFT]++;
    }
}

NPB_KERNEL static void is_scatter(long n, NPB_OWN const int *keys, is_place *next) {
    for (long i = 0; i < n; i++) {
        int key = keys[i];
        *next[key >> IS_SHIFT]++ = key;
    }
}

NPB_KERNEL static void is_clear(long n, NPB_OWN int *counts) {
    for (long i = 0; i < n; i++) {
        counts[i] = 0;
    }
}

/* Counts keys, of which `low` is the first of the own ones. */
NPB_KERNEL static void is_count(long n, NPB_OWN const int *keys, int low, NPB_OWN int *counts) {
    for (long i = 0; i < n; i++) {
        counts[keys[i] - low]++;
    }
}

NPB_KERNEL static void is_accumulate(long n, NPB_OWN int *counts) {
    int sum = 0;
    for (long i = 0; i < n; i++) {
        sum += counts[i];
        counts[i] = sum;
    }
}

static inline int is_own_key(const struct is *is, int key) {
    return is->begin[is->me] <= key >> IS_SHIFT && key >> IS_SHIFT < is->begin[is->me + 1];
}

/* The first own key, and how many there can be. */
static inline int is_low(const struct is *is) { return is->begin[is->me] << IS_SHIFT; }
static inline long is_range(const struct is *is) {
    return ((long)is->begin[is->me + 1] << IS_SHIFT) - is_low(is);
}

/* Of buckets [begin, end), the keys that a thread has. */
static inline long is_keys_of(const struct is *is, int thread, int begin, int end) {
    long sum = 0;
    for (int bucket = begin; bucket < end; bucket++) {
        sum += is->all_sizes[thread * IS_SIZES + bucket];
    }
    return sum;
}

/* Gives the threads neighbouring buckets, of about as many keys each. */
static inline void is_divide(struct is *is) {
    long sum = 0;
    int thread = 0;
    for (int bucket = 0; bucket < IS_BUCKETS; bucket++) {
        for (; thread < is->threads && sum >= npb_begin(IS_KEYS, is->threads, thread); thread++) {
            is->begin[thread] = bucket;
            is->before = thread == is->me ? sum : is->before;
        }
        for (int from = 0; from < is->threads; from++) {
            sum += is->all_sizes[from * IS_SIZES + bucket];
        }
    }
    for (; thread <= is->threads; thread++) {
        is->begin[thread] = IS_BUCKETS;
        is->before = thread == is->me ? sum : is->before;
    }
    is->received = 0;
    for (int from = 0; from < is->threads; from++) {
        is->received += is_keys_of(is, from, is->begin[is->me], is->begin[is->me + 1]);
    }
    if (is->received > is_room(is->threads)) {
        fprintf(stderr, "npb: too many keys, %ld, for thread %d\n", is->received, is->me);
        exit(1);
    }
}

/* next: places in a buffer of the own keys, in the order of buckets. */
static inline void is_place_in_buffer(struct is *is, is_place buffer) {
    for (int bucket = 0; bucket < IS_BUCKETS; bucket++) {
        is->next[bucket] = buffer;
        buffer += is->all_sizes[is->me * IS_SIZES + bucket];
    }
}

/* next: places in the areas of those that have the buckets, behind what earlier threads send. */
static inline void is_place_in_areas(struct is *is, const is_place *areas) {
    for (int to = 0; to < is->threads; to++) {
        is_place place = areas[to];
        for (int bucket = is->begin[to]; bucket < is->begin[to + 1]; bucket++) {
            for (int from = 0; from < is->threads; from++) {
                is->next[bucket] = from == is->me ? place : is->next[bucket];
                place += is->all_sizes[from * IS_SIZES + bucket];
            }
        }
    }
}

static const struct is_test is_tests[IS_TESTS] = {IS_TEST_LIST};

/* Those keys of the tests that are this thread's stand behind its sizes. */
static inline void is_note_tests(struct is *is) {
    for (int i = 0; i < IS_TESTS; i++) {
        long at = is_tests[i].at - is->first;
        if (0 <= at && at < is->n) {
            is->sizes[IS_BUCKETS + i] = is->keys[at];
        }
    }
}

/* Compares the ranks of those keys that are in own buckets. */
static inline void is_test(struct is *is, int iteration) {
    for (int i = 0; i < IS_TESTS; i++) {
        int key = 0;
        for (int thread = 0; thread < is->threads; thread++) {
            key += is->all_sizes[thread * IS_SIZES + IS_BUCKETS + i];
        }
        if (!is_own_key(is, key)) {
            continue;
        }
        long below = key > is_low(is) ? is->counts[key - 1 - is_low(is)] : 0;
        int expected = is_tests[i].rank + is_tests[i].sign * (iteration - is_tests[i].back);
        is->passed += npb_is("a rank", (double)(is->before + below), expected, 0);
    }
}

static inline void is_set_key(struct is *is, long at, int key) {
    if (is->first <= at && at < is->first + is->n) {
        is->keys[at - is->first] = key;
    }
}

static void is_rank(struct is *is, int iteration) {
    is_set_key(is, iteration, iteration);
    is_set_key(is, iteration + IS_ITERATIONS, IS_MAX - iteration);
    is_count_buckets(is->n, is->keys, is->sizes);
    is_note_tests(is);
    is_share_sizes(is);
    is_divide(is);
    is_clear(is_range(is), is->counts);
    is_exchange(is);
    is_accumulate(is_range(is), is->counts);
    is_test(is, iteration);
}

/* One ranking without the clock, by which all memory is known to its threads. */
static void is_begin(struct is *is) {
    is_rank(is, 1);
    is->passed = 0;
}

/* What is timed. */
static void is_rank_all(struct is *is) {
    for (int i = 1; i <= IS_ITERATIONS; i++) {
        is_rank(is, i);
    }
}

/* Key number i as the last ranking had it, of those that come one after the other. */
static inline int is_last_key(long i, uint64_t *seed) {
    int key = is_next_key(seed);
    if (1 <= i && i <= IS_ITERATIONS) {
        return (int)i;
    }
    return IS_ITERATIONS < i && i <= 2 * IS_ITERATIONS ? IS_MAX - (int)i + IS_ITERATIONS : key;
}

/* Whether the last ranking has the own keys that there are: makes all keys once more. */
static inline int is_sorted(const struct is *is) {
    long range = is_range(is), low = is_low(is), differences = 0;
    int *right = is_allocate((size_t)range + 1, sizeof(int));
    uint64_t seed = NPB_SEED;
    for (long i = 0; i < IS_KEYS; i++) {
        int key = is_last_key(i, &seed);
        right[is_own_key(is, key) ? key - low + 1 : 0] += is_own_key(is, key);
    }
    for (long i = 0; i < range; i++) {
        right[i + 1] += right[i];
        differences += right[i + 1] != is->counts[i];
    }
    free(right);
    return differences == 0;
}

/* Given the tests passed by all threads, and the threads that are sorted. */
static inline int is_finish(int passed, int sorted, int threads, double seconds) {
    int verified = npb_is("the number of tests passed", passed, IS_TESTS * IS_ITERATIONS, 0) &
                   npb_is("the number of sorted parts", sorted, threads, 0);
    return npb_finish("is", (double)IS_ITERATIONS * IS_KEYS, seconds, verified);
}

#endif
