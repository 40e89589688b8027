// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
//@ flags: -lm
//@ args: 4096 2000
/*
 * Apex-Map: speed of memory as a function of how local the accesses are.
 *
 * The program hops to places in an array of M doubles and adds up L of them at each place. L is
 * the spatial locality. The places follow a power law with exponent 1 / alpha: with alpha 1
 * every place is equally likely, with a small alpha most are near the beginning, and the caches
 * can hold them. That is the temporal locality.
 *
 * The array is spread over the threads in equal parts, so a place may be in any thread's
 * memory. Element i has the value i, and sums of such numbers are known without adding them up.
 *
 *     apexmap [doubles-per-thread [hops]]
 *
 * After E. Strohmaier and H. Shan, "Apex-Map: A Synthetic Scalable Benchmark Probe to Explore
 * Data Access Performance on Highly Parallel Systems", Euro-Par 2005.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define MAX_L 256

typedef shared [] const double *place;
shared [] double *shared part[THREADS]; /* the directory: part t is in thread t's memory */
shared double seconds[THREADS];
shared int wrong[THREADS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double next_fraction(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* The sum of L elements: the kernel that is measured. */
static double add_up(place p, int l) {
    double sum = 0;
    for (int k = 0; k < l; k++) {
        sum += p[k];
    }
    return sum;
}

/* One measurement by this thread; returns the time and sets wrong[MYTHREAD]. */
static double measure(long m, int l, double alpha, long hops) {
    long *at = malloc((size_t)hops * sizeof *at);
    uint64_t state = 88172645463325252u + (uint64_t)MYTHREAD;
    double expected = 0, sum = 0;
    long places = m * THREADS / l;
    for (long i = 0; i < hops; i++) {
        long first = (long)(pow(next_fraction(&state), 1 / alpha) * (double)places) * l;
        at[i] = first;
        expected += (double)l * (double)first + 0.5 * l * (l - 1);
    }
    double begin = now();
    for (long i = 0; i < hops; i++) {
        sum += add_up(part[at[i] / m] + at[i] % m, l);
    }
    double time = now() - begin;
    wrong[MYTHREAD] |= sum != expected;
    free(at);
    return time;
}

int main(int argc, char **argv) {
    static const int lengths[] = {1, 4, 16, 64, MAX_L};
    static const double alphas[] = {1.0, 0.1, 0.01, 0.001};
    long m = argc > 1 ? atol(argv[1]) : 1 << 20;
    long hops = argc > 2 ? atol(argv[2]) : 100000;
    m = m / MAX_L * MAX_L; /* so that no place reaches over the end of a part */
    if (m < MAX_L || hops < 1) {
        fprintf(stderr, "apexmap: at least %d doubles and 1 hop\n", MAX_L);
        return 2;
    }

    part[MYTHREAD] = upc_alloc((size_t)m * sizeof(double));
    for (long i = 0; i < m; i++) {
        part[MYTHREAD][i] = (double)(m * MYTHREAD + i);
    }
    upc_barrier;

    if (MYTHREAD == 0) {
        printf("millions of elements per second, per thread\n%8s", "L");
        for (int a = 0; a < 4; a++) {
            printf("  alpha %5.3f", alphas[a]);
        }
        printf("\n");
    }
    for (int l = 0; l < 5; l++) {
        double speed[4];
        for (int a = 0; a < 4; a++) {
            seconds[MYTHREAD] = measure(m, lengths[l], alphas[a], hops);
            upc_barrier;
            double slowest = 0;
            for (int t = 0; t < THREADS; t++) {
                slowest = seconds[t] > slowest ? seconds[t] : slowest;
            }
            upc_barrier;
            speed[a] = 1e-6 * (double)hops * lengths[l] / slowest;
        }
        if (MYTHREAD == 0) {
            printf("%8d  %11.1f  %11.1f  %11.1f  %11.1f\n", lengths[l], speed[0], speed[1],
                   speed[2], speed[3]);
        }
    }
    if (wrong[MYTHREAD]) {
        printf("thread %d: a sum is wrong\n", MYTHREAD);
        upc_global_exit(1); /* not a return: the others would wait at the barrier */
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        printf("ok\n");
    }
    upc_free(part[MYTHREAD]);
    return 0;
}
