// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 3x1
// Keys that main, or any thread, has made are keys on all hosts: each thread has its own value, which
// the destructor gets when the thread ends.
#include "../inputs/check.h"

#include <pthread.h>
#include <threads.h>

static pthread_key_t key, inner;
static tss_t c11;
static int destroyed;

static void destroy(void *value) {
#pragma omp atomic
    destroyed += *(int *)value;
    free(value);
}

static int *number(int n) {
    int *at = malloc(sizeof *at);
    *at = n;
    return at;
}

static void *of_thread(void *n) {
    CHECK(pthread_getspecific(key) == NULL);
    CHECK(pthread_setspecific(key, n) == 0 && pthread_getspecific(key) == n);
    return NULL;
}

int main(void) {
    static char mark;
    int threads = 0, last = omp_get_max_threads() - 1;
    CHECK(pthread_key_create(&key, destroy) == 0 && tss_create(&c11, NULL) == thrd_success);
    CHECK(pthread_setspecific(key, &mark) == 0);
#pragma omp parallel reduction(+ : threads)
    {
        pthread_t thread;
        int me = omp_get_thread_num();
        threads++;
        CHECK(pthread_getspecific(key) == (me == 0 ? &mark : NULL) && tss_get(c11) == NULL);
        CHECK(tss_set(c11, &threads) == thrd_success && tss_get(c11) == &threads);
        CHECK(pthread_create(&thread, NULL, of_thread, number(1)) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        if (me == last) {
            CHECK(pthread_key_create(&inner, NULL) == 0);
        }
#pragma omp barrier
        CHECK(inner != key && pthread_getspecific(inner) == NULL);
        CHECK(pthread_setspecific(inner, &mark) == 0 && pthread_getspecific(inner) == &mark);
    }
    CHECK(destroyed == threads && pthread_getspecific(key) == &mark);
    tss_delete(c11);
    CHECK(pthread_key_delete(key) == 0 && pthread_key_delete(inner) == 0);
    return result();
}
