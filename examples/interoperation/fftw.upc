// SPDX-License-Identifier: BSD-3-Clause
// FFTW in UPC: a Fourier transform in two dimensions. Each thread transforms its rows by FFTW; the
// matrix is transposed between threads; and the rows, which were columns, are transformed.
// Threads make their plans one after the other: FFTW's planner keeps data that those of a process share.
//
//     upcc -O2 fftw.upc -lfftw3 -o fftw
//     upcrun -n 4 ./fftw
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <upc.h>

enum { EACH = 8 }; // rows of each thread

// A band of rows, in tiles of EACH columns, so that a tile is what goes to one thread.
typedef struct {
    double complex at[EACH][EACH]; // [column][row]
} tile;
shared [] tile *shared part[THREADS];
shared [] tile *shared arrived[THREADS];

static fftw_plan plan_rows(fftw_complex *rows, int n)
{
    return fftw_plan_many_dft(1, &n, EACH, rows, NULL, 1, n, rows, NULL, 1, n, FFTW_FORWARD,
                              FFTW_ESTIMATE);
}

int main(void)
{
    const double pi = 3.14159265358979323846;
    int n = EACH * THREADS, wrong = 0;
    fftw_complex *rows = fftw_malloc(sizeof *rows * EACH * n);
    part[MYTHREAD] = upc_alloc(THREADS * sizeof(tile));
    arrived[MYTHREAD] = upc_alloc(THREADS * sizeof(tile));
    upc_lock_t *planner = upc_all_lock_alloc();
    upc_lock(planner);
    fftw_plan plan = plan_rows(rows, n);
    upc_unlock(planner);

    // A wave with 3 crests down and 5 across has one coefficient.
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < n; j++)
            rows[i * n + j] = cexp(2 * pi * I * ((3.0 * (i + EACH * MYTHREAD) + 5.0 * j) / n));
    fftw_execute(plan);
    tile *own = (tile *)part[MYTHREAD];
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < n; j++)
            own[j / EACH].at[j % EACH][i] = rows[i * n + j];
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        upc_memput(&arrived[t][MYTHREAD], &own[t], sizeof(tile));
    upc_barrier;
    // What comes is already transposed within tiles: [column][row].
    own = (tile *)arrived[MYTHREAD];
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < n; j++)
            rows[i * n + j] = own[j / EACH].at[i][j % EACH];
    fftw_execute(plan);

    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < n; j++) {
            int is_wave = i + EACH * MYTHREAD == 5 % n && j == 3 % n;
            wrong |= cabs(rows[i * n + j] - (is_wave ? (double)n * n : 0)) > 1e-9 * n * n;
        }
    upc_barrier;
    upc_lock(planner);
    fftw_destroy_plan(plan);
    upc_unlock(planner);
    fftw_free(rows);
    printf(wrong ? "thread %d: wrong\n" : "", MYTHREAD);
    if (MYTHREAD == 0)
        printf("a transform of %d by %d\n%s\n", n, n, wrong ? "wrong" : "ok");
    return wrong;
}
