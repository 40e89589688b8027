// SPDX-License-Identifier: BSD-3-Clause
// Threads of POSIX in UPC: each UPC thread has workers that count words of its own into a shared
// table by atomic operations, and one that waits for all of them. The workers see the UPC thread's
// MYTHREAD and its private variables; barriers are for the UPC thread.
//
//     upcc -pthread pthreads.upc -o pthreads
//     upcrun -n 4 ./pthreads
#include <pthread.h>
#include <stdio.h>
#include <upc.h>
#include <upc_atomic.h>

enum { WORKERS = 3, WORDS = 3000, LENGTHS = 8 };

shared [] long count[LENGTHS]; // at thread 0
static upc_atomicdomain_t *domain;
static long here; // words of this process, under the mutex
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// A made-up word's length.
static int length(unsigned word)
{
    return (int)((word * 2654435761u >> 16) % LENGTHS);
}

static void *work(void *argument)
{
    unsigned worker = *(unsigned *)argument;
    long one = 1, n = 0;
    for (unsigned word = worker; word < WORDS; word += WORKERS, n++)
        upc_atomic_relaxed(domain, NULL, UPC_INC, &count[length(word + MYTHREAD)], &one, NULL);
    pthread_mutex_lock(&mutex);
    here += n;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[WORKERS];
    unsigned numbers[WORKERS];
    int wrong = 0;
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
    upc_barrier;
    for (unsigned i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    upc_barrier;
    if (MYTHREAD == 0) {
        long expected[LENGTHS] = {0}, sum = 0;
        for (int t = 0; t < THREADS; t++)
            for (unsigned word = 0; word < WORDS; word++)
                expected[length(word + t)]++;
        for (int i = 0; i < LENGTHS; i++) {
            wrong |= count[i] != expected[i];
            sum += count[i];
        }
        printf("%d UPC threads with %d workers have counted %ld words\n%s\n", THREADS, WORKERS, sum,
               wrong || here != WORDS ? "wrong" : "ok");
    }
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    return wrong || here != WORDS;
}
