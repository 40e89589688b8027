/* SPDX-License-Identifier: BSD-3-Clause */
/* fft_mpi [N0 N1 N2 ITERATIONS]: as fft.c, by MPI; the number of ranks divides N0 and N1. */
#include "fft.h"
#include "message.h"

static struct box box;
static long rows, columns;       /* this rank's part of the first dimension, and of the second */
static struct complex *spectrum; /* [N0][columns][N2] */
static struct complex *work;     /* [N0][columns][N2] */
static struct complex *result;   /* [rank][rows][columns][N2]: by parts of the second dimension */

static struct complex *in_slab(struct complex *array, long i, long j) {
    return array + (i * columns + j) * box.n[2];
}

static struct complex *in_result(long i, long j) {
    return result + ((j / columns * rows + i) * columns + j % columns) * box.n[2];
}

/* Both arrays consist of one piece for each rank. */
static void transpose(const struct complex *from, struct complex *to) {
    int length = (int)(rows * columns * box.n[2] * 2);
    MPI_Alltoall(from, length, MPI_DOUBLE, to, length, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void transform_second(int sign) {
    struct complex line[FFT_MOST];
    for (long i = 0; i < rows; i++) {
        for (long k = 0; k < box.n[2]; k++) {
            for (long j = 0; j < box.n[1]; j++) {
                line[j] = in_result(i, j)[k];
            }
            fft_line(line, 1, box.n[1], sign);
            for (long j = 0; j < box.n[1]; j++) {
                in_result(i, j)[k] = line[j];
            }
        }
    }
}

static void transform_first(struct complex *array, int sign) {
    for (long j = 0; j < columns; j++) {
        for (long k = 0; k < box.n[2]; k++) {
            fft_line(in_slab(array, 0, j) + k, columns * box.n[2], box.n[0], sign);
        }
    }
}

static void start(void) {
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < box.n[1]; j++) {
            for (long k = 0; k < box.n[2]; k++) {
                in_result(i, j)[k] = fft_start(&box, mpi.rank * rows + i, j, k);
            }
            fft_line(in_result(i, j), 1, box.n[2], 1);
        }
    }
    transform_second(1);
    transpose(result, spectrum);
    transform_first(spectrum, 1);
}

static void decay(void) {
    for (long i = 0; i < box.n[0]; i++) {
        for (long j = 0; j < columns; j++) {
            struct complex *from = in_slab(spectrum, i, j), *to = in_slab(work, i, j);
            for (long k = 0; k < box.n[2]; k++) {
                double factor = fft_decay(&box, i, mpi.rank * columns + j, k);
                from[k] = (struct complex){from[k].re * factor, from[k].im * factor};
                to[k] = from[k];
            }
            fft_line(to, 1, box.n[2], -1);
        }
    }
    transform_first(work, -1);
    transpose(work, result);
    transform_second(-1);
}

/* On rank 0, the sum of the checksum's two parts, as fft.c weighs them. */
static double checksum(void) {
    double sum = 0;
    for (long q = 1; q <= FFT_POINTS; q++) {
        long at[3];
        fft_point(&box, q, at);
        if (at[0] / rows == mpi.rank) {
            struct complex value = in_result(at[0] % rows, at[1])[at[2]];
            sum += value.re + 2 * value.im;
        }
    }
    return mpi_sum(sum) / (double)(box.n[0] * box.n[1] * box.n[2]);
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    box = (struct box){{argument(argc, argv, 1, 128), argument(argc, argv, 2, 128),
                        argument(argc, argv, 3, 64)}};
    long iterations = argument(argc, argv, 4, 10);
    rows = box.n[0] / mpi.ranks, columns = box.n[1] / mpi.ranks;
    fft_setup();
    size_t bytes = (size_t)(box.n[0] * columns * box.n[2]) * sizeof(struct complex);
    spectrum = allocate(bytes);
    work = allocate(bytes);
    result = allocate(bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = bench_now(), sum = 0;
    start();
    for (long i = 1; i < iterations; i++) {
        decay();
        sum += checksum();
    }
    return mpi_finish("fft", sum, bench_now() - began);
}
