// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 5x1 2x2 2:4x1
// Pointers to shared arrays whose length is known at run time: arithmetic, sizes, parameters,
// casts and typedefs. A length is that of the declaration, whatever its variables become later.
#include "../../check.h"

enum { ROWS = 6, COLUMNS = 5, SIZE = ROWS * COLUMNS };
shared int cyclic[SIZE * THREADS];
shared [3] int blocked[SIZE * THREADS];
shared [] double matrix[ROWS][COLUMNS];
shared [300000] char wide[300000 * THREADS];

static double trace(int n, shared [] double (*a)[n], int rows);
static double total(int rows, int n, shared [] double a[rows][n]);
typedef double (*tracer)(int n, shared [] double (*a)[n], int rows);

static double trace(int n, shared [] double (*a)[n], int rows)
{
    double sum = 0;
    for (int i = 0; i < rows && i < n; i++)
        sum += a[i][i];
    return sum;
}

static double total(int rows, int n, shared [] double a[rows][n])
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            sum += a[i][j];
    return sum;
}

static int old_style(n, p)
    int n;
    shared [3] int (*p)[n];
{
    n = 1000;
    return p[2][1] + *(*(p + 1) + 2) + (int)(sizeof *p / sizeof(int));
}

static void cube(int n, shared int (*p)[n][n])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                CHECK_EQ(p[i][j][k], (i * n + j) * n + k);
                CHECK_EQ(upc_threadof(&p[i][j][k]), ((i * n + j) * n + k) % THREADS);
            }
    CHECK_EQ(sizeof p[0], n * n * sizeof(int));
    CHECK_EQ(&p[2] - p, 2);
}

static int counter;
static int next(void) { return counter += COLUMNS; }

int main(void)
{
    int n = COLUMNS;
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &cyclic[i])
        cyclic[i] = i;
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &blocked[i])
        blocked[i] = 2 * i;
    upc_forall (int i = 0; i < 300000 * THREADS; i += 1000; &wide[i])
        wide[i] = i / 1000 % 100;
    if (MYTHREAD == 0)
        for (int i = 0; i < SIZE; i++)
            matrix[i / COLUMNS][i % COLUMNS] = i;
    upc_barrier;

    shared [1] int (*p)[n] = (shared int (*)[n])cyclic, (*q)[n] = p;
    shared [3] int (*b)[n] = (shared [3] int (*)[n])blocked;
    shared [300000] char (*w)[n * 1000] = (shared [300000] char (*)[n * 1000])wide;
    shared [] double (*m)[n] = matrix;
    typedef shared [3] int line[n];
    line *l = b + 1;
    n = 2;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            int at = i * COLUMNS + j;
            CHECK_EQ(p[i][j], at);
            CHECK_EQ((*(p + i))[j], at);
            CHECK_EQ(b[i][j], 2 * at);
            CHECK_EQ(m[i][j], at);
            CHECK_EQ(upc_threadof(&p[i][j]), at % THREADS);
            CHECK_EQ(upc_threadof(&b[i][j]), at / 3 % THREADS);
            CHECK_EQ(upc_phaseof(&b[i][j]), at % 3);
        }
        CHECK_EQ(q - p, i);
        CHECK(q >= p);
        q++;
    }
    q -= 2;
    q = q + 1;
    CHECK_EQ(q - p, ROWS - 1);
    --q;
    CHECK_EQ(*q[0], (ROWS - 2) * COLUMNS);
    CHECK_EQ(l[1][1], 2 * (2 * COLUMNS + 1));
    CHECK_EQ(l - b, 1);
    CHECK_EQ(w[10 * THREADS][0], 10 * THREADS * COLUMNS % 100);
    CHECK_EQ(upc_threadof(&w[60 * (THREADS - 1)][0]), THREADS - 1);
    CHECK_EQ(sizeof *p, COLUMNS * sizeof(int));
    CHECK_EQ(sizeof *b, COLUMNS * sizeof(int));
    CHECK_EQ(sizeof(line), COLUMNS * sizeof(int));
    CHECK_EQ(upc_elemsizeof(*b), sizeof(int));
    CHECK_EQ(upc_blocksizeof(*b), 3);

    tracer indirect = trace;
    CHECK(indirect(COLUMNS, matrix, ROWS) == 0 + 6 + 12 + 18 + 24);
    CHECK(total(ROWS, COLUMNS, matrix) == SIZE * (SIZE - 1) / 2);
    CHECK_EQ(old_style(COLUMNS, b), 2 * 11 + 2 * 7 + COLUMNS);
    cube(3, (shared int (*)[3][3])cyclic);

    counter = 0;
    shared [3] int (*once)[next()] = (shared [3] int (*)[COLUMNS])blocked;
    CHECK_EQ(once[1][0] + once[2][0], 2 * COLUMNS + 4 * COLUMNS);
    CHECK_EQ(counter, COLUMNS);
    int loops = 0;
    for (shared [3] int (*r)[n + 3] = b; r != b + ROWS; r++, n++)
        CHECK_EQ(r[0][0], 2 * COLUMNS * loops++);
    for (int k = 1; k <= 3; k++) {
        shared [3] int (*x)[k] = (shared [3] int (*)[k])blocked;
        for (int j = 0; j < 4; j++)
            CHECK_EQ(x[j][0], 2 * j * k);
    }
    CHECK_EQ(((shared [3] int (*)[loops])blocked)[2][1], 2 * (2 * ROWS + 1));
    upc_barrier;
    return check_done();
}
