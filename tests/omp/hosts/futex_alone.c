// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x2 2x1 2x2 3x1
/*
 * Futexes between regions, where atomic operations are plain instructions: main and a thread that it
 * has started pass a word to and fro. A wait for another value returns at once. Locks that regions take
 * for the first time before and after that are what they should be.
 */
#include "../inputs/check.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, REGIONS = 6, LOCKS = 40 };

static unsigned word;

static long futex(int operation, unsigned value) {
    const struct timespec most = {10, 0};
    return syscall(SYS_futex, &word, operation, value, operation == FUTEX_WAIT ? &most : NULL, NULL, 0);
}

/* Waits until the word's last bit is so; then counts it up. */
static int take_turns(unsigned odd) {
    for (int i = 0; i < ROUNDS; i++) {
        unsigned now;
        while ((now = __atomic_load_n(&word, __ATOMIC_ACQUIRE)) % 2 != odd) {
            if (futex(FUTEX_WAIT, now) != 0 && errno != EAGAIN) {
                return 0;
            }
        }
        __atomic_fetch_add(&word, 1, __ATOMIC_RELEASE);
        futex(FUTEX_WAKE, 1);
    }
    return 1;
}

static void *odd_turns(void *turns) {
    return take_turns(1) ? turns : NULL;
}

static int counts_right(int region) {
    static omp_lock_t locks[REGIONS][LOCKS];
    static int counts[REGIONS][LOCKS];
    int right = 1;
    for (int k = 0; k < LOCKS; k++) {
        omp_init_lock(&locks[region][k]);
    }
#pragma omp parallel
    for (int k = 0; k < LOCKS; k++) {
        omp_set_lock(&locks[region][k]);
        counts[region][k]++;
        omp_unset_lock(&locks[region][k]);
    }
    for (int k = 0; k < LOCKS; k++) {
        right = right && counts[region][k] == omp_get_max_threads();
    }
    return right;
}

int main(void) {
    for (int i = 0; i < REGIONS; i++) {
        pthread_t thread;
        void *turns = NULL;
        CHECK(counts_right(i));
        CHECK(futex(FUTEX_WAIT, word + 1) == -1 && errno == EAGAIN);
        CHECK(pthread_create(&thread, NULL, odd_turns, &word) == 0);
        CHECK(take_turns(0));
        CHECK(pthread_join(thread, &turns) == 0 && turns);
        CHECK(word == 2u * ROUNDS * (unsigned)(i + 1));
    }
    return result();
}
