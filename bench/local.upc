// SPDX-License-Identifier: BSD-3-Clause
/*
 * Programs on one host whose time is that of finding addresses: random reads and walks through
 * pointers-to-shared, random updates by all threads at once, a transpose in tiles, stencils over own
 * rows (plain ones, by functions for one element, with columns that wrap around, and by loops over a
 * window), a product of matrices, and a search; against the same in C (local_ref.c) on plain memory.
 */
#include "bench.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

enum { CACHED = 4096, SIDE = 1024, TILE = 32, ROUNDS = 60 };

double local_gather_ref(const double *p, const int *index, long n);
double local_walk_ref(const double *p, long n);
void local_updates_ref(uint64_t *table, uint64_t mask, uint64_t begin, uint64_t n);
void local_transpose_ref(double *to, const double *from, long side, long me, long threads);
void local_stencil_ref(double *to, const double *from, long rows, long columns);
void local_ring_ref(double *to, const double *from, long rows, long columns);
void local_window_ref(double *to, const double *from, double weight[3][3], long rows, long columns);
void local_product_ref(double *to, const double *from, const double *factor, long rows,
                       long columns);
long local_search_ref(const int *line, long n, int key);

shared double cyclic[CACHED * THREADS];
shared [64] double blocked[CACHED * THREADS];
static double plain[CACHED];
static int shuffled[CACHED];

enum { OWN_ROWS = 64, COLUMNS = 256 };
static shared [OWN_ROWS * COLUMNS] double grid[OWN_ROWS * THREADS][COLUMNS];
static shared [OWN_ROWS * COLUMNS] double next_grid[OWN_ROWS * THREADS][COLUMNS];
static double plain_grid[OWN_ROWS][COLUMNS], plain_next[OWN_ROWS][COLUMNS];
/* Rows are dealt to the threads. */
static shared [COLUMNS] double factor[OWN_ROWS * THREADS][COLUMNS];
static double plain_factor[OWN_ROWS][COLUMNS];
enum { OWN_LINE = 8192 };
static shared [OWN_LINE] int line[OWN_LINE * THREADS];
static int plain_line[OWN_LINE];
static double weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

static shared [SIDE] double (*from)[SIDE], (*to)[SIDE];
static double *plain_from, *plain_to;

BENCH_KERNEL static double gather_block64(shared [64] double *p, const int *index, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += p[index[i]];
    }
    return sum;
}

BENCH_KERNEL static double gather_cyclic(shared double *p, const int *index, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += p[index[i]];
    }
    return sum;
}

BENCH_KERNEL static double walk_cyclic(shared double *p, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += *p++;
    }
    return sum;
}

BENCH_KERNEL static double walk_block64(shared [64] double *p, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += *p++;
    }
    return sum;
}

BENCH_KERNEL static double index_cyclic(long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += cyclic[i];
    }
    return sum;
}

BENCH_KERNEL static void updates(shared uint64_t *table, uint64_t mask, uint64_t begin,
                                 uint64_t n) {
    uint64_t random = begin;
    for (uint64_t i = 0; i < n; i++) {
        random = random << 1 ^ ((int64_t)random < 0 ? 7u : 0);
        table[random & mask] ^= random;
    }
}

BENCH_KERNEL static void transpose(void) {
    int tile_row, tile_column, i, j;
    upc_forall (tile_row = 0; tile_row < SIDE; tile_row += TILE; tile_row / TILE) {
        for (tile_column = 0; tile_column < SIDE; tile_column += TILE) {
            for (i = tile_row; i < tile_row + TILE; i++) {
                for (j = tile_column; j < tile_column + TILE; j++) {
                    to[j][i] = from[i][j];
                }
            }
        }
    }
}

/* The thread's own rows but the first and the last, which have neighbours elsewhere. */
BENCH_KERNEL static void stencil(void) {
    int first = MYTHREAD * OWN_ROWS + 1, end = first + OWN_ROWS - 2;
    for (int i = first; i < end; i++) {
        for (int j = 1; j < COLUMNS - 1; j++) {
            next_grid[i][j] =
                0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
        }
    }
}

static inline double get(int i, int j) {
    return grid[i][j];
}

static inline void set(int i, int j, double value) {
    next_grid[i][j] = value;
}

BENCH_KERNEL static void accessors(void) {
    int first = MYTHREAD * OWN_ROWS + 1, end = first + OWN_ROWS - 2;
    for (int i = first; i < end; i++) {
        for (int j = 1; j < COLUMNS - 1; j++) {
            set(i, j, 0.25 * (get(i - 1, j) + get(i + 1, j) + get(i, j - 1) + get(i, j + 1)));
        }
    }
}

/* The same with all eight neighbours, by names, on columns that are a ring. */
BENCH_KERNEL static void ring(void) {
    int first = MYTHREAD * OWN_ROWS + 1, end = first + OWN_ROWS - 2;
    for (int i = first; i < end; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            int up = i - 1, down = i + 1;
            int left = (j + COLUMNS - 1) % COLUMNS, right = (j + 1) % COLUMNS;
            next_grid[i][j] = grid[up][left] + grid[up][j] + grid[up][right] + grid[i][left] +
                              grid[i][right] + grid[down][left] + grid[down][j] + grid[down][right];
        }
    }
}

BENCH_KERNEL static void window(void) {
    int first = MYTHREAD * OWN_ROWS + 1, end = first + OWN_ROWS - 2;
    for (int i = first; i < end; i++) {
        for (int j = 1; j < COLUMNS - 1; j++) {
            double sum = 0;
            for (int a = -1; a <= 1; a++) {
                for (int b = -1; b <= 1; b++) {
                    sum += weight[a + 1][b + 1] * grid[i + a][j + b];
                }
            }
            next_grid[i][j] = sum;
        }
    }
}

static long found, found_in_c;

BENCH_KERNEL static void search(void) {
    int first = MYTHREAD * OWN_LINE, i = first, end = first + OWN_LINE;
    while (i < end && line[i] != OWN_LINE - 1) {
        i++;
    }
    found = i - first;
}

BENCH_KERNEL static double while_cyclic(shared double *p, long n) {
    double sum = 0;
    long i = 0;
    while (i < n) {
        sum += p[i++];
    }
    return sum;
}

BENCH_KERNEL static double while_block64(shared [64] double *p, long n) {
    double sum = 0;
    shared [64] double *end = p + n;
    while (p < end) {
        sum += *p++;
    }
    return sum;
}

/* ---- by thread 0 alone ---- */

static double by_gather_block64(void) {
    return gather_block64(blocked, shuffled, CACHED);
}

static double by_gather_cyclic(void) {
    return gather_cyclic(cyclic, shuffled, CACHED);
}

static double by_gather_ref(void) {
    return local_gather_ref(plain, shuffled, CACHED);
}

static double by_walk_cyclic(void) {
    return walk_cyclic(cyclic, CACHED);
}

static double by_walk_block64(void) {
    return walk_block64(blocked, CACHED);
}

static double by_while_cyclic(void) {
    return while_cyclic(cyclic, CACHED);
}

static double by_while_block64(void) {
    return while_block64(blocked, CACHED);
}

static double by_index_cyclic(void) {
    return index_cyclic(CACHED);
}

static double by_walk_ref(void) {
    return local_walk_ref(plain, CACHED);
}

static void read_all(const char *name, double (*what)(void), double (*reference)(void)) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double t0 = bench_now(), sum = 0, sum_ref = 0;
        for (int i = 0; i < 8; i++) {
            sum += what();
        }
        double t1 = bench_now();
        for (int i = 0; i < 8; i++) {
            sum_ref += reference();
        }
        double t2 = bench_now();
        bench_check(sum == sum_ref, "%s: the sum is %g, not %g", name, sum, sum_ref);
        bench_add(&times, (t1 - t0) / 8);
        bench_add(&ref, (t2 - t1) / 8);
    }
    bench_rate(name, "M/s", 1e-6 * CACHED, &times, &ref);
}

/* ---- by all threads at once ---- */

/* Memory that all threads can use as C does: of the process, if there is but one. */
static void *memory_of_c(size_t bytes) {
    static shared struct { long process; void *memory; } of_thread[THREADS];
    of_thread[MYTHREAD].process = getpid();
    of_thread[MYTHREAD].memory = MYTHREAD == 0 ? calloc(1, bytes) : NULL;
    shared void *common = upc_all_alloc(1, bytes);
    bool is_common = of_thread[THREADS - 1].process != of_thread[0].process;
    void *memory = is_common ? upc_cast(common) : of_thread[0].memory;
    upc_barrier; /* before the next call writes of_thread */
    return memory;
}

static double timed(void (*what)(void)) {
    upc_barrier;
    double begin = bench_now();
    what();
    upc_barrier;
    return bench_now() - begin;
}

static shared uint64_t *table;
static uint64_t *plain_table, mask, n_updates;

static void all_update(void) {
    updates(table, mask, 0x123456789abcdefu + (uint64_t)MYTHREAD, n_updates);
}

static void all_update_ref(void) {
    local_updates_ref(plain_table, mask, 0x123456789abcdefu + (uint64_t)MYTHREAD, n_updates);
}

static void transpose_ref(void) {
    local_transpose_ref(plain_to, plain_from, SIDE, MYTHREAD, THREADS);
}

static void stencil_ref(void) {
    local_stencil_ref(&plain_next[0][0], &plain_grid[0][0], OWN_ROWS, COLUMNS);
}

static void ring_ref(void) {
    local_ring_ref(&plain_next[0][0], &plain_grid[0][0], OWN_ROWS, COLUMNS);
}

static void window_ref(void) {
    local_window_ref(&plain_next[0][0], &plain_grid[0][0], weight, OWN_ROWS, COLUMNS);
}

static void search_ref(void) {
    found_in_c = local_search_ref(plain_line, OWN_LINE, OWN_LINE - 1);
}

static void together(const char *name, const char *unit, double units, void (*what)(void),
                     void (*reference)(void)) {
    struct bench_times times = {{0}, 0}, ref = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&times, timed(what));
        bench_add(&ref, timed(reference));
    }
    if (MYTHREAD == 0) {
        bench_rate(name, unit, units, &times, &ref);
    }
}

/* Threads that update the same word at the same time lose updates: only one is checked. */
static void measure_updates(const char *name, uint64_t words, uint64_t n) {
    table = upc_all_alloc(words, sizeof(uint64_t));
    plain_table = memory_of_c(words * sizeof(uint64_t));
    mask = words - 1;
    n_updates = n;
    for (uint64_t i = (uint64_t)MYTHREAD; i < words; i += (uint64_t)THREADS) {
        table[i] = plain_table[i] = i;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        all_update();
        all_update_ref();
        for (uint64_t i = 0; i < words; i++) {
            bench_check(table[i] == plain_table[i], "%s: word %lu", name, (unsigned long)i);
        }
    }
    together(name, "GUPS", 1e-9 * (double)n * THREADS, all_update, all_update_ref);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(table);
    }
}

static void measure_transpose(void) {
    from = upc_all_alloc(SIDE, SIDE * sizeof(double));
    to = upc_all_alloc(SIDE, SIDE * sizeof(double));
    plain_from = memory_of_c(SIDE * SIDE * sizeof(double));
    plain_to = memory_of_c(SIDE * SIDE * sizeof(double));
    for (int i = MYTHREAD; i < SIDE; i += THREADS) {
        for (int j = 0; j < SIDE; j++) {
            from[i][j] = plain_from[i * SIDE + j] = i * SIDE + j;
        }
    }
    together("local-transpose", "GB/s", 2e-9 * SIDE * SIDE * sizeof(double), transpose,
             transpose_ref);
    for (int i = MYTHREAD; i < SIDE; i += THREADS) {
        for (int j = 0; j < SIDE; j++) {
            bench_check(to[i][j] == j * SIDE + i && plain_to[i * SIDE + j] == j * SIDE + i,
                        "local-transpose: element %d, %d", i, j);
        }
    }
}

static void measure_stencil(const char *name, void (*what)(void), void (*reference)(void)) {
    for (int i = 0; i < OWN_ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            grid[MYTHREAD * OWN_ROWS + i][j] = plain_grid[i][j] = i * j % 17;
        }
    }
    together(name, "M/s", 1e-6 * THREADS * (OWN_ROWS - 2) * (COLUMNS - 2), what, reference);
    for (int i = 0; i < OWN_ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            bench_check(next_grid[MYTHREAD * OWN_ROWS + i][j] == plain_next[i][j],
                        "%s: element %d, %d", name, i, j);
        }
    }
}

/* The thread's own rows times a matrix that all read. */
BENCH_KERNEL static void product(void) {
    int first = MYTHREAD * OWN_ROWS;
    for (int i = first; i < first + OWN_ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < OWN_ROWS; k++) {
                sum += grid[i][k] * factor[k][j];
            }
            next_grid[i][j] = sum;
        }
    }
}

static void product_ref(void) {
    local_product_ref(&plain_next[0][0], &plain_grid[0][0], &plain_factor[0][0], OWN_ROWS, COLUMNS);
}

static void measure_product(void) {
    for (int i = 0; i < OWN_ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            grid[MYTHREAD * OWN_ROWS + i][j] = plain_grid[i][j] = i * j % 17;
            plain_factor[i][j] = (i + j) % 13 - 6;
            if (i % THREADS == MYTHREAD) {
                factor[i][j] = plain_factor[i][j];
            }
        }
    }
    together("local-product", "M/s", 1e-6 * THREADS * OWN_ROWS * COLUMNS * OWN_ROWS, product,
             product_ref);
    for (int i = 0; i < OWN_ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            bench_check(next_grid[MYTHREAD * OWN_ROWS + i][j] == plain_next[i][j],
                        "local-product: element %d, %d", i, j);
        }
    }
}

static void measure_search(void) {
    for (int i = 0; i < OWN_LINE; i++) {
        line[MYTHREAD * OWN_LINE + i] = plain_line[i] = i;
    }
    together("local-search", "M/s", 1e-6 * THREADS * OWN_LINE, search, search_ref);
    bench_check(found == OWN_LINE - 1 && found_in_c == found, "local-search: %ld", found);
}

int main(void) {
    for (int i = 0; i < CACHED; i++) {
        shuffled[i] = i;
        plain[i] = i % 61;
    }
    unsigned long random = 12345;
    for (int i = CACHED - 1; i > 0; i--) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int j = (int)((random >> 33) % (unsigned long)(i + 1)), swapped = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = swapped;
    }
    if (MYTHREAD == 0) {
        for (int i = 0; i < CACHED; i++) {
            cyclic[i] = blocked[i] = plain[i];
        }
        read_all("local-gather-block64", by_gather_block64, by_gather_ref);
        read_all("local-gather-cyclic", by_gather_cyclic, by_gather_ref);
        read_all("local-walk-cyclic", by_walk_cyclic, by_walk_ref);
        read_all("local-walk-block64", by_walk_block64, by_walk_ref);
        read_all("local-while-cyclic", by_while_cyclic, by_walk_ref);
        read_all("local-while-block64", by_while_block64, by_walk_ref);
        read_all("local-index-cyclic", by_index_cyclic, by_walk_ref);
    }
    measure_updates("local-updates-cache", UINT64_C(1) << 12, 1 << 15);
    measure_updates("local-updates-memory", UINT64_C(1) << 23, 1 << 17);
    measure_transpose();
    measure_stencil("local-stencil", stencil, stencil_ref);
    measure_stencil("local-accessors", accessors, stencil_ref);
    measure_stencil("local-ring", ring, ring_ref);
    measure_stencil("local-window", window, window_ref);
    measure_product();
    measure_search();
    return 0;
}
