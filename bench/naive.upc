// SPDX-License-Identifier: BSD-3-Clause
/*
 * Whole programs as they are written first, element by element, against the same with aggregation by
 * hand: LU factorisation, matrix product, histogram, counts of k-mers in a hash table, breadth-first
 * search. All threads take part in both.
 */
#include "bench.h"
#include <string.h>
#include <upc_relaxed.h>

enum { THREADS_MOST = 8 };
enum { N = 64, ROUNDS = 7, MANY = 1 << 16, BINS = 1 << 12, VERTICES = 1 << 12, DEGREE = 8 };

static unsigned long next_random(unsigned long *state) {
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 33;
}

/* ---- LU factorisation without pivoting, row i on thread i % THREADS ---- */

static shared [N] double lu[N * THREADS][N]; /* of which N rows are used; so below */

static void make_lu(void) {
    for (int i = MYTHREAD; i < N; i += THREADS) {
        for (int j = 0; j < N; j++) {
            lu[i][j] = i == j ? N : 1.0 / (1 + i + j);
        }
    }
}

BENCH_KERNEL static void factor(void) {
    for (int k = 0; k < N - 1; k++) {
        for (int i = k + 1; i < N; i++) {
            if (i % THREADS == MYTHREAD) {
                lu[i][k] /= lu[k][k];
                for (int j = k + 1; j < N; j++) {
                    lu[i][j] -= lu[i][k] * lu[k][j];
                }
            }
        }
        upc_barrier;
    }
}

BENCH_KERNEL static void factor_rows(void) {
    double row[N];
    for (int k = 0; k < N - 1; k++) {
        upc_memget(row, lu[k], sizeof row);
        for (int i = k + 1; i < N; i++) {
            if (i % THREADS == MYTHREAD) {
                double *mine = (double *)&lu[i][0], f = mine[k] /= row[k];
                for (int j = k + 1; j < N; j++) {
                    mine[j] -= f * row[j];
                }
            }
        }
        upc_barrier;
    }
}

static double sum_lu(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            sum += (i + 1) * lu[i][j];
        }
    }
    return sum;
}

/* ---- matrix product, rows dealt out ---- */

static shared [N] double left[N * THREADS][N], right[N * THREADS][N], product[N * THREADS][N];

static void make_product(void) {
    for (int i = MYTHREAD; i < N; i += THREADS) {
        for (int j = 0; j < N; j++) {
            left[i][j] = i + j;
            right[i][j] = i - j;
            product[i][j] = 0;
        }
    }
}

BENCH_KERNEL static void multiply(void) {
    for (int i = 0; i < N; i++) {
        if (i % THREADS == MYTHREAD) {
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++) {
                    sum += left[i][k] * right[k][j];
                }
                product[i][j] = sum;
            }
        }
    }
    upc_barrier;
}

BENCH_KERNEL static void multiply_copied(void) {
    static double all[N][N];
    for (int k = 0; k < N; k++) {
        upc_memget(all[k], right[k], sizeof all[k]);
    }
    for (int i = MYTHREAD; i < N; i += THREADS) {
        double *a = (double *)&left[i][0], *c = (double *)&product[i][0];
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) {
                sum += a[k] * all[k][j];
            }
            c[j] = sum;
        }
    }
    upc_barrier;
}

static double sum_product(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            sum += (i + 1) * product[i][j];
        }
    }
    return sum;
}

/* ---- what is sent to other threads by hand: keys in lists, one for each pair of threads ---- */

static shared [] int *shared inbox[THREADS]; /* one list of MANY from each thread */
static shared [THREADS_MOST] int n_sent[THREADS][THREADS_MOST];

static void send_lists(const int *keys, int n) {
    static int list[MANY];
    for (int to = 0; to < THREADS; to++) {
        int length = 0;
        for (int i = 0; i < n; i++) {
            if (keys[i] % THREADS == to) {
                list[length++] = keys[i];
            }
        }
        n_sent[to][MYTHREAD] = length;
        upc_memput(inbox[to] + MYTHREAD * (long)MANY, list, sizeof(int) * (size_t)length);
    }
    upc_barrier;
}

/* ---- histogram: bin b is thread b % THREADS's, and counted by thread b / THREADS % THREADS ---- */

static shared long histogram[BINS * THREADS];
static int values[MANY];

static void make_histogram(void) {
    unsigned long state = (unsigned long)MYTHREAD;
    for (int i = 0; i < MANY; i++) {
        int group = (int)(next_random(&state) % (BINS / THREADS / THREADS));
        values[i] = (group * THREADS + MYTHREAD) * THREADS + (int)(next_random(&state) % THREADS);
    }
    for (int i = MYTHREAD; i < BINS; i += THREADS) {
        histogram[i] = 0;
    }
}

BENCH_KERNEL static void count(void) {
    for (int i = 0; i < MANY; i++) {
        histogram[values[i]] += 1;
    }
    upc_barrier;
}

BENCH_KERNEL static void count_sent(void) {
    long *mine = (long *)&histogram[MYTHREAD];
    send_lists(values, MANY);
    for (int from = 0; from < THREADS; from++) {
        const int *list = (const int *)(inbox[MYTHREAD] + from * (long)MANY);
        for (int i = 0, n = n_sent[MYTHREAD][from]; i < n; i++) {
            mine[list[i] / THREADS]++;
        }
    }
    upc_barrier;
}

static double sum_histogram(void) {
    double sum = 0;
    for (int i = 0; i < BINS; i++) {
        sum += (i % 97) * (double)histogram[i];
    }
    return sum;
}

/* ---- breadth-first search: vertex v is thread v % THREADS's, which has its edges ---- */

static shared int distance[VERTICES * THREADS];
static int edges[VERTICES][DEGREE]; /* of the thread's own */
static int frontier[VERTICES], n_frontier;

static void make_search(void) {
    unsigned long state = 77 + (unsigned long)MYTHREAD;
    for (int v = MYTHREAD; v < VERTICES; v += THREADS) {
        for (int e = 0; e < DEGREE; e++) {
            edges[v][e] = (int)(next_random(&state) % VERTICES);
        }
        distance[v] = v == 0 ? 0 : -1;
    }
}

/* Whether the thread has vertices of the level. */
static int find_frontier(int level) {
    n_frontier = 0;
    for (int v = MYTHREAD; v < VERTICES; v += THREADS) {
        if (distance[v] == level) {
            frontier[n_frontier++] = v;
        }
    }
    return n_frontier;
}

enum { LEVELS = 8 };

BENCH_KERNEL static void search(void) {
    for (int level = 0; level < LEVELS; level++) {
        find_frontier(level);
        upc_barrier;
        for (int i = 0; i < n_frontier; i++) {
            for (int e = 0; e < DEGREE; e++) {
                int v = edges[frontier[i]][e];
                if (distance[v] < 0) {
                    distance[v] = level + 1;
                }
            }
        }
        upc_barrier;
    }
}

BENCH_KERNEL static void search_sent(void) {
    static int keys[VERTICES * DEGREE];
    int *mine = (int *)&distance[MYTHREAD];
    for (int level = 0; level < LEVELS; level++) {
        int n = 0;
        find_frontier(level);
        for (int i = 0; i < n_frontier; i++) {
            for (int e = 0; e < DEGREE; e++) {
                keys[n++] = edges[frontier[i]][e];
            }
        }
        send_lists(keys, n);
        for (int from = 0; from < THREADS; from++) {
            const int *list = (const int *)(inbox[MYTHREAD] + from * (long)MANY);
            for (int i = 0, length = n_sent[MYTHREAD][from]; i < length; i++) {
                if (mine[list[i] / THREADS] < 0) {
                    mine[list[i] / THREADS] = level + 1;
                }
            }
        }
        upc_barrier;
    }
}

static double sum_distances(void) {
    double sum = 0;
    for (int v = 0; v < VERTICES; v++) {
        sum += (v % 31) * (double)distance[v];
    }
    return sum;
}

/* ---- k-mers: their counts are looked up in a hash table with open addresses ---- */

enum { SLOTS = 1 << 13, KMERS = SLOTS / 2, QUERIES = 1 << 14 };
struct slot {
    unsigned key, count;
};
static shared [SLOTS] struct slot tables[THREADS][SLOTS]; /* the owner's part, by hash */
static unsigned queries[QUERIES];
static double n_found;

static unsigned hash_of(unsigned key) {
    return key * 2654435761u >> 7;
}

static unsigned owner_of(unsigned key) {
    return hash_of(key) % (unsigned)THREADS;
}

static void make_table(void) {
    unsigned long state = 5;
    struct slot *mine = (struct slot *)&tables[MYTHREAD][0];
    memset(mine, 0, sizeof(struct slot) * SLOTS);
    for (int i = 0; i < KMERS; i++) {
        unsigned key = (unsigned)(next_random(&state) % 20000 + 1);
        if (owner_of(key) == (unsigned)MYTHREAD) {
            unsigned at = hash_of(key) / (unsigned)THREADS % SLOTS;
            while (mine[at].key && mine[at].key != key) {
                at = (at + 1) % SLOTS;
            }
            mine[at].key = key;
            mine[at].count++;
        }
    }
    state = 9 + (unsigned long)MYTHREAD;
    for (int i = 0; i < QUERIES; i++) {
        queries[i] = (unsigned)(next_random(&state) % 20000 + 1);
    }
}

BENCH_KERNEL static void look_up(void) {
    n_found = 0;
    for (int i = 0; i < QUERIES; i++) {
        unsigned key = queries[i], owner = owner_of(key);
        unsigned at = hash_of(key) / (unsigned)THREADS % SLOTS;
        while (tables[owner][at].key && tables[owner][at].key != key) {
            at = (at + 1) % SLOTS;
        }
        n_found += tables[owner][at].count;
    }
    upc_barrier;
}

/* The tables are small enough to be copied; the next best would be lists of queries and of answers. */
BENCH_KERNEL static void look_up_copied(void) {
    static struct slot copies[THREADS_MOST][SLOTS];
    for (int t = 0; t < THREADS; t++) {
        upc_memget(copies[t], tables[t], sizeof copies[t]);
    }
    n_found = 0;
    for (int i = 0; i < QUERIES; i++) {
        unsigned key = queries[i], owner = owner_of(key);
        unsigned at = hash_of(key) / (unsigned)THREADS % SLOTS;
        while (copies[owner][at].key && copies[owner][at].key != key) {
            at = (at + 1) % SLOTS;
        }
        n_found += copies[owner][at].count;
    }
    upc_barrier;
}

static double sum_found(void) {
    return n_found;
}

/* ---- drivers ---- */

static void run(const char *name, void (*make)(void), void (*naive)(void), void (*by_hand)(void),
                double (*sum)(void)) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    double sums[2] = {0, 0};
    for (int round = 0; round < 2 * ROUNDS; round++) {
        make();
        upc_barrier;
        double t0 = bench_now();
        (round % 2 ? by_hand : naive)();
        bench_add(round % 2 ? &ref : &times, bench_now() - t0);
        upc_barrier;
        sums[round % 2] = sum();
        upc_barrier;
    }
    bench_check(sums[0] > sums[1] - 1e-6 && sums[0] < sums[1] + 1e-6, "%s: %g, by hand %g", name,
                sums[0], sums[1]);
    if (MYTHREAD == 0) {
        bench_time_against(name, "us", 1e6, &times, &ref);
    }
}

int main(void) {
    bench_check(THREADS <= THREADS_MOST, "%d threads are too many", THREADS);
    inbox[MYTHREAD] = upc_alloc(sizeof(int) * MANY * (size_t)THREADS);
    upc_barrier;
    run("naive-lu", make_lu, factor, factor_rows, sum_lu);
    run("naive-product", make_product, multiply, multiply_copied, sum_product);
    run("naive-histogram", make_histogram, count, count_sent, sum_histogram);
    run("naive-search", make_search, search, search_sent, sum_distances);
    run("naive-kmers", make_table, look_up, look_up_copied, sum_found);
    return 0;
}
