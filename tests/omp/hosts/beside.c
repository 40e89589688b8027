// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 3x1
// A thread of main's own goes on taking a mutex while regions, which take it too, begin and end: the
// one that has it when host 0 waits for the end of a region can give it to a host that needs it.
#include "../inputs/check.h"

#include <pthread.h>

enum { REGIONS = 100, TIMES = 5, PLACES = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum, mine, places[PLACES];
static int stop;

static void *count(void *unused) {
    (void)unused;
    for (int over = 0; !over;) {
        pthread_mutex_lock(&mutex);
        over = stop;
        sum++;
        places[mine++ % PLACES]++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    long theirs = 0, all = 0;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, count, NULL) == 0);
    for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel reduction(+ : theirs)
        for (int i = 0; i < TIMES; i++) {
            pthread_mutex_lock(&mutex);
            sum++;
            theirs++;
            pthread_mutex_unlock(&mutex);
        }
    }
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_mutex_unlock(&mutex);
    CHECK(pthread_join(thread, NULL) == 0);
    for (int p = 0; p < PLACES; p++) {
        all += places[p];
    }
    CHECK(sum == mine + theirs && all == mine);
    CHECK(theirs == (long)REGIONS * TIMES * omp_get_max_threads());
    return result();
}
