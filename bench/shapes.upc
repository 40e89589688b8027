// SPDX-License-Identifier: BSD-3-Clause
/*
 * Loops over the last thread's memory as users write them first, element by element, in the shapes
 * that a compiler does not recognise easily, against the same by one transfer and a private copy.
 */
#include "bench.h"
#include <upc_relaxed.h>

enum { N = 4096, ROWS = 64, ROUNDS = 20, B = 16, LARGE = 512, WIDE = 512 };

struct record {
    int key;
    double x, y;
};

struct vector {
    int n;
    shared [] double *elements;
    double sum;
};

static shared [N] double a[N * THREADS], b[N * THREADS];
static shared double cyclic[N * THREADS];
static shared [B] double block_cyclic[N * THREADS];
static shared [LARGE] double large_blocks[N * THREADS];
static shared [ROWS * ROWS] double matrix[THREADS][ROWS][ROWS];
static shared [WIDE * WIDE] double wide[THREADS][WIDE][WIDE];
static shared [N] struct record records[N * THREADS];
static shared [] double *shared row_table[ROWS * THREADS]; /* the last thread's rows */

static shared struct vector vectors[THREADS];

static long first, last; /* thread, its first element */
static int permuted[N];
static double copy[N];
static struct record record_copy[N];
static double wide_copy[WIDE][WIDE];

BENCH_KERNEL static double affine(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += a[first + i];
    }
    return s;
}

BENCH_KERNEL static double dimensions(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += a[last * N + i];
    }
    return s;
}

BENCH_KERNEL static double walk(void) {
    double s = 0;
    shared [N] double *p = &a[first];
    for (long i = 0; i < N; i++) {
        s += *p++;
    }
    return s;
}

BENCH_KERNEL static double down(void) {
    double s = 0;
    for (long i = N - 1; i >= 0; i--) {
        s += a[first + i];
    }
    return s;
}

BENCH_KERNEL static double until(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        if (a[first + i] < 0) {
            break;
        }
        s += a[first + i];
    }
    return s;
}

BENCH_KERNEL static double while_loop(void) {
    double s = 0;
    long i = 0;
    while (i < N) {
        s += a[first + i];
        i++;
    }
    return s;
}

BENCH_KERNEL static double each_cyclic(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += cyclic[i];
    }
    return s;
}

BENCH_KERNEL static double each_block_cyclic(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += block_cyclic[i];
    }
    return s;
}

BENCH_KERNEL static double each_of_large_blocks(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += large_blocks[i];
    }
    return s;
}

BENCH_KERNEL static double rows(void) {
    double s = 0;
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < ROWS; c++) {
            s += matrix[last][r][c];
        }
    }
    return s;
}

BENCH_KERNEL static double columns(void) {
    double s = 0;
    for (int c = 0; c < ROWS; c++) {
        for (int r = 0; r < ROWS; r++) {
            s += matrix[last][r][c];
        }
    }
    return s;
}

BENCH_KERNEL static double members(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += records[first + i].x * records[first + i].y;
    }
    return s;
}

BENCH_KERNEL static double gathered(void) {
    double s = 0;
    for (long i = 0; i < N; i++) {
        s += a[first + permuted[i]];
    }
    return s;
}

BENCH_KERNEL static double stored(void) {
    for (long i = 0; i < N; i++) {
        b[first + i] = 1;
    }
    return N;
}

BENCH_KERNEL static double changed(void) {
    for (long i = 0; i < N; i++) {
        b[first + i] += 1;
    }
    return N;
}

BENCH_KERNEL static double rows_by_table(void) {
    double s = 0;
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < ROWS; c++) {
            s += row_table[r][c];
        }
    }
    return s;
}

BENCH_KERNEL static double reversed(void) {
    for (long i = 0; i < N; i++) {
        b[first + N - 1 - i] = a[first + i];
    }
    return N;
}

BENCH_KERNEL static double buckets(void) {
    enum { BUCKETS = 8 };
    int next[BUCKETS];
    for (int k = 0; k < BUCKETS; k++) {
        next[k] = k * (N / BUCKETS);
    }
    for (long i = 0; i < N; i++) {
        b[first + next[permuted[i] % BUCKETS]++] = 1;
    }
    return N;
}

/* ---- the same by hand ---- */

BENCH_KERNEL static double sum_of_copy(void) {
    double s = 0;
    for (int i = 0; i < N; i++) {
        s += copy[i];
    }
    return s;
}

static double got(void) {
    upc_memget(copy, &a[first], sizeof copy);
    return sum_of_copy();
}

static double got_permuted(void) {
    double s = 0;
    upc_memget(copy, &a[first], sizeof copy);
    for (int i = 0; i < N; i++) {
        s += copy[permuted[i]];
    }
    return s;
}

BENCH_KERNEL static double vector(void) {
    double s = 0;
    shared struct vector *v = &vectors[last];
    for (int i = 0; i < v->n; i++) {
        s += v->elements[i];
    }
    return s;
}

BENCH_KERNEL static double summed(void) {
    shared struct vector *v = &vectors[last];
    v->sum = 0;
    for (int i = 0; i < N; i++) {
        v->sum += a[first + i];
    }
    return v->sum;
}

BENCH_KERNEL static double some(void) {
    double s = 0;
    for (int i = 0; i < N; i++) {
        if (a[first + i] < 0) {
            continue;
        }
        s += a[first + i];
    }
    return s;
}

static double got_and_summed(void) {
    vectors[last].sum = got();
    return vectors[last].sum;
}

/* A matrix of 2 MiB whose rows have several lines of the read cache: if the columns' lines do not stay
 * there until the next columns are read, each element costs a round trip. */
BENCH_KERNEL static double wide_columns(void) {
    double s = 0;
    for (int c = 0; c < WIDE; c++) {
        for (int r = 0; r < WIDE; r++) {
            s += wide[last][r][c];
        }
    }
    return s / (WIDE * WIDE / N);
}

static double got_wide(void) {
    double s = 0;
    upc_memget(wide_copy, &wide[last], sizeof wide_copy);
    for (int c = 0; c < WIDE; c++) {
        for (int r = 0; r < WIDE; r++) {
            s += wide_copy[r][c];
        }
    }
    return s / (WIDE * WIDE / N);
}

static double got_records(void) {
    double s = 0;
    upc_memget(record_copy, &records[first], sizeof record_copy);
    for (int i = 0; i < N; i++) {
        s += record_copy[i].x * record_copy[i].y;
    }
    return s;
}

static double put(void) {
    upc_memput(&b[first], copy, sizeof copy);
    return N;
}

static double got_and_put_reversed(void) {
    upc_memget(copy, &a[first], sizeof copy);
    for (int i = 0; i < N / 2; i++) {
        double x = copy[i];
        copy[i] = copy[N - 1 - i];
        copy[N - 1 - i] = x;
    }
    return put();
}

static double put_buckets(void) {
    for (int i = 0; i < N; i++) {
        copy[permuted[i]] = 1;
    }
    return put();
}

static double got_and_put(void) {
    upc_memget(copy, &b[first], sizeof copy);
    return put();
}

static const struct {
    const char *name;
    double (*loop)(void), (*reference)(void);
} shapes[] = {
    {"shape-affine", affine, got},
    {"shape-dimensions", dimensions, got},
    {"shape-walk", walk, got},
    {"shape-down", down, got},
    {"shape-break", until, got},
    {"shape-while", while_loop, got},
    {"shape-cyclic", each_cyclic, got},
    {"shape-block-cyclic", each_block_cyclic, got},
    {"shape-large-blocks", each_of_large_blocks, got},
    {"shape-rows", rows, got},
    {"shape-columns", columns, got},
    {"shape-wide-columns", wide_columns, got_wide},
    {"shape-members", members, got_records},
    {"shape-gather", gathered, got_permuted},
    {"shape-store", stored, put},
    {"shape-change", changed, got_and_put},
    {"shape-row-table", rows_by_table, got},
    {"shape-reverse", reversed, got_and_put_reversed},
    {"shape-buckets", buckets, put_buckets},
    {"shape-vector", vector, got},
    {"shape-sum", summed, got_and_summed},
    {"shape-some", some, got},
};

static void run(double (*what)(void), struct bench_times *times) {
    upc_fence;
    double t0 = bench_now();
    double sum = what();
    upc_fence;
    bench_add(times, bench_now() - t0);
    bench_check(sum == N, "the sum is %g", sum);
}

/* What a shape leaves in the other thread's memory. */
static void check_stores(const char *name, double (*what)(void), double before, double after) {
    for (long i = 0; i < N; i++) {
        b[first + i] = copy[i] = before;
    }
    upc_fence;
    what();
    upc_fence;
    for (long i = 0; i < N; i++) {
        bench_check(b[first + i] == after, "%s: element %ld is %g", name, i, b[first + i]);
    }
    for (long i = 0; i < N; i++) {
        copy[i] = 1;
    }
}

static void make(void) {
    for (long i = 0; i < N * THREADS; i++) {
        if (upc_threadof(&a[i]) == MYTHREAD) {
            a[i] = b[i] = 1;
            records[i].x = records[i].y = 1;
        }
        if (upc_threadof(&cyclic[i]) == MYTHREAD) {
            cyclic[i] = 1;
        }
        if (upc_threadof(&block_cyclic[i]) == MYTHREAD) {
            block_cyclic[i] = 1;
        }
        if (upc_threadof(&large_blocks[i]) == MYTHREAD) {
            large_blocks[i] = 1;
        }
    }
    for (int i = 0; i < N; i++) {
        matrix[MYTHREAD][i / ROWS][i % ROWS] = 1;
        permuted[i] = (int)(i * 2654435761u % N);
        copy[i] = 1;
    }
    for (int i = 0; i < WIDE * WIDE; i++) {
        wide[MYTHREAD][i / WIDE][i % WIDE] = 1;
    }
    vectors[MYTHREAD].n = N;
    vectors[MYTHREAD].elements = (shared [] double *)&a[MYTHREAD * N];
}

int main(void) {
    last = THREADS - 1;
    first = last * N;
    make();
    for (int r = 0; MYTHREAD == last && r < ROWS; r++) {
        row_table[r] = (shared [] double *)&matrix[last][r][0];
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        check_stores("shape-change", changed, 7, 8);
        check_stores("shape-store", stored, 7, 1);
        check_stores("shape-reverse", reversed, 7, 1);
        check_stores("shape-buckets", buckets, 7, 1);
    }
    for (size_t i = 0; MYTHREAD == 0 && i < sizeof shapes / sizeof *shapes; i++) {
        struct bench_times times = {{0}, 0}, ref = {{0}, 0};
        for (int round = 0; round < ROUNDS; round++) {
            run(shapes[i].loop, &times);
            run(shapes[i].reference, &ref);
        }
        bench_time_against(shapes[i].name, "us", 1e6, &times, &ref);
    }
    upc_barrier;
    return 0;
}
