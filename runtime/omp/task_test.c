/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks through gcc's interface, called by hand: so TSan sees all that is read and written plainly
 * from one task to the other, and the order that the runtime must make. */
#include "omp/task.h"

#include "core/test.h"
#include "omp/team.h"

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
bool GOMP_single_start(void);
void GOMP_barrier(void);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *event);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **depend);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void omp_fulfill_event(void *event);

enum { SCALE = TEST_TSAN ? 1 : 10 };

static void task(void (*body)(void *), void *data, size_t size, void **depend) {
    GOMP_task(body, data, NULL, (long)size, 8, true, depend ? FL_OMP_TASK_DEPEND : 0, depend, 0,
              NULL);
}

/* ---- trees: parents read what children wrote ---- */

struct tree {
    long *sum;
    unsigned depth, seed;
};

static void grow(void *data) {
    struct tree tree = *(struct tree *)data;
    if (tree.depth == 0) {
        *tree.sum = 1;
        return;
    }
    unsigned n = 1 + tree.seed % 5;
    long sums[5] = {0}, expected = 0;
    bool group = tree.seed % 3 == 0;
    if (group) {
        GOMP_taskgroup_start();
    }
    for (unsigned i = 0; i < n; i++) {
        struct tree child = {&sums[i], tree.depth - 1, (tree.seed * 7 + i) % 101};
        bool deferred = (tree.seed + i) % 7 != 0;
        GOMP_task(grow, &child, NULL, sizeof child, 8, deferred, 0, NULL, 0, NULL);
    }
    if (group) {
        GOMP_taskgroup_end();
    } else {
        GOMP_taskwait();
    }
    for (unsigned i = 0; i < n; i++) {
        expected += sums[i];
    }
    *tree.sum = expected;
}

/* The number of leaves, without tasks. */
static long leaves(unsigned depth, unsigned seed) {
    long sum = depth == 0;
    for (unsigned i = 0; depth > 0 && i < 1 + seed % 5; i++) {
        sum += leaves(depth - 1, (seed * 7 + i) % 101);
    }
    return sum;
}

static void trees(void *data) {
    (void)data;
    for (unsigned seed = 1; seed < 4; seed++) {
        long sum = 0;
        struct tree tree = {&sum, 6, seed + 10 * fl_omp_me->number};
        grow(&tree);
        if (sum != leaves(tree.depth, tree.seed)) {
            printf("# seed %u: %ld leaves\n", tree.seed, sum);
            exit(1);
        }
    }
}

/* ---- orphans: only the barrier waits for them ---- */

static long *orphan_counts;

struct orphan {
    unsigned depth, place, width;
};

static void orphan(void *data) {
    struct orphan me = *(struct orphan *)data;
    orphan_counts[me.place]++;
    if (me.depth > 0) {
        unsigned half = me.width / 2;
        struct orphan left = {me.depth - 1, me.place + 1, half},
                      right = {me.depth - 1, me.place + 1 + half, half};
        task(orphan, &left, sizeof left, NULL);
        task(orphan, &right, sizeof right, NULL);
    }
}

static void orphans(void *data) {
    enum { DEPTH = 9, PLACES = 1 << (DEPTH + 1) };
    (void)data;
    for (int round = 0; round < 5; round++) {
        if (GOMP_single_start()) {
            orphan_counts = calloc(PLACES, sizeof *orphan_counts);
            struct orphan root = {DEPTH, 0, PLACES - 2};
            task(orphan, &root, sizeof root, NULL);
        }
        GOMP_barrier();
        for (int i = 0; i < PLACES - 1; i++) {
            if (orphan_counts[i] != 1) {
                printf("# orphan %d: %ld times\n", i, orphan_counts[i]);
                exit(1);
            }
        }
        GOMP_barrier();
        if (fl_omp_me->number == 0) {
            free(orphan_counts);
        }
        GOMP_barrier();
    }
}

/* ---- dependences: what stands in cells is what a sequential execution leaves ---- */

enum { CELLS = 12 };

struct step {
    long *cells;
    unsigned from[2], to;
    long number;
};

static void step(void *data) {
    struct step *s = data;
    s->cells[s->to] = (s->cells[s->to] + 3 * s->cells[s->from[0]] + s->cells[s->from[1]] + s->number) %
                      1000003;
}

static void dependences(void *data) {
    (void)data;
    long cells[CELLS] = {0}, expected[CELLS] = {0};
    unsigned random = 17 + fl_omp_me->number;
    for (long i = 0; i < 300 * SCALE; i++) {
        random = random * 1103515245u + 12345u;
        struct step s = {cells, {random >> 8 & 7, random >> 16 & 3}, (random >> 20) % CELLS, i};
        void *old[] = {(void *)3, (void *)1, &cells[s.to], &cells[s.from[0]], &cells[s.from[1]]};
        void *new[] = {0, (void *)3, (void *)0, (void *)1, (void *)2, &cells[s.to],
                       &cells[s.from[0]], &cells[s.from[1]]};
        bool inout = i % 3 != 0; /* else by the other layout, as mutexinoutset */
        task(step, &s, sizeof s, inout ? old : new);
        struct step same = s;
        same.cells = expected;
        step(&same);
        if (i % 64 == 63) {
            void *both[] = {(void *)2, (void *)1, &cells[1], &cells[2]};
            GOMP_taskwait_depend(both);
            if (cells[1] != expected[1] || cells[2] != expected[2]) {
                printf("# after %ld steps\n", i);
                exit(1);
            }
        }
    }
    GOMP_taskwait();
    if (memcmp(cells, expected, sizeof cells) != 0) {
        printf("# wrong at the end\n");
        exit(1);
    }
}

/* ---- events, from threads of the team and from others ---- */

static void *fulfil(void *event) {
    omp_fulfill_event(event);
    return NULL;
}

struct detached {
    void *event;
    long *value;
};

static void detached(void *data) {
    struct detached *me = data;
    ++*me->value;
}

static void fulfilling(void *data) {
    omp_fulfill_event(*(void **)data);
}

static void events(void *data) {
    (void)data;
    for (int i = 0; i < 20; i++) {
        long value = 0;
        void *event;
        void *inout[] = {(void *)1, (void *)1, &value};
        struct detached me = {NULL, &value};
        GOMP_task(detached, &me, NULL, sizeof me, 8, true, FL_OMP_TASK_DETACH | FL_OMP_TASK_DEPEND,
                  inout, 0, &event);
        task(detached, &me, sizeof me, inout);
        pthread_t thread;
        if (i % 2) {
            pthread_create(&thread, NULL, fulfil, event);
        } else {
            task(fulfilling, &event, sizeof event, NULL);
        }
        GOMP_taskwait();
        if (value != 2) {
            printf("# value %ld\n", value);
            exit(1);
        }
        if (i % 2) {
            pthread_join(thread, NULL);
        }
    }
}

/* ---- sleeping: tasks come after all others have gone to sleep ---- */

static void mark(void *data) {
    ++**(long **)data;
}

/* A dependence on all memory includes those on its parts, and some tasks name an address twice. */
static void all_memory(void *data) {
    (void)data;
    long mark_of_mine = 0, *mine = &mark_of_mine, other;
    long n = 100 * SCALE;
    for (long i = 0; i < n; i++) {
        void *all[] = {(void *)3, (void *)1, NULL, &other, &mark_of_mine};
        void *twice[] = {(void *)4, (void *)3, &mark_of_mine, &other, &mark_of_mine, &other};
        task(mark, &mine, sizeof mine, i % 3 ? all : twice);
    }
    GOMP_taskwait();
    if (mark_of_mine != n) {
        printf("# %ld tasks of %ld\n", mark_of_mine, n);
        exit(1);
    }
}

static void late(void *data) {
    (void)data;
    static long marks[30];
    long *mine = marks;
    if (GOMP_single_start()) {
        for (int i = 0; i < 30; i++) {
            marks[i] = 0;
            fl_os_nap();
            fl_os_nap();
            mine = &marks[i];
            task(mark, &mine, sizeof mine, NULL);
        }
    }
    GOMP_barrier();
    for (int i = 0; i < 30; i++) {
        if (marks[i] != 1) {
            printf("# mark %d: %ld\n", i, marks[i]);
            exit(1);
        }
    }
}

/* ---- the thread that waits ends, and its team does ---- */

struct published {
    void *event;
    _Atomic(void *) *handle;
};

static void publish(void *data) {
    struct published *me = data;
    atomic_store(me->handle, me->event);
}

/* The task's maker waits in taskwait, or in the task's construct. */
static void *wait_and_end(void *handle) {
    static _Atomic unsigned rounds;
    struct published me = {NULL, handle};
    void *event;
    GOMP_task(publish, &me, NULL, sizeof me, 8, atomic_fetch_add(&rounds, 1) % 2,
              FL_OMP_TASK_DETACH, NULL, 0, &event);
    GOMP_taskwait();
    return NULL;
}

static void ends(void) {
    for (int i = 0; i < 100 * SCALE; i++) {
        _Atomic(void *) handle = NULL;
        void *event;
        pthread_t thread;
        pthread_create(&thread, NULL, wait_and_end, &handle);
        while (!(event = atomic_load(&handle))) {
            sched_yield();
        }
        omp_fulfill_event(event);
        pthread_join(thread, NULL);
    }
    CHECK(true, "threads that end when their last task has");
}

int main(void) {
    static const unsigned counts[] = {1, 2, 3, 5, 7, 16};
    static const struct {
        const char *name;
        void (*body)(void *);
    } tests[] = {{"trees", trees},   {"orphans", orphans}, {"dependences", dependences},
                 {"events", events}, {"late", late},     {"all memory", all_memory}};
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
        for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
            for (int repeat = 0; repeat < SCALE / 3 + 1; repeat++) {
                GOMP_parallel(tests[i].body, NULL, counts[k], 0);
            }
            CHECK(true, "%s with %u threads", tests[i].name, counts[k]);
        }
    }
    ends();
    return test_done();
}
