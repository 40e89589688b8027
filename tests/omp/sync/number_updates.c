// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x1 3x1 5x1 2x2
//@ flags: -O2
/*
 * Updates of numbers for which there is no instruction: gcc makes loops that compare and exchange of
 * them. Where the program uses neither number, over hosts they become calls, and no thread waits.
 */
#include "../inputs/check.h"

enum { BINS = 1500, ITEMS = 6000, OWN = 300, ROUNDS = 40 };

static double bins[BINS], least = 1e300, most = -1e300, mixed, before[ROUNDS * 64];
static float halves[BINS], low;
static double product = 1, quotient, turned, inverse = 8;
static unsigned long powers = 1;
static int shorts = 1;
static unsigned swapped;
static double own[64 * OWN];

static unsigned scattered(unsigned i) {
    return i * 2654435761u >> 7;
}

/* All threads, all bins: whole numbers and halves have no rounding. */
static void sums(void) {
#pragma omp parallel for
    for (int i = 0; i < ITEMS; i++) {
        unsigned bin = scattered((unsigned)i) % BINS;
#pragma omp atomic
        bins[bin] += i * .25;
#pragma omp atomic
        halves[(bin + 1) % BINS] -= .5f;
    }
    double sum = 0, half = 0;
    for (int i = 0; i < BINS; i++) {
        sum += bins[i];
        half += halves[i];
    }
    CHECK(sum == ITEMS / 2 * (ITEMS - 1) * .25);
    CHECK(half == -.5 * ITEMS);
}

/* Each operation: some do not commute with another, but do with themselves. */
static void operations(void) {
    int n = omp_get_max_threads();
    quotient = 1ul << n % 50;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 20; i++) {
#pragma omp atomic
            product *= i % 2 ? .5 : 2.;
#pragma omp atomic
            turned = 3 - turned;
#pragma omp atomic
            inverse = 2 / inverse;
#pragma omp atomic
            powers *= 3;
#pragma omp atomic
            shorts *= -7;
            double value = me * 100 + i;
#pragma omp atomic compare
            least = least > value ? value : least;
#pragma omp atomic compare
            most = most < value ? value : most;
#pragma omp atomic compare
            low = low > -(float)value ? -(float)value : low;
        }
#pragma omp atomic
        quotient /= 2;
    }
    unsigned long expected = 1;
    unsigned narrow = 1;
    for (int i = 0; i < 20 * n; i++) {
        expected *= 3;
        narrow *= -7u;
    }
    CHECK(product == 1 && turned == 0 && inverse == 8 && quotient == 1);
    CHECK(powers == expected && (unsigned)shorts == narrow);
    CHECK(least == 0 && most == (n - 1) * 100 + 19 && low == -(float)most);
}

/* Words of one thread each, side by side: it reads them, and writes them, as it likes. */
static void own_words(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int i = 0; i < OWN; i++) {
            double *word = &own[i * n + me], old;
#pragma omp atomic
            *word += 3.5;
            wrong += *word != 3.5;
#pragma omp atomic
            *word *= 4;
            if (i % 3 == 0) {
                *word = 20;
#pragma omp atomic
                *word = 34 - *word;
            }
#pragma omp atomic capture
            old = *word += 1;
            wrong += old != 15;
#pragma omp atomic
            *word -= .25;
        }
#pragma omp barrier
        for (int i = 0, other = (me + 1) % n; i < OWN; i++) {
            double is;
#pragma omp atomic read
            is = own[i * n + other];
            wrong += is != 14.75;
        }
    }
    CHECK(wrong == 0);
}

/* The same word by updates without a result, with one, and by a loop of the program's own. */
static void with_results(void) {
    int n = omp_get_max_threads(), wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
        double last = -1;
        for (int i = 0; i < ROUNDS; i++) {
            double is;
#pragma omp atomic
            mixed += 1;
#pragma omp atomic capture
            {
                is = mixed;
                mixed += 1;
            }
            wrong += is <= last;
            last = before[me * ROUNDS + i] = is;
            double old = 0;
            __atomic_load(&mixed, &old, __ATOMIC_RELAXED);
            for (double new = old + 1;
                 !__atomic_compare_exchange(&mixed, &old, &new, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED);
                 new = old + 1) {
            }
            unsigned was = __atomic_load_n(&swapped, __ATOMIC_RELAXED), seen;
            while ((seen = __sync_val_compare_and_swap(&swapped, was, was * 5 + 1)) != was) {
                was = seen;
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(mixed == 3. * ROUNDS * n);
    unsigned expected = 0;
    for (int i = 0; i < ROUNDS * n; i++) {
        expected = expected * 5 + 1;
    }
    CHECK(swapped == expected);
    for (int i = 0; i < ROUNDS * n; i++) {
        for (int k = 0; k < i; k++) {
            CHECK(before[i] != before[k]); /* each value was captured once */
        }
    }
}

/* The program uses the old number behind the loop that has exchanged it. */
static int is_first(double *word) {
    double old;
#pragma omp atomic capture
    {
        old = *word;
        *word += 1;
    }
    return old == 0;
}

static void captured(void) {
    static double words[BINS];
    int first = 0;
#pragma omp parallel for reduction(+ : first) collapse(2)
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < BINS; i++) {
            first += is_first(&words[i]);
        }
    }
    CHECK(first == BINS);
}

int main(void) {
    sums();
    operations();
    own_words();
    with_results();
    captured();
    return result();
}
