// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x1 3x1 5x1 2x2
/*
 * Atomic operations whose results are not used: over hosts no thread waits for them. What orders two
 * threads orders them as well, and their thread sees them at once.
 */
#include "../inputs/check.h"

enum { BINS = 3000, ITEMS = 4000, OWN = 500, ROUNDS = 40 };

static int bins[BINS];
static long own[64 * OWN];
static int turns, seen, data[ROUNDS], flag, stop, arrived, mixed;
static unsigned bits;
static omp_lock_t lock;

/* All threads, all bins. */
static void counts(void) {
#pragma omp parallel for
    for (int i = 0; i < ITEMS; i++) {
#pragma omp atomic
        bins[(unsigned)i * 2654435761u % BINS]++;
    }
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < BINS; i++) {
        sum += bins[i];
    }
    CHECK(sum == ITEMS);
}

/* Words of one thread each, side by side: it reads them, and writes them, as it likes. */
static void own_words(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int i = 0; i < OWN; i++) {
            long *word = &own[i * n + me];
#pragma omp atomic
            *word += 3;
            wrong += *word != 3;
#pragma omp atomic
            *word |= 8;
#pragma omp atomic
            *word &= ~1l;
            if (i % 3 == 0) {
                *word = 20;
#pragma omp atomic
                *word -= 10;
            }
        }
        for (int i = 0; i < OWN; i++) {
            wrong += own[i * n + me] != 10;
        }
#pragma omp barrier
        int other = (me + 1) % n;
        for (int i = 0; i < OWN; i++) {
            long is;
#pragma omp atomic read
            is = own[i * n + other];
            wrong += is != 10;
        }
    }
    CHECK(wrong == 0);
}

/* Some use the result, of the same words. */
static void with_results(void) {
    int n = omp_get_max_threads(), wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (int i = 0, before = -1, is; i < ROUNDS; i++) {
#pragma omp atomic
        turns++;
#pragma omp atomic read
        is = turns;
        wrong += is <= before;
        before = is;
#pragma omp atomic capture
        is = ++turns;
        wrong += is <= before;
        before = is;
#pragma omp atomic
        bits ^= 1u << i % 32;
    }
    CHECK(wrong == 0);
    CHECK(turns == 2 * ROUNDS * n);
    CHECK(bits == (n % 2 ? 0xffffff00u : 0));
}

/* One thread updates, and then releases in several ways; another acquires. */
static void released(void) {
    int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    for (int i = 0; i < ROUNDS; i++) {
        if (omp_get_thread_num() == 0) {
#pragma omp atomic
            data[i] += i + 1;
            if (i % 3 == 0) {
#pragma omp atomic write release
                flag = i + 1;
            } else if (i % 3 == 1) {
#pragma omp flush
#pragma omp atomic write
                flag = i + 1;
            } else {
                omp_set_lock(&lock);
                flag = i + 1;
                omp_unset_lock(&lock);
            }
        } else {
            for (int is = 0; is <= i;) {
                omp_set_lock(&lock);
#pragma omp atomic read acquire
                is = flag;
                omp_unset_lock(&lock);
            }
#pragma omp flush
            wrong += data[i] != i + 1;
        }
    }
    CHECK(wrong == 0);
}

/* A thread waits for updates that nothing else follows. */
static void waits(void) {
#pragma omp parallel
    {
        int n = omp_get_num_threads(), is = 0;
        if (omp_get_thread_num() == 0) {
            while (is < n - 1) {
#pragma omp atomic read
                is = arrived;
            }
#pragma omp atomic
            stop++;
        } else {
#pragma omp atomic
            arrived++;
            while (is == 0) {
#pragma omp atomic read
                is = stop;
            }
        }
    }
    CHECK(arrived == omp_get_max_threads() - 1);
}

/* Under a lock as well, in words that a critical construct reads. */
static void locked(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
        {
            wrong += mixed != seen;
#pragma omp atomic
            mixed += 2;
            seen += 2;
        }
    }
    CHECK(wrong == 0);
    CHECK(mixed == 2 * ROUNDS * omp_get_max_threads());
}

int main(void) {
    omp_init_lock(&lock);
    counts();
    own_words();
    with_results();
    if (omp_get_max_threads() > 1) {
        released();
    }
    waits();
    locked();
    return result();
}
