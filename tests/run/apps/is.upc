// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 7x1
/* Integer sort in the manner of NAS IS: buckets counted by everybody, a shared matrix of
 * counts, keys moved with upc_memget from structs in a directory, ranks checked. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_PER_THREAD 4096
#define MAX_KEY 1024
#define BUCKETS_PER_THREAD 4
#define BUCKETS (BUCKETS_PER_THREAD * THREADS)

typedef int key_t_;
typedef struct {
    int n;
    shared [] key_t_ *keys;
} directory_t;

relaxed shared directory_t sent[THREADS];
shared [BUCKETS_PER_THREAD] int bucket_total[BUCKETS_PER_THREAD * THREADS];
shared int *counts; /* counts[bucket * THREADS + thread]: column t with thread t */
shared int received[THREADS];
shared long checksum_in[THREADS], checksum_out[THREADS];
strict shared int first_key[THREADS], last_key[THREADS];

static int bucket_of(key_t_ k) { return (int)((long)k * BUCKETS / MAX_KEY); }

static double seed = 314159265.0;
static double randlc(void)
{
    unsigned long s = (unsigned long)seed;
    s = s * 1220703125UL & ((1UL << 46) - 1);
    seed = (double)s;
    return seed / (double)(1L << 46);
}

int main()
{
    int i, t, k;
    key_t_ *mine;
    int *count, *at;
    shared [] key_t_ *space;

    seed += 2.0 * 7919 * MYTHREAD;
    space = (shared [] key_t_ *) upc_alloc(KEYS_PER_THREAD * sizeof(key_t_));
    mine = malloc(KEYS_PER_THREAD * sizeof *mine);
    count = calloc(BUCKETS + 1, sizeof *count);
    at = calloc(BUCKETS + 1, sizeof *at);
    counts = (shared int *) upc_all_alloc(BUCKETS * THREADS, sizeof(int));

    for (i = 0; i < KEYS_PER_THREAD; i++) {
        mine[i] = (key_t_)(MAX_KEY * (randlc() + randlc() + randlc() + randlc()) / 4);
        checksum_in[MYTHREAD] += mine[i] * (long)mine[i] + 1;
        count[bucket_of(mine[i])]++;
    }
    for (k = 0; k < BUCKETS; k++) {
        counts[k * THREADS + MYTHREAD] = count[k];
        at[k + 1] = at[k] + count[k];
    }
    /* permute the keys into bucket order in shared space */
    for (i = 0; i < KEYS_PER_THREAD; i++)
        space[at[bucket_of(mine[i])]++] = mine[i];
    sent[MYTHREAD].n = KEYS_PER_THREAD;
    sent[MYTHREAD].keys = space;
    upc_barrier;

    upc_forall (k = 0; k < BUCKETS; k++; &bucket_total[k])
        for (bucket_total[k] = t = 0; t < THREADS; t++)
            bucket_total[k] += counts[k * THREADS + t];
    upc_barrier;

    /* my buckets are consecutive: fetch them from every thread */
    {
        int low = MYTHREAD * BUCKETS_PER_THREAD, high = low + BUCKETS_PER_THREAD, total = 0, pos = 0;
        key_t_ *got;
        int *histogram = calloc(MAX_KEY, sizeof(int));
        for (k = low; k < high; k++)
            total += bucket_total[k];
        got = malloc((total + 1) * sizeof *got);
        for (t = 0; t < THREADS; t++) {
            int begin = 0, n = 0;
            directory_t d = sent[t]; /* a struct copied out of shared memory */
            for (k = 0; k < high; k++)
                if (k < low)
                    begin += counts[k * THREADS + t];
                else
                    n += counts[k * THREADS + t];
            if (n)
                upc_memget(got + pos, d.keys + begin, n * sizeof(key_t_));
            pos += n;
        }
        if (pos != total) {
            printf("thread %d: got %d keys, expected %d\n", MYTHREAD, pos, total);
            upc_global_exit(1);
        }
        for (i = 0; i < total; i++) {
            histogram[got[i]]++;
            checksum_out[MYTHREAD] += got[i] * (long)got[i] + 1;
            if (bucket_of(got[i]) < low || bucket_of(got[i]) >= high) {
                printf("thread %d: key %d is not mine\n", MYTHREAD, got[i]);
                upc_global_exit(1);
            }
        }
        received[MYTHREAD] = total;
        first_key[MYTHREAD] = -1;
        for (i = 0; i < MAX_KEY; i++)
            if (histogram[i]) {
                if (first_key[MYTHREAD] < 0)
                    first_key[MYTHREAD] = i;
                last_key[MYTHREAD] = i;
            }
    }
    upc_barrier;

    if (MYTHREAD == 0) {
        long in = 0, out = 0, n = 0;
        int previous = -1;
        for (t = 0; t < THREADS; t++) {
            in += checksum_in[t];
            out += checksum_out[t];
            n += received[t];
            if (received[t] == 0)
                continue;
            if (first_key[t] <= previous) {
                printf("thread %d begins with %d after %d\n", t, first_key[t], previous);
                upc_global_exit(1);
            }
            previous = last_key[t];
        }
        if (in != out || n != (long)KEYS_PER_THREAD * THREADS) {
            printf("checksums %ld and %ld, %ld keys\n", in, out, n);
            upc_global_exit(1);
        }
        puts("ok");
    }
    return 0;
}
