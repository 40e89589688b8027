/* SPDX-License-Identifier: BSD-3-Clause */
/* The transform of fft3d.upc by FFTW's own for MPI, which deals planes of the first dimension. */
#include "../../bench.h"
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <string.h>

#ifndef CLASS
#define CLASS 'S'
#endif
#if CLASS == 'S'
enum { NX = 48, NY = 24, NZ = 24, ROUNDS = 1 };
#elif CLASS == 'W'
enum { NX = 128, NY = 128, NZ = 128, ROUNDS = 5 };
#elif CLASS == 'A'
enum { NX = 256, NY = 256, NZ = 128, ROUNDS = 3 };
#else
enum { NX = 512, NY = 256, NZ = 256, ROUNDS = 2 };
#endif

typedef double complex number;

static double value_of(size_t i) { return (double)(i * 2654435761u % 1000) / 500 - 1; }

static void fill(number *at, size_t first, size_t n) {
    for (size_t i = first; i < first + n; i++) {
        at[i - first] = value_of(2 * i) + I * value_of(2 * i + 1);
    }
}

/* By one process, as a whole. */
static void check(const number *mine, size_t first, size_t n) {
    size_t all = (size_t)NX * NY * NZ;
    number *whole = fftw_malloc(all * sizeof(number));
    bench_check(whole != NULL, "fft3d: no memory for %zu numbers", all);
    fftw_plan plan = fftw_plan_dft_3d(NX, NY, NZ, whole, whole, FFTW_FORWARD, FFTW_ESTIMATE);
    fill(whole, 0, all);
    fftw_execute(plan);
    for (size_t i = 0; i < n; i++) {
        bench_check(cabs(mine[i] - whole[first + i]) < 1e-6, "fft3d: number %zu is wrong",
                    first + i);
    }
    fftw_destroy_plan(plan);
    fftw_free(whole);
}

int main(int argc, char **argv) {
    struct bench_times times = {.n = 0};
    ptrdiff_t xs, first;
    int rank;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ptrdiff_t room = fftw_mpi_local_size_3d(NX, NY, NZ, MPI_COMM_WORLD, &xs, &first);
    size_t plane = (size_t)NY * NZ, n = (size_t)xs * plane;
    number *given = fftw_malloc(n * sizeof(number)), *at = fftw_malloc(room * sizeof(number));
    bench_check(given && at, "fft3d: no memory for %td numbers", room);
    fftw_plan plan = fftw_mpi_plan_dft_3d(NX, NY, NZ, at, at, MPI_COMM_WORLD, FFTW_FORWARD,
                                          FFTW_MEASURE);
    fill(given, (size_t)first * plane, n);
    for (int i = 0; i <= ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = bench_now(), begun;
        memcpy(at, given, n * sizeof(number));
        fftw_execute(plan);
        MPI_Barrier(MPI_COMM_WORLD);
        double end = bench_now();
        MPI_Reduce(&start, &begun, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        if (i) { /* the first round touches the memory */
            bench_add(&times, end - begun);
        }
    }
    check(at, (size_t)first * plane, n);
    if (rank == 0) {
        double all = (double)NX * NY * NZ;
        char name[64];
        snprintf(name, sizeof name, "fft3d.%c-mpi", CLASS);
        bench_rate(name, "GFlop/s", 5e-9 * all * log2(all), &times, NULL);
    }
    MPI_Finalize();
    return 0;
}
