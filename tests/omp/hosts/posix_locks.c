/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x4 2x2 4x1 3x1
/* Locks, barriers and semaphores of POSIX threads are everybody's. */
#include "../inputs/check.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

enum { ROUNDS = 20 };

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t free_places, filled;
static long by_rwlock, by_mutex, by_spin, rows[256], place;

/* Soon, so that some waits end in vain. */
static struct timespec soon(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void count(void) {
    pthread_rwlock_wrlock(&rwlock);
    by_rwlock++;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_rdlock(&rwlock);
    CHECK(by_rwlock > 0);
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    for (int error = ETIMEDOUT; error;) {
        struct timespec time = soon();
        error = pthread_mutex_timedlock(&mutex, &time);
    }
    by_mutex++;
    pthread_mutex_unlock(&mutex);
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
}

/* Each reads what its neighbour wrote before the barrier. */
static int meet(int me, int threads) {
    int serial = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        rows[me] = round;
        serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        CHECK(rows[(me + 1) % threads] == round);
        pthread_barrier_wait(&barrier);
    }
    return serial;
}

static long hand_over(int me) {
    long sum = 0;
    for (int i = 1; i <= ROUNDS && me == 0; i++) {
        sem_wait(&free_places);
        place = i;
        sem_post(&filled);
    }
    for (int i = 1; i <= ROUNDS && me == 1; i++) {
        sem_wait(&filled);
        sum += place;
        sem_post(&free_places);
    }
    return sum;
}

int main(void) {
    int threads = omp_get_max_threads(), serial = 0;
    long sum = 0;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    sem_init(&free_places, 0, 1);
    sem_init(&filled, 0, 0);
#pragma omp parallel reduction(+ : serial, sum)
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < ROUNDS; round++) {
            count();
        }
        serial = meet(me, threads);
        sum = hand_over(me);
    }
    long all = (long)threads * ROUNDS;
    CHECK(by_rwlock == all && by_mutex == all && by_spin == all);
    CHECK(serial == ROUNDS);
    CHECK(threads < 2 || sum == ROUNDS * (ROUNDS + 1) / 2);
    int value = -1;
    CHECK(sem_getvalue(&free_places, &value) == 0 && value == 1);
    CHECK(sem_trywait(&filled) == -1 && errno == EAGAIN);
    struct timespec time = soon();
    CHECK(sem_timedwait(&filled, &time) == -1 && errno == ETIMEDOUT);
    CHECK(pthread_barrier_destroy(&barrier) == 0 && sem_destroy(&filled) == 0);
    return result();
}
