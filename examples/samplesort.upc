// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * Sample sort: THREADS threads sort numbers spread over all of them.
 *
 *  1. Each thread sorts its own numbers and publishes a few of them as samples.
 *  2. Every thread sorts all samples and picks the same THREADS - 1 splitters: splitter t
 *     separates the numbers that end with thread t from those of thread t + 1.
 *  3. Each thread cuts its sorted numbers at the splitters and publishes where the cuts are.
 *  4. Each thread fetches its slice from everybody, and sorts what it got.
 *
 * Shows data whose size is known only at run time: memory from upc_alloc, and a directory, an
 * array of shared pointers, through which the others find it.
 *
 *     samplesort [numbers-per-thread]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define SAMPLES 32

/* A pointer to numbers that all live with one thread. */
typedef shared [] uint32_t *slice;

shared slice input[THREADS];  /* the directories: element t is written by thread t */
shared slice output[THREADS];
shared size_t output_size[THREADS];
shared [SAMPLES] uint32_t samples[SAMPLES * THREADS];

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void publish_samples(const uint32_t *mine, size_t n) {
    for (size_t i = 0; i < SAMPLES; i++) {
        samples[(size_t)MYTHREAD * SAMPLES + i] = mine[i * n / SAMPLES];
    }
}

/* Sets splitters[0 .. THREADS - 2]; all threads find the same ones. */
static void choose_splitters(uint32_t *splitters) {
    size_t n = (size_t)SAMPLES * (size_t)THREADS;
    uint32_t *all = malloc(n * sizeof *all);
    for (int t = 0; t < THREADS; t++) {
        upc_memget(all + (size_t)t * SAMPLES, &samples[(size_t)t * SAMPLES],
                   SAMPLES * sizeof *all);
    }
    qsort(all, n, sizeof *all, ascending);
    for (int t = 0; t < THREADS - 1; t++) {
        splitters[t] = all[(size_t)(t + 1) * SAMPLES];
    }
    free(all);
}

/* Number of elements in sorted[0 .. n - 1] that are less than `limit`. */
static size_t count_below(const uint32_t *sorted, size_t n, uint32_t limit) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sorted[middle] < limit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Fetches this thread's slice from every thread. cuts[t * (THREADS + 1) + d] is where, in the
 * numbers of thread t, those for thread d begin. */
static void collect(shared size_t *cuts) {
    size_t row = (size_t)THREADS + 1, total = 0, at = 0;
    for (int t = 0; t < THREADS; t++) {
        total += cuts[(size_t)t * row + MYTHREAD + 1] - cuts[(size_t)t * row + MYTHREAD];
    }
    slice result = upc_alloc((total + 1) * sizeof(uint32_t));
    uint32_t *local = (uint32_t *)result;
    for (int t = 0; t < THREADS; t++) {
        size_t begin = cuts[(size_t)t * row + MYTHREAD];
        size_t count = cuts[(size_t)t * row + MYTHREAD + 1] - begin;
        upc_memget(local + at, input[t] + begin, count * sizeof(uint32_t));
        at += count;
    }
    qsort(local, total, sizeof *local, ascending);
    output[MYTHREAD] = result;
    output_size[MYTHREAD] = total;
}

/* Thread 0: the outputs, read in thread order, ascend, and have the count and sum expected. */
static int check(size_t expected_count, uint64_t expected_sum) {
    size_t count = 0;
    uint64_t sum = 0;
    uint32_t last = 0;
    for (int t = 0; t < THREADS; t++) {
        slice part = output[t];
        for (size_t i = 0; i < output_size[t]; i++) {
            if (part[i] < last) {
                printf("number %zu of thread %d is too small\n", i, t);
                return 0;
            }
            last = part[i];
            sum += last;
        }
        count += output_size[t];
    }
    printf("%zu numbers sorted, %zu expected\n", count, expected_count);
    return count == expected_count && sum == expected_sum;
}

shared uint64_t sums[THREADS];

int main(int argc, char **argv) {
    size_t n = argc > 1 ? (size_t)atol(argv[1]) : 20000;
    uint32_t state = 2463534242u + 77777u * (uint32_t)MYTHREAD;
    uint32_t *splitters = malloc((size_t)THREADS * sizeof *splitters);
    shared size_t *cuts =
        upc_all_alloc((size_t)THREADS * ((size_t)THREADS + 1), sizeof(size_t));

    input[MYTHREAD] = upc_alloc(n * sizeof(uint32_t));
    uint32_t *mine = (uint32_t *)input[MYTHREAD];
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        mine[i] = next_random(&state) % 1000000;
        sum += mine[i];
    }
    sums[MYTHREAD] = sum;
    qsort(mine, n, sizeof *mine, ascending);
    publish_samples(mine, n);
    upc_barrier;

    choose_splitters(splitters);
    size_t row = (size_t)MYTHREAD * ((size_t)THREADS + 1);
    cuts[row] = 0;
    for (int t = 0; t < THREADS - 1; t++) {
        cuts[row + (size_t)t + 1] = count_below(mine, n, splitters[t]);
    }
    cuts[row + (size_t)THREADS] = n;
    upc_barrier;

    collect(cuts);
    upc_barrier;

    if (MYTHREAD == 0) {
        uint64_t all = 0;
        for (int t = 0; t < THREADS; t++) {
            all += sums[t];
        }
        if (!check(n * (size_t)THREADS, all)) {
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    upc_barrier;
    upc_free(input[MYTHREAD]);
    upc_free(output[MYTHREAD]);
    upc_all_free(cuts);
    free(splitters);
    return 0;
}
