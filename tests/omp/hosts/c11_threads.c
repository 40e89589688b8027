// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 3x1
// C11's mutexes, condition variables and threads are everybody's, as POSIX's are; and what the kernel
// writes to memory that another host has written.
#define _GNU_SOURCE
#include "../inputs/check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <threads.h>

enum { TIMES = 500 };

static mtx_t mutex, recursive;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static long sum, onces, turn;

static void add_once(void) {
    onces++;
}

static int square(void *at) {
    *(int *)at *= *(int *)at;
    return 7;
}

static void mutexes(int n) {
    long got = 0;
#pragma omp parallel reduction(+ : got)
    {
        call_once(&once, add_once);
        for (int i = 0; i < TIMES; i++) {
            mtx_lock(&mutex);
            sum++;
            mtx_unlock(&mutex);
        }
        while (mtx_trylock(&recursive) != thrd_success) {
        }
        got += mtx_lock(&recursive) == thrd_success;
        mtx_unlock(&recursive);
        mtx_unlock(&recursive);
    }
    CHECK(sum == (long)TIMES * n && onces == 1 && got == n);
}

static void turns(void) {
#pragma omp parallel
    {
        mtx_lock(&mutex);
        while (turn != omp_get_thread_num()) {
            cnd_wait(&condition, &mutex);
        }
        turn++;
        cnd_broadcast(&condition);
        mtx_unlock(&mutex);
    }
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    mtx_lock(&mutex);
    CHECK(turn == omp_get_max_threads());
    CHECK(cnd_timedwait(&condition, &mutex, &now) == thrd_timedout);
    mtx_unlock(&mutex);
}

static void threads(int n) {
    long right = 0;
#pragma omp parallel reduction(+ : right)
    {
        int number = omp_get_thread_num(), result = 0;
        thrd_t thread;
        if (thrd_create(&thread, square, &number) == thrd_success &&
            thrd_join(thread, &result) == thrd_success) {
            right += number == omp_get_thread_num() * omp_get_thread_num() && result == 7;
        }
    }
    CHECK(right == n);
}

/* The pages of these are last written by the last thread, on the last host. */
static struct statx status;
static struct rusage used;
static struct timespec resolution;

static void kernel(void) {
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        memset(&status, 1, sizeof status);
        memset(&used, 1, sizeof used);
        memset(&resolution, 1, sizeof resolution);
    }
    CHECK(statx(AT_FDCWD, ".", 0, STATX_TYPE, &status) == 0 && S_ISDIR(status.stx_mode));
    CHECK(getrusage(RUSAGE_SELF, &used) == 0);
    CHECK(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && resolution.tv_sec == 0);
}

int main(void) {
    int n = omp_get_max_threads();
    mtx_init(&mutex, mtx_plain);
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    cnd_init(&condition);
    mutexes(n);
    turns();
    threads(n);
    kernel();
    return result();
}
