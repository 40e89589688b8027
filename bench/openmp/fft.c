/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fft [N0 N1 N2 ITERATIONS]: the spectrum of a box, as it decays, and the box that belongs to it.
 * Each iteration has one transposition of the box between the threads, as in the paper, whose
 * counts are those of ten: the first gives the spectrum, the others are steps of time.
 *
 * A thread has either a piece of the first dimension or a piece of the second, for which an array
 * consists of blocks: block b has piece b of the second dimension, for all of the first. So what
 * one thread has written and another reads is one piece of memory.
 */
#include "fft.h"

static struct box box;
static long blocks, in_block;    /* pieces of the second dimension, and what they have */
static struct complex *spectrum; /* by threads that have a piece of the second dimension */
static struct complex *work;     /* likewise */
static struct complex *result;   /* by threads that have a piece of the first */

static struct complex *point(struct complex *array, long i, long j, long k) {
    return array + ((j / in_block * box.n[0] + i) * in_block + j % in_block) * box.n[2] + k;
}

/* Where block b ends. */
static long block_end(long b) {
    long end = (b + 1) * in_block;
    return end < box.n[1] ? end : box.n[1];
}

/* Along the second dimension, for one place in the first: lines are gathered from the blocks. */
static void transform_second(struct complex *array, long i, int sign) {
    struct complex line[FFT_MOST];
    for (long k = 0; k < box.n[2]; k++) {
        for (long j = 0; j < box.n[1]; j++) {
            line[j] = *point(array, i, j, k);
        }
        fft_line(line, 1, box.n[1], sign);
        for (long j = 0; j < box.n[1]; j++) {
            *point(array, i, j, k) = line[j];
        }
    }
}

static void transform_first(struct complex *array, long j, int sign) {
    for (long k = 0; k < box.n[2]; k++) {
        fft_line(point(array, 0, j, k), in_block * box.n[2], box.n[0], sign);
    }
}

static void start(void) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < box.n[0]; i++) {
        for (long j = 0; j < box.n[1]; j++) {
            for (long k = 0; k < box.n[2]; k++) {
                *point(result, i, j, k) = fft_start(&box, i, j, k);
            }
            fft_line(point(result, i, j, 0), 1, box.n[2], 1);
        }
        transform_second(result, i, 1);
    }
}

/* Block b's owner takes it from those that own pieces of the first dimension. */
static void take_spectrum(void) {
#pragma omp parallel for schedule(static, 1)
    for (long b = 0; b < blocks; b++) {
        size_t length = (size_t)(box.n[0] * in_block * box.n[2]) * sizeof(struct complex);
        long at = b * in_block;
        memcpy(point(spectrum, 0, at, 0), point(result, 0, at, 0), at < box.n[1] ? length : 0);
        for (long j = at; j < block_end(b); j++) {
            transform_first(spectrum, j, 1);
        }
    }
}

/* A step of time, and back to the box along the first and the last dimension. */
static void decay(void) {
#pragma omp parallel for schedule(static, 1)
    for (long b = 0; b < blocks; b++) {
        for (long j = b * in_block; j < block_end(b); j++) {
            for (long i = 0; i < box.n[0]; i++) {
                struct complex *from = point(spectrum, i, j, 0), *to = point(work, i, j, 0);
                for (long k = 0; k < box.n[2]; k++) {
                    double factor = fft_decay(&box, i, j, k);
                    from[k] = (struct complex){from[k].re * factor, from[k].im * factor};
                    to[k] = from[k];
                }
                fft_line(to, 1, box.n[2], -1);
            }
            transform_first(work, j, -1);
        }
    }
}

/* Copies blocks into the thread's piece of the first dimension. Each thread begins elsewhere: not
 * all ask the same one. */
static void take_work(long me, long begin, long end) {
    size_t length = (size_t)((end - begin) * in_block * box.n[2]) * sizeof(struct complex);
    for (long b = 0; b < blocks; b++) {
        long at = (me + b) % blocks * in_block;
        if (at < box.n[1]) {
            memcpy(point(result, begin, at, 0), point(work, begin, at, 0), length);
        }
    }
}

/* The part of the checksum that lies in a piece of the first dimension. */
static struct complex sum_of(long begin, long end) {
    struct complex sum = {0, 0};
    for (long q = 1; q <= FFT_POINTS; q++) {
        long at[3];
        fft_point(&box, q, at);
        if (at[0] >= begin && at[0] < end) {
            const struct complex *value = point(result, at[0], at[1], at[2]);
            sum.re += value->re;
            sum.im += value->im;
        }
    }
    return sum;
}

/* The rest of the way back to the box, whose checksum is the answer. */
static struct complex finish(void) {
    double re = 0, im = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : re, im)
    for (long part = 0; part < blocks; part++) {
        long begin = part_begin(box.n[0], blocks, part);
        long end = part_begin(box.n[0], blocks, part + 1);
        take_work(part, begin, end);
        for (long i = begin; i < end; i++) {
            transform_second(result, i, -1);
        }
        struct complex sum = sum_of(begin, end);
        re += sum.re;
        im += sum.im;
    }
    double points = (double)(box.n[0] * box.n[1] * box.n[2]);
    return (struct complex){re / points, im / points};
}

/* One point of the spectrum from the box at the start (sign 1), or of the box from the spectrum, by
 * the definition of the transformation. */
static struct complex direct(int sign, const long at[3]) {
    struct complex sum = {0, 0};
    for (long i = 0; i < box.n[0]; i++) {
        for (long j = 0; j < box.n[1]; j++) {
            for (long k = 0; k < box.n[2]; k++) {
                double turns = (double)(i * at[0]) / (double)box.n[0] +
                               (double)(j * at[1]) / (double)box.n[1] +
                               (double)(k * at[2]) / (double)box.n[2];
                double angle = -2 * acos(-1) * turns;
                struct complex root = {cos(angle), sign * sin(angle)};
                struct complex value =
                    sign > 0 ? fft_start(&box, i, j, k) : *point(spectrum, i, j, k);
                value = fft_times(value, root);
                sum.re += value.re;
                sum.im += value.im;
            }
        }
    }
    return sum;
}

static int is_near(struct complex a, struct complex b, double factor) {
    return hypot(a.re * factor - b.re, a.im * factor - b.im) < 1e-9 * (1 + hypot(b.re, b.im));
}

static int is_right(long steps) {
    for (long q = 1; q < 10; q++) {
        long at[3];
        fft_point(&box, q, at);
        double factor = pow(fft_decay(&box, at[0], at[1], at[2]), (double)steps);
        if (!is_near(direct(1, at), *point(spectrum, at[0], at[1], at[2]), factor) ||
            !is_near(direct(-1, at), *point(result, at[0], at[1], at[2]), 1)) {
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv) {
    box = (struct box){{argument(argc, argv, 1, 128), argument(argc, argv, 2, 128),
                        argument(argc, argv, 3, 64)}};
    long iterations = argument(argc, argv, 4, 10);
    blocks = omp_get_max_threads();
    in_block = (box.n[1] + blocks - 1) / blocks;
    fft_setup();
    size_t points = (size_t)(box.n[0] * in_block * blocks * box.n[2]);
    spectrum = allocate(points * sizeof *spectrum);
    work = allocate(points * sizeof *work);
    result = allocate(points * sizeof *result);
    double began = bench_now(), sum = 0;
    start();
    take_spectrum();
    for (long i = 1; i < iterations; i++) {
        decay();
        struct complex checksum = finish();
        sum += checksum.re + 2 * checksum.im;
    }
    report("fft", sum, bench_now() - began);
    int checked = wants_check(argc, argv);
    return conclude(checked, checked && is_right(iterations - 1));
}
