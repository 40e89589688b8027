// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x2 3x1 5x1 1x7 2x2 2:2x1
//@ flags: -O2
/* Loops that go by whole blocks: down columns, from any row, of arrays and by pointers; and elements that
 * stand still beside them. */
#include <stdio.h>
#include <upc_relaxed.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            printf("%d: line %d: " #what "\n", MYTHREAD, __LINE__); \
            upc_global_exit(1); \
        } \
    } while (0)

enum { ROWS = 23, COLUMNS = 12, DEEP = 4 };
struct pair {
    char tag;
    long value;
};

static shared [COLUMNS] int rows[ROWS * THREADS][COLUMNS];
static shared [COLUMNS / 3] int parts[ROWS * THREADS][COLUMNS]; /* a row is three blocks */
static shared [2 * COLUMNS] int twos[2 * ROWS * THREADS][COLUMNS];
static shared [COLUMNS] struct pair pairs[ROWS * THREADS][COLUMNS];
static shared [DEEP * COLUMNS] int planes[ROWS * THREADS][DEEP][COLUMNS];
static shared int cyclic[ROWS * THREADS][COLUMNS];

static int at(int r, int c) {
    return 1000 * r + c;
}

static int sum_of(int from, int to, int c) {
    int sum = 0;
    for (int r = from; r < to; r++) {
        sum += at(r, c);
    }
    return sum;
}

static void fill(void) {
    for (int r = MYTHREAD; r < ROWS * THREADS; r += THREADS) {
        for (int c = 0; c < COLUMNS; c++) {
            rows[r][c] = parts[r][c] = cyclic[r][c] = at(r, c);
            pairs[r][c].value = at(r, c);
            for (int d = 0; d < DEEP; d++) {
                planes[r][d][c] = at(r, c) + d;
            }
        }
    }
    for (int r = MYTHREAD; r < 2 * ROWS * THREADS; r += THREADS) {
        for (int c = 0; c < COLUMNS; c++) {
            twos[r][c] = at(r, c);
        }
    }
}

/* Elements that all iterations access, of which the loop writes one. */
static void __attribute__((noinline)) standing(int k, int c, int n) {
    int scale = rows[k][c], sum = 0;
    for (int j = 0; j < n; j++) {
        sum += rows[k][c] * rows[k + 1][j] + parts[k][c];
    }
    for (int j = n - 1; j >= 0; j--) {
        sum += rows[k][c] * twos[k + 1][j];
    }
    for (int j = 0; j < n; j += 2) {
        sum += rows[k][c] * twos[k + 1][j];
    }
    int expected = 0;
    for (int j = 0; j < n; j++) {
        expected += scale * at(k + 1, j) * (j % 2 ? 2 : 3) + at(k, c);
    }
    CHECK(sum == expected);
    for (int j = 0; j < COLUMNS; j++) {
        int here = MYTHREAD; /* the name is the body's own */
        twos[ROWS + here][j] = twos[ROWS + here][c] + j;
    }
    expected = at(ROWS + MYTHREAD, c);
    for (int j = 0; j < COLUMNS; j++) {
        CHECK(twos[ROWS + MYTHREAD][j] == expected + j);
        expected = j == c ? expected + j : expected;
    }
    for (int j = 0; j < COLUMNS; j++) {
        twos[ROWS + MYTHREAD][j] = at(ROWS + MYTHREAD, j);
    }
}

/* Rows by names of the loop's body, of which one outside of it has another value. */
static void __attribute__((noinline)) named_rows(int from, int to, int up) {
    int c = 5, sum = 0, other = 0, row = 0, nested = 0;
    for (int r = from; r < to; r++) {
        int row = r + up;
        sum += rows[row][c];
    }
    for (int d = 0; d < DEEP; d++) {
        int row = from + up;
        other += planes[row][d][c] - d;
    }
    for (int r = from; r < to; r++) {
        int next = r + 1, row = next + up - 1;
        nested += rows[row][c];
    }
    CHECK(sum == sum_of(from + up, to + up, c));
    CHECK(other == DEEP * at(from + up, c));
    CHECK(nested == sum && row == 0);
}

static void read_columns(int from, int to) {
    for (int c = 0; c < COLUMNS; c++) {
        int r, sum[7] = {0}, expected = sum_of(from, to, c);
        for (r = from; r < to; r++) {
            sum[0] += rows[r][c];
        }
        CHECK(r == (from < to ? to : from));
        for (int i = from; i < to; i++) {
            sum[1] += parts[i][c];
        }
        for (int i = from; i < to; i++) {
            sum[2] += (int)pairs[i][c].value;
        }
        for (int i = from; i < to; i++) {
            sum[3] += planes[i][DEEP - 1][c] - (DEEP - 1);
        }
        for (int i = from; i < to; i++) {
            sum[4] += cyclic[i][c];
        }
        for (int i = from; i < to; i++) {
            sum[5] += twos[i][c];
        }
        for (int i = from; i <= to - 1; i++) {
            sum[6] += i % 2 ? rows[i][c] : parts[i][c];
        }
        for (int i = 0; i < 7; i++) {
            CHECK(sum[i] == expected);
        }
    }
}

static void read_by_pointers(void) {
    for (int c = 0; c < COLUMNS; c++) {
        shared [COLUMNS] int *p = &rows[2][c];
        shared [COLUMNS] int(*q)[COLUMNS] = rows + 3;
        int sum = 0, other = 0;
        for (int i = 0; i < ROWS - 3; i++) {
            sum += p[i * COLUMNS];
            other += q[i][c];
        }
        CHECK(sum == sum_of(2, ROWS - 1, c) && other == sum_of(3, ROWS, c));
    }
}

static int first_above(int limit, int c) {
    int r;
    for (r = 0; r < ROWS; r++) {
        if (rows[r][c] > limit) {
            break;
        }
    }
    return r;
}

/* A row is written beside a column that is read: transposition of a square, and a product. */
static void write_rows(void) {
    for (int i = MYTHREAD; i < COLUMNS; i += THREADS) {
        for (int j = 0; j < COLUMNS; j++) {
            parts[i][j] = rows[j][i];
        }
    }
    upc_barrier;
    for (int i = 0; i < COLUMNS; i++) {
        int product = 0, expected = 0;
        for (int k = 0; k < COLUMNS; k++) {
            product += rows[1][k] * rows[k][i];
            expected += at(1, k) * at(k, i);
        }
        CHECK(product == expected);
        for (int j = 0; j < COLUMNS; j++) {
            CHECK(parts[i][j] == at(j, i));
        }
    }
}

/* Each thread has its columns. */
static void write_columns(void) {
    for (int c = MYTHREAD; c < COLUMNS; c += THREADS) {
        for (int r = 1; r < ROWS; r++) {
            if (r == 5) {
                continue;
            }
            rows[r][c] += cyclic[r - 1][c] + 1;
        }
    }
    upc_barrier;
    for (int r = 1; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            CHECK(rows[r][c] == at(r, c) + (r == 5 ? 0 : at(r - 1, c) + 1));
        }
    }
}

int main(void) {
    fill();
    upc_barrier;
    standing(2, 5, COLUMNS);
    upc_barrier;
    named_rows(1, ROWS - 3, 2);
    read_columns(0, ROWS);
    read_columns(3, ROWS - 2);
    read_columns(7, 7);
    read_columns(9, 2);
    read_by_pointers();
    CHECK(first_above(4000, 0) == 5 && first_above(999999, 3) == ROWS);
    upc_barrier;
    write_rows();
    upc_barrier;
    write_columns();
    upc_barrier;
    puts("ok");
    return 0;
}
