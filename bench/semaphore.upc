// SPDX-License-Identifier: BSD-3-Clause
/*
 * Two threads tell each other in turns that it is the other's turn: by semaphores and by signalling
 * puts of 8 bytes. The floors are flags in cache lines of their own, and the same after a store of
 * 8 bytes to another line. The time is that of one way.
 */
#include "bench.h"
#include <sched.h>
#include <upc_castable.h>
#include <upc_relaxed.h>

#define TURNS 2000 /* of each thread in a round */
#define ROUNDS 100

/* A yield after this many looks keeps a busy machine going. */
#define PATIENCE 20000

struct line {
    long value, payload, unused[14];
};

static shared struct line flag[THREADS], inbox[THREADS];
static bupc_sem_t *shared semaphore[THREADS];

static bupc_sem_t *mine, *theirs;
static struct line *my_flag, *their_flag, *my_line, *their_line;
static shared long *their_inbox;
static volatile long got;

/* Release and acquire, as a semaphore has: what was written before a turn is seen in it. */
static void flag_give(long turn) {
    __atomic_store_n(&their_flag->value, turn, __ATOMIC_RELEASE);
}

static void flag_take(long turn) {
    for (long looks = 1; __atomic_load_n(&my_flag->value, __ATOMIC_ACQUIRE) < turn; looks++) {
        if (looks % PATIENCE == 0) {
            sched_yield();
        }
    }
}

static void store_give(long turn) {
    their_line->payload = turn;
    flag_give(turn);
}

static void store_take(long turn) {
    flag_take(turn);
    got = my_line->payload;
}

static void semaphore_give(long turn) {
    (void)turn;
    bupc_sem_post(theirs);
}

static void semaphore_take(long turn) {
    (void)turn;
    bupc_sem_wait(mine);
}

static void put_give(long turn) {
    bupc_memput_signal(their_inbox, &turn, sizeof turn, theirs, 1);
}

static void put_take(long turn) {
    (void)turn;
    bupc_sem_wait(mine);
    got = my_line->payload;
}

/* Turns that follow each other: each thread adds to what the other has written. */
static void check(void) {
    static shared long turns;
    upc_barrier;
    for (int turn = 0; turn < TURNS; turn++) {
        if (MYTHREAD == 1) {
            bupc_sem_wait(mine);
        }
        bench_check(turns == 2 * turn + MYTHREAD, "semaphores: turn %ld is not %d", turns,
                    2 * turn + MYTHREAD);
        turns++;
        bupc_sem_post(theirs);
        if (MYTHREAD == 0) {
            bupc_sem_wait(mine);
        }
    }
    upc_barrier;
    bench_check(!bupc_sem_try(mine), "semaphores: a post is left over");
}

/* With `puts`, each turn has a payload. */
static void play(void (*give)(long), void (*take)(long), long round, struct bench_times *times,
                 int puts) {
    upc_barrier;
    double begin = bench_now();
    for (long turn = round * TURNS + 1; turn <= (round + 1) * TURNS; turn++) {
        if (MYTHREAD == 0) {
            give(turn);
            take(turn);
        } else {
            take(turn);
            give(turn);
        }
    }
    bench_add(times, (bench_now() - begin) / (2 * TURNS));
    bench_check(!puts || got == (round + 1) * TURNS, "ping-pong: %ld was got in turn %ld", got,
                (round + 1) * TURNS);
}

int main(void) {
    struct bench_times flags = {{0}, 0}, stores = {{0}, 0};
    struct bench_times semaphores = {{0}, 0}, puts = {{0}, 0};
    int other = !MYTHREAD;
    semaphore[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    upc_barrier;
    mine = semaphore[MYTHREAD];
    theirs = semaphore[other];
    my_flag = (struct line *)&flag[MYTHREAD];
    their_flag = upc_cast(&flag[other]);
    my_line = (struct line *)&inbox[MYTHREAD];
    their_line = upc_cast(&inbox[other]);
    their_inbox = (shared long *)&inbox[other].payload;
    check();
    for (long round = 0; round < 2 * ROUNDS; round += 2) {
        play(flag_give, flag_take, round, &flags, 0);
        play(store_give, store_take, round + 1, &stores, 1);
        play(semaphore_give, semaphore_take, round, &semaphores, 0);
        play(put_give, put_take, round, &puts, 1);
    }
    if (MYTHREAD == 0) {
        bench_time("ping-pong-flags", "ns", 1e9, &flags);
        bench_time("ping-pong-flags-and-8-bytes", "ns", 1e9, &stores);
        bench_time("ping-pong-semaphores", "ns", 1e9, &semaphores);
        bench_time("ping-pong-signalling-puts", "ns", 1e9, &puts);
    }
    upc_barrier;
    bupc_sem_free(mine);
    return 0;
}
