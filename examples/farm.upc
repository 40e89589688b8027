// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 8x1 1x8 4x2
/*
 * A task farm: thread 0 hands out intervals of numbers, the other threads count the primes in
 * them. An interval that is too long is cut, and its pieces become new tasks, so nobody knows
 * beforehand how many there will be.
 *
 * Shows Berkeley's semaphores. A task goes to a worker by a signalling put: the bytes, and a
 * semaphore that tells the worker that they are there. An answer is put back without waiting for
 * the copy; once it has arrived, two semaphores tell thread 0 that there is one, and whose.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_nb.h>

#define LIMIT 40000
#define LONGEST 700 /* numbers that a worker counts at once */
#define PIECES 3
#define BAG 1000

struct task {
    long begin, end; /* empty: no more tasks */
};

struct answer {
    long primes;
    int n_pieces; /* if it was cut; then nothing is counted yet */
    struct task pieces[PIECES];
};

/* What belongs to worker t has affinity to it, or for the answers to thread 0. */
shared struct task inbox[THREADS];
bupc_sem_t *shared has_task[THREADS], *shared has_answered[THREADS];
bupc_sem_t *shared answers; /* how many, of all workers */
shared [] struct answer *shared outbox;

static int is_prime(long n) {
    for (long d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return 0;
        }
    }
    return n >= 2;
}

static struct answer work_on(struct task task) {
    struct answer answer = {0, 0};
    long length = task.end - task.begin;
    if (length > LONGEST) {
        for (int i = 0; i < PIECES; i++) {
            answer.pieces[i].begin = task.begin + length * i / PIECES;
            answer.pieces[i].end = task.begin + length * (i + 1) / PIECES;
        }
        answer.n_pieces = PIECES;
        return answer;
    }
    for (long n = task.begin; n < task.end; n++) {
        answer.primes += is_prime(n);
    }
    return answer;
}

static void work(void) {
    for (;;) {
        bupc_sem_wait(has_task[MYTHREAD]);
        struct task task = inbox[MYTHREAD];
        if (task.begin == task.end) {
            return;
        }
        struct answer answer = work_on(task);
        upc_handle_t copy = upc_memput_nb(&outbox[MYTHREAD], &answer, sizeof answer);
        bupc_poll(); /* no use here; where messages travel, it lets them in */
        upc_sync(copy);
        bupc_sem_post(has_answered[MYTHREAD]);
        bupc_sem_post(answers);
    }
}

/* The master's private state. */
static struct task bag[BAG];
static int n_bag, n_out, *busy;
static long primes, tasks;

static void account(const struct answer *answer) {
    primes += answer->primes;
    for (int i = 0; i < answer->n_pieces; i++) {
        if (n_bag == BAG) {
            upc_global_exit(1);
        }
        bag[n_bag++] = answer->pieces[i];
    }
}

static void send(int worker, struct task task) {
    bupc_memput_signal(&inbox[worker], &task, sizeof task, has_task[worker], 1);
}

static void hand_out(void) {
    for (int t = 1; t < THREADS && n_bag > 0; t++) {
        if (!busy[t]) {
            busy[t] = 1;
            n_out++;
            tasks++;
            send(t, bag[--n_bag]);
        }
    }
}

/* Takes the answer of one worker; there is at least one. */
static void collect(void) {
    bupc_sem_wait(answers);
    for (int t = 1; t < THREADS; t++) {
        if (busy[t] && bupc_sem_try(has_answered[t])) {
            struct answer answer = outbox[t];
            account(&answer);
            busy[t] = 0;
            n_out--;
            return;
        }
    }
    printf("an answer is lost\n");
    upc_global_exit(1);
}

static void manage(void) {
    busy = calloc(THREADS, sizeof *busy);
    bag[n_bag++] = (struct task){0, LIMIT};
    while (n_bag > 0 || n_out > 0) {
        if (THREADS == 1) {
            struct answer answer = work_on(bag[--n_bag]);
            account(&answer);
            tasks++;
            continue;
        }
        hand_out();
        collect();
    }
    for (int t = 1; t < THREADS; t++) {
        send(t, (struct task){0, 0});
    }
    free(busy);
}

int main(void) {
    has_task[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    has_answered[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    if (MYTHREAD == 0) {
        answers = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER | BUPC_SEM_SCONSUMER);
        outbox = upc_alloc(THREADS * sizeof(struct answer));
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        manage();
        printf("%ld primes below %d, in %ld tasks\n", primes, LIMIT, tasks);
    } else {
        work();
    }
    upc_barrier;
    bupc_sem_free(has_task[MYTHREAD]);
    bupc_sem_free(has_answered[MYTHREAD]);
    if (MYTHREAD == 0) {
        bupc_sem_free(answers);
        upc_free(outbox);
        if (primes != 4203) {
            printf("4203 expected\n");
            return 1;
        }
        printf("ok\n");
    }
    return 0;
}
