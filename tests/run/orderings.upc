// SPDX-License-Identifier: BSD-3-Clause
// Random programs of relaxed and strict accesses, updates, atomic operations, gathers, scatters, locks
// and fences, of which each value that is read must be one that UPC's memory model allows.
//@ mappings: 1x1 3x1 2x2 2:2x1 2:2x2 3:3x1 4:4x2 2:5x1
//@ args: {seed}
//@ spec: 5.1.2.3
//@ not-checked: random accesses race, and may find several values
#include <stdio.h>
#include <stdlib.h>
#include <upc_atomic.h>
#include <upc_relaxed.h>

// A counter has one writer, which counts up. So of its values each thread knows a least one: what the
// thread has written, what it has read before it synchronised, or what the writer had written
// before the strict write of a flag, whose value the thread has read. A read may give that or more.
enum { CELLS = 6 /* of each writer at each thread */, ROUNDS = 12, STEPS = 120, MOST = 8 };
struct cell {
    long value, pad[3];
};
static shared struct cell cells[THREADS * MOST * CELLS]; /* [of writer w: i * MOST + w][at thread t] */
static strict shared long flags[THREADS];
/* What the writer had written at a flag, for the last one and the one that comes. */
static shared long history[2 * THREADS * MOST * CELLS];
static shared long sums[THREADS], guarded[THREADS];
static upc_lock_t *locks[MOST];
static upc_atomicdomain_t *domain;
static long written[MOST][CELLS];    /* by this thread, of its cells at thread t */
static long least[MOST][MOST][CELLS]; /* [writer][at thread] */
static long added, locked[MOST];
static unsigned long state;
static int bad;

static unsigned some(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 20) % n;
}

static void check(int is, const char *what, long got, long wanted) {
    if (!is && bad++ < 5) {
        printf("thread %d: %s: %ld, and not %ld or more\n", MYTHREAD, what, got, wanted);
    }
}

static shared struct cell *cell(int writer, int t, int i) {
    return &cells[(i * MOST + writer) * THREADS + t];
}

static unsigned long address(shared void *p) {
    return upcr_address(*(unsigned long *)&p);
}

static void write_one(void) {
    int t = (int)some(THREADS), i = (int)some(CELLS);
    shared struct cell *c = cell(MYTHREAD, t, i);
    long *v = &written[t][i];
    long one = 1;
    unsigned long at = address(&c->value);
    switch (some(6)) {
    case 0:
        c->value = ++*v;
        break;
    case 1:
        c->value += 1;
        ++*v;
        break;
    case 2:
        upcr_update(UPCR_ADD, (void *)at, 1, sizeof one, __FILE__, __LINE__);
        ++*v;
        break;
    case 3:
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &c->value, &one, NULL);
        ++*v;
        break;
    case 4:
        ++*v;
        upcr_scatter(&at, v, 1, sizeof *v, __FILE__, __LINE__);
        break;
    default:
        ++*v;
        upc_memput(&c->value, v, sizeof *v);
    }
    if (some(2)) {
        long got = c->value;
        check(got == *v, "own value", got, *v);
    }
}

static void saw(int writer, int t, int i, long got, const char *what) {
    long low = writer == MYTHREAD ? written[t][i] : least[writer][t][i];
    check(got >= low && (writer != MYTHREAD || got == low), what, got, low);
}

static void read_one(void) {
    int w = (int)some(THREADS), t = (int)some(THREADS), i = (int)some(CELLS);
    saw(w, t, i, cell(w, t, i)->value, "a relaxed read");
}

static void read_many(void) {
    enum { N = 20 };
    unsigned long at[N];
    long got[N];
    int w[N], t[N], i[N];
    struct upcr_reads reads = {0};
    for (int k = 0; k < N; k++) {
        w[k] = (int)some(THREADS), t[k] = (int)some(THREADS), i[k] = (int)some(CELLS);
        at[k] = address(&cell(w[k], t[k], i[k])->value);
    }
    upcr_gather_start(got, at, N, sizeof *got, __FILE__, __LINE__, &reads);
    upcr_get_finish(&reads, __FILE__, __LINE__);
    for (int k = 0; k < N; k++) {
        saw(w[k], t[k], i[k], got[k], "a gather");
    }
}

static shared long *told(long flag, int w, int t, int i) {
    return &history[((flag % 2 * CELLS + i) * MOST + w) * THREADS + t];
}

/* The flag's value says how often; what was written before is in the history. */
static void tell(void) {
    long flag = flags[MYTHREAD] + 1;
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < CELLS; i++) {
            *told(flag, MYTHREAD, t, i) = written[t][i];
        }
    }
    flags[MYTHREAD] = flag;
}

static void hear(void) {
    int w = (int)some(THREADS);
    long low[MOST][CELLS], flag = flags[w];
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < CELLS; i++) {
            low[t][i] = *told(flag, w, t, i);
        }
    }
    if (flags[w] != flag) {
        return; /* the writer may be about to write that part of the history anew */
    }
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < CELLS; i++) {
            long *known = &least[w][t][i];
            *known = low[t][i] > *known ? low[t][i] : *known;
        }
    }
}

static void add_to_sum(void) {
    long one = 1, got;
    int t = (int)some(THREADS);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &sums[t], &one, NULL);
    added++;
    if (some(4) == 0) {
        upc_atomic_relaxed(domain, &got, UPC_GET, &sums[t], NULL, NULL);
        check(got >= 1, "an atomic read after an atomic update", got, 1);
    }
}

/* What a lock guards is counted without an atomic operation. */
static void count_locked(void) {
    int t = (int)some(THREADS);
    upc_lock(locks[t]);
    long before = guarded[t];
    for (int n = 1 + (int)some(3); n > 0; n--) {
        if (some(2)) {
            guarded[t] += 1;
        } else {
            upcr_update(UPCR_ADD, (void *)address(&guarded[t]), 1, sizeof before, __FILE__, __LINE__);
        }
        locked[t]++;
        before++;
    }
    check(guarded[t] == before, "under a lock", guarded[t], before);
    upc_unlock(locks[t]);
}

static void step(void) {
    switch (some(16)) {
    case 0:
        tell();
        break;
    case 1:
        hear();
        break;
    case 2:
        add_to_sum();
        break;
    case 3:
        count_locked();
        break;
    case 4:
        upc_fence;
        break;
    case 5:
    case 6:
        read_many();
        break;
    case 7:
    case 8:
    case 9:
        read_one();
        break;
    default:
        write_one();
    }
}

/* After a barrier everybody reads what was written before it. */
static void check_all(void) {
    tell();
    upc_barrier;
    for (int w = 0; w < THREADS; w++) {
        for (int t = 0; t < THREADS; t++) {
            for (int i = 0; i < CELLS; i++) {
                long truth = *told(flags[w], w, t, i), got = cell(w, t, i)->value;
                check(got == truth, "after a barrier", got, truth);
                least[w][t][i] = truth;
            }
        }
    }
    upc_barrier;
}

static shared long adds[THREADS], lockeds[THREADS * MOST];

static void check_sums(void) {
    adds[MYTHREAD] = added;
    for (int t = 0; t < THREADS; t++) {
        lockeds[t * THREADS + MYTHREAD] = locked[t];
    }
    upc_barrier;
    long all = 0, sum = 0;
    for (int t = 0; t < THREADS; t++) {
        all += adds[t];
        sum += sums[t];
        long count = 0;
        for (int by = 0; by < THREADS; by++) {
            count += lockeds[t * THREADS + by];
        }
        check(guarded[t] == count, "all under a lock", guarded[t], count);
    }
    check(sum == all, "all atomic updates", sum, all);
}

/* Both write, then read the other's: one of them at least sees the other's, whatever is on its way. */
static strict shared int stores[2 * THREADS];

static void store_and_load(void) {
    static shared int seen[2 * THREADS];
    for (int round = 0; round < 30; round++) {
        int side = MYTHREAD == 0 ? 0 : MYTHREAD == THREADS - 1 ? 1 : -1;
        if (side >= 0) {
            stores[side ? 0 : THREADS - 1] = 0;
        }
        upc_barrier;
        if (side >= 0) {
            for (int i = (int)some(20); i > 0; i--) {
                write_one();
            }
            stores[side ? 0 : THREADS - 1] = 1; /* at the other thread */
            seen[side] = stores[side ? THREADS - 1 : 0];
        }
        upc_barrier;
        check(THREADS == 1 || seen[0] + seen[1] > 0, "both missed the other's strict write", 0, 1);
        upc_barrier;
    }
}

int main(int argc, char **argv) {
    state = 88172645463325252u + 7919u * (unsigned long)(argc > 1 ? atoi(argv[1]) : 1) + MYTHREAD;
    for (int i = 0; i < 20; i++) {
        some(2);
    }
    if (THREADS > MOST) {
        printf("at most %d threads\n", MOST);
        return 1;
    }
    for (int t = 0; t < THREADS; t++) {
        locks[t] = upc_all_lock_alloc();
    }
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        check_all();
    }
    check_sums();
    store_and_load();
    upc_barrier;
    if (bad) {
        return 1;
    }
    printf("ok\n");
    return 0;
}
