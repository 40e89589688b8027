/* SPDX-License-Identifier: BSD-3-Clause */
/* All of <furlong/tmk.h> between all processes, which check what they get; as a program that all
 * processes run, or with the argument "forks" as one that process 0 runs. Prints "ok" and the number
 * of processes. */
#include <furlong/tmk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000, ROUNDS = 20, QUEUE = 4 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("process %u, line %d: %s\n", Tmk_proc_id, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct shared {
    long sum, produced, taken, total;
    long queue[QUEUE];
    int array[N];
};
static struct shared *shared; /* private; distributed */
static double constants[3];

static unsigned first(unsigned proc) {
    return (unsigned)((size_t)N * proc / Tmk_nprocs);
}

/* ---- locks and barriers ---- */

static void sums(void) {
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = first(Tmk_proc_id); i < first(Tmk_proc_id + 1); i++) {
            shared->array[i] = round + (int)i;
        }
        Tmk_barrier(round % TMK_BARRIERS);
        unsigned i = ((unsigned)round * 997 + Tmk_proc_id * 131) % N;
        CHECK(shared->array[i] == round + (int)i);
        Tmk_lock_acquire(5);
        shared->sum += round;
        Tmk_lock_release(5);
        Tmk_barrier(0);
    }
    CHECK(shared->sum == (long)Tmk_nprocs * ROUNDS * (ROUNDS - 1) / 2);
}

/* ---- a bounded queue: process 0 produces ---- */

enum { LOCK = 9, FILLED = 1, DRAINED = 2, ITEMS = 100 };

static void produce(long item) {
    Tmk_lock_acquire(LOCK);
    while (shared->produced - shared->taken == QUEUE) {
        Tmk_lock_cond_wait(LOCK, DRAINED);
    }
    shared->queue[shared->produced++ % QUEUE] = item;
    Tmk_lock_cond_signal(LOCK, FILLED);
    Tmk_lock_release(LOCK);
}

static void consume(void) {
    for (long item = 1; item > 0;) {
        Tmk_lock_acquire(LOCK);
        while (shared->produced == shared->taken) {
            Tmk_lock_cond_wait(LOCK, FILLED);
        }
        item = shared->queue[shared->taken++ % QUEUE];
        shared->total += item;
        Tmk_lock_cond_broadcast(LOCK, DRAINED);
        Tmk_lock_release(LOCK);
    }
}

static void queue(void) {
    if (Tmk_nprocs == 1) {
        return;
    }
    if (Tmk_proc_id > 0) {
        consume();
    }
    for (long i = 1; Tmk_proc_id == 0 && i <= ITEMS; i++) {
        produce(i);
    }
    for (unsigned p = 1; Tmk_proc_id == 0 && p < Tmk_nprocs; p++) {
        produce(0);
    }
    Tmk_barrier(3);
    CHECK(shared->total == ITEMS * (ITEMS + 1) / 2);
}

/* ---- memory ---- */

static void memory(void) {
    enum { BLOCKS = 64 };
    static __thread char *mine[BLOCKS]; /* other static variables are shared on a host */
    for (int i = 0; i < BLOCKS; i++) {
        size_t bytes = (size_t)1 << (i % 14);
        mine[i] = Tmk_malloc(bytes);
        CHECK(mine[i] && (size_t)mine[i] % (bytes >= Tmk_page_size ? Tmk_page_size : 16) == 0);
        memset(mine[i], (int)(Tmk_proc_id * BLOCKS) + i, bytes);
    }
    Tmk_barrier(4);
    for (int i = 0; i < BLOCKS; i++) {
        size_t bytes = (size_t)1 << (i % 14);
        char value = (char)(Tmk_proc_id * BLOCKS + (unsigned)i);
        CHECK(mine[i][0] == value && memcmp(mine[i], mine[i] + 1, bytes - 1) == 0);
        Tmk_free(mine[i]);
    }
    char *again = Tmk_malloc(8192);
    CHECK(again);
    Tmk_free(again);
    Tmk_free(NULL);
    CHECK(!Tmk_malloc((size_t)1 << 46));
    Tmk_barrier(5);
}

static void placement(void) {
    static char *pages; /* the same on all */
    enum { BYTES = 40 * 4096 };
    if (Tmk_proc_id == 0) {
        pages = Tmk_malloc(BYTES);
        memset(pages, 7, BYTES);
        Tmk_distribute(&pages, sizeof pages);
    }
    Tmk_barrier(6);
    unsigned last = Tmk_nprocs - 1;
    Tmk_place(pages, BYTES, last);
    struct Tmk_statistics before, after;
    Tmk_statistics(&before);
    if (Tmk_proc_id == last) {
        CHECK(pages[0] == 7 && memcmp(pages, pages + 1, BYTES - 1) == 0);
        memset(pages, 8, BYTES);
        Tmk_statistics(&after);
        CHECK(after.twins == before.twins && after.messages == before.messages);
    }
    Tmk_barrier(7);
    CHECK(pages[0] == 8 && memcmp(pages, pages + 1, BYTES - 1) == 0);
    Tmk_barrier(8);
}

static void everywhere(void) {
    if (Tmk_proc_id == 0) {
        shared = Tmk_malloc(sizeof *shared);
        Tmk_distribute(&shared, sizeof shared);
    }
    Tmk_barrier(0);
    sums();
    queue();
    memory();
    placement();
}

/* ---- forks ---- */

struct piece {
    int round;
    char text[40];
};

static void work(void *argument) {
    const struct piece *piece = argument;
    CHECK(strcmp(piece->text, "passed on") == 0 && constants[2] == 2.5);
    for (unsigned i = first(Tmk_proc_id); i < first(Tmk_proc_id + 1); i++) {
        CHECK(shared->array[i] == piece->round);
        shared->array[i] = piece->round + 1;
    }
    Tmk_barrier(1);
    CHECK(shared->array[(first(Tmk_proc_id) + N / 2) % N] == piece->round + 1);
    Tmk_lock_acquire(1);
    shared->sum++;
    Tmk_lock_release(1);
}

static void forks(void) {
    Tmk_workers();
    CHECK(Tmk_proc_id == 0);
    shared = Tmk_malloc(sizeof *shared);
    constants[2] = 2.5;
    Tmk_distribute(&shared, sizeof shared);
    Tmk_distribute(constants, sizeof constants);
    for (int round = 0; round < ROUNDS; round++) {
        struct piece piece = {2 * round, "passed on"};
        Tmk_fork(work, &piece, sizeof piece);
        work(&piece);
        Tmk_join();
        for (int i = 0; i < N; i++) {
            CHECK(shared->array[i]++ == 2 * round + 1);
        }
        CHECK(shared->sum == (long)Tmk_nprocs * (round + 1));
    }
}

int main(int argc, char **argv) {
    Tmk_startup(argc, argv);
    if (argc > 1) {
        forks();
    } else {
        everywhere();
    }
    if (Tmk_proc_id == 0) {
        printf("ok %u\n", Tmk_nprocs);
    }
    Tmk_exit(0);
}
