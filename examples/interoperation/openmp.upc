// SPDX-License-Identifier: BSD-3-Clause
// UPC between processes, OpenMP within each: Jacobi's method for a heated square plate, of which each
// UPC thread has a band of rows. Its OpenMP threads share the band's rows; the UPC thread alone
// exchanges the rows at the edges and meets the others.
//
//     upcc -O2 -fopenmp openmp.upc -o openmp
//     OMP_NUM_THREADS=2 upcrun -n 4 ./openmp
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <upc.h>

enum { N = 240, STEPS = 60 };

// A thread's band, between copies of its neighbours' nearest rows.
typedef double row[N];
shared [] row *shared band[2][THREADS];
shared double change[THREADS];

// The rows from one on that belong to a thread.
static int first_row(int thread)
{
    return (int)((long)N * thread / THREADS);
}

// Has the neighbours copy the edge rows of this thread's band.
static void give_edges(int which, int rows)
{
    shared [] row *own = band[which][MYTHREAD];
    if (MYTHREAD > 0) {
        int above = first_row(MYTHREAD) - first_row(MYTHREAD - 1);
        upc_memput(&band[which][MYTHREAD - 1][above + 1], (double *)own[1], sizeof(row));
    }
    if (MYTHREAD < THREADS - 1)
        upc_memput(&band[which][MYTHREAD + 1][0], (double *)own[rows], sizeof(row));
}

// One step for all rows of the band; the largest change.
static double step(const row *from, row *to, int rows)
{
    double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < N; j++) {
            double left = j > 0 ? from[i][j - 1] : 0, right = j < N - 1 ? from[i][j + 1] : 0;
            to[i][j] = (from[i - 1][j] + from[i + 1][j] + left + right) / 4;
            double d = fabs(to[i][j] - from[i][j]);
            if (d > largest)
                largest = d;
        }
    return largest;
}

// The same by one thread, for comparison.
static double alone(void)
{
    static double a[2][N + 2][N];
    double largest = 0;
    for (int which = 0; which < 2; which++)
        for (int j = 0; j < N; j++)
            a[which][0][j] = 100;
    for (int s = 0; s < STEPS; s++)
        largest = step(a[s % 2], a[(s + 1) % 2], N);
    return largest;
}

int main(void)
{
    int rows = first_row(MYTHREAD + 1) - first_row(MYTHREAD), team = 0, wrong = 0;
    for (int which = 0; which < 2; which++) {
        band[which][MYTHREAD] = upc_alloc((rows + 2) * sizeof(row));
        row *own = (row *)band[which][MYTHREAD];
        // The thread that computes a row later touches it first, and so has it in its memory.
#pragma omp parallel for schedule(static)
        for (int i = 0; i < rows + 2; i++)
            for (int j = 0; j < N; j++)
                own[i][j] = MYTHREAD == 0 && i == 0 ? 100 : 0;
    }
#pragma omp parallel
#pragma omp single
    team = omp_get_num_threads();

    upc_barrier;
    for (int s = 0; s < STEPS; s++) {
        give_edges(s % 2, rows);
        upc_barrier;
        change[MYTHREAD] = step((row *)band[s % 2][MYTHREAD], (row *)band[(s + 1) % 2][MYTHREAD],
                                rows);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        double largest = 0, expected = alone();
        for (int t = 0; t < THREADS; t++)
            largest = change[t] > largest ? change[t] : largest;
        wrong = largest != expected;
        printf("%d UPC threads with teams of %d: the last step changes %.4f\n%s\n", THREADS, team,
               largest, wrong ? "wrong" : "ok");
    }
    return wrong;
}
