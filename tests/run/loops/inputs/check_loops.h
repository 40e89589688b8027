// SPDX-License-Identifier: BSD-3-Clause
// The loops of ordinary UPC programs over arrays of one layout, beside the same loops over private
// arrays: whatever the compiler makes of them, the elements must be equal afterwards. QUALIFIERS
// describes the layout.
#include "../../../check.h"

enum { N = 24, ROWS = 3 };
#define LENGTH (N * THREADS)

QUALIFIERS int a[N * THREADS], b[N * THREADS];
QUALIFIERS short rows[ROWS][N * THREADS];
static int *ma, *mb;
static short *mrows[ROWS];

// Reads through a pointer that no optimiser follows.
static int __attribute__((noipa)) element(QUALIFIERS int *p)
{
    return *p;
}

static void compare(int line)
{
    upc_barrier;
    for (int i = 0; i < LENGTH; i++) {
        check_equal(__FILE__, line, "an element of a", element(&a[i]), ma[i]);
        check_equal(__FILE__, line, "an element of b", element(&b[i]), mb[i]);
        for (int r = 0; r < ROWS; r++)
            check_equal(__FILE__, line, "an element of rows", rows[r][i], mrows[r][i]);
    }
    upc_barrier;
}

#define BOTH(shared_loop, private_loop)                                                       \
    do {                                                                                      \
        shared_loop;                                                                          \
        private_loop;                                                                         \
        compare(__LINE__);                                                                    \
    } while (0)

static void fill(void)
{
    ma = malloc(LENGTH * sizeof *ma);
    mb = malloc(LENGTH * sizeof *mb);
    BOTH(upc_forall(int i = 0; i < LENGTH; i++; &a[i]) a[i] = b[i] = i,
         for (int i = 0; i < LENGTH; i++) ma[i] = mb[i] = i;
         for (int r = 0; r < ROWS; r++) mrows[r] = calloc(LENGTH, sizeof **mrows));
    BOTH(for (int r = 0; r < ROWS; r++)
             upc_forall(int i = 0; i < LENGTH; i++; &rows[r][i]) rows[r][i] = i * r,
         for (int r = 0; r < ROWS; r++)
             for (int i = 0; i < LENGTH; i++) mrows[r][i] = i * r);
}

static void strided(void)
{
    BOTH(for (int i = MYTHREAD; i < LENGTH; i += THREADS) a[i] = 2 * b[i] + 1,
         for (int i = 0; i < LENGTH; i++) ma[i] = 2 * mb[i] + 1);
    BOTH(for (int i = MYTHREAD + 1; i < LENGTH - 1; i += THREADS) b[i] = a[i - 1] + a[i + 1],
         for (int i = 1; i < LENGTH - 1; i++) mb[i] = ma[i - 1] + ma[i + 1]);
    BOTH(for (int i = MYTHREAD * N; i < (MYTHREAD + 1) * N; i++) a[i] -= b[i],
         for (int i = 0; i < LENGTH; i++) ma[i] -= mb[i]);
    BOTH(for (int i = LENGTH - 1 - MYTHREAD; i >= 0; i -= THREADS) a[i]++,
         for (int i = 0; i < LENGTH; i++) ma[i]++);
}

static void stencils(void)
{
    BOTH(upc_forall(int i = 1; i < LENGTH - 1; i++; &b[i]) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3,
         for (int i = 1; i < LENGTH - 1; i++) mb[i] = (ma[i - 1] + ma[i] + ma[i + 1]) / 3);
    BOTH(upc_forall(int i = 3; i < LENGTH - 5; i++; &a[i]) a[i] = b[i + 5] - b[i - 3],
         for (int i = 3; i < LENGTH - 5; i++) ma[i] = mb[i + 5] - mb[i - 3]);
    BOTH(upc_forall(int i = 0; i < LENGTH - 2; i++; &b[i + 2]) b[i + 2] += a[i],
         for (int i = 0; i < LENGTH - 2; i++) mb[i + 2] += ma[i]);
    BOTH(upc_forall(int i = LENGTH - 2; i > 0; i--; &b[i]) b[i] = a[i + 1],
         for (int i = LENGTH - 2; i > 0; i--) mb[i] = ma[i + 1]);
}

static void two_dimensions(void)
{
    BOTH(upc_forall(int i = 0; i < LENGTH; i++; &rows[0][i]) rows[0][i] = rows[1][i] + rows[2][i],
         for (int i = 0; i < LENGTH; i++) mrows[0][i] = mrows[1][i] + mrows[2][i]);
    BOTH(for (int r = 1; r < ROWS; r++) {
             upc_forall(int i = 1; i < LENGTH; i++; &rows[r][i]) rows[r][i] += rows[r - 1][i - 1];
             upc_barrier;
         },
         for (int r = 1; r < ROWS; r++)
             for (int i = LENGTH - 1; i > 0; i--) mrows[r][i] += mrows[r - 1][i - 1]);
    BOTH(upc_forall(int i = 0; i < LENGTH; i++; &b[i]) for (int r = 0; r < ROWS; r++)
             b[i] += rows[(i + r) % ROWS][i],
         for (int i = 0; i < LENGTH; i++)
             for (int r = 0; r < ROWS; r++) mb[i] += mrows[(i + r) % ROWS][i]);
    BOTH(for (int k = 0; k < 2; k++)
             upc_forall(int i = 0; i < LENGTH; i++; &a[i]) a[i] += rows[i % ROWS][i],
         for (int k = 0; k < 2; k++)
             for (int i = 0; i < LENGTH; i++) ma[i] += mrows[i % ROWS][i]);
}

// On one thread: each element depends on the one before, or names the same one twice.
static void dependent(void)
{
    if (MYTHREAD == THREADS - 1) {
        for (int i = 1; i < LENGTH; i++)
            a[i] = (a[i] + a[i - 1]) % 1000;
        for (int i = 0; i < LENGTH; i++)
            b[i] += b[LENGTH - 1 - i] % 7;
        for (int i = 0; i < LENGTH; i += 3)
            a[i] ^= b[i];
        QUALIFIERS int *p = &a[2], *q = &a[1];
        for (int i = 0; i < LENGTH - 2; i++)
            p[i] = q[i] + 1;
        for (int i = 0; i < LENGTH; i++) {
            if (b[i] % 5 == 0)
                i++;
            if (i >= LENGTH || b[i] > 100000)
                break;
            b[i]--;
        }
    }
    for (int i = 1; i < LENGTH; i++)
        ma[i] = (ma[i] + ma[i - 1]) % 1000;
    for (int i = 0; i < LENGTH; i++)
        mb[i] += mb[LENGTH - 1 - i] % 7;
    for (int i = 0; i < LENGTH; i += 3)
        ma[i] ^= mb[i];
    for (int i = 0; i < LENGTH - 2; i++)
        ma[i + 2] = ma[i + 1] + 1;
    for (int i = 0; i < LENGTH; i++) {
        if (mb[i] % 5 == 0)
            i++;
        if (i >= LENGTH || mb[i] > 100000)
            break;
        mb[i]--;
    }
    compare(__LINE__);
}

static void sums(void)
{
    long sum = 0, expected = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += a[i] * (long)b[(i * 5) % LENGTH];
    for (QUALIFIERS int *p = a + 1; p < a + LENGTH; p += 2)
        sum -= *p;
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < LENGTH; i++)
            sum += rows[r][i] * r;
    for (int i = 0; i < LENGTH; i++)
        expected += ma[i] * (long)mb[(i * 5) % LENGTH];
    for (int i = 1; i < LENGTH; i += 2)
        expected -= ma[i];
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < LENGTH; i++)
            expected += mrows[r][i] * r;
    CHECK_EQ(sum, expected);
    upc_barrier;
}

int main(void)
{
    fill();
    for (int round = 0; round < 2; round++) {
        strided();
        stencils();
        two_dimensions();
        dependent();
        sums();
    }
    return check_done();
}
