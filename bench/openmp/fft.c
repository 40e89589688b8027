/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fft [N0 N1 N2 ITERATIONS]: the spectrum of a box, as it decays, and the box that belongs to it.
 * Each iteration has one transposition of the box between the threads, as in the paper, whose
 * counts are those of ten: the first gives the spectrum, the others are steps of time.
 *
 * A thread has either a piece of the first dimension, a part, or a piece of the second, a block;
 * there are as many of each as threads, which allocate theirs. A block consists of parts, a part of
 * blocks: so what one thread has written and another reads is one piece of memory.
 */
#include "fft.h"

/* What a thread has: its blocks of the spectrum and of the work on it, its part of the box. */
struct share {
    struct complex *spectrum, *work, *result;
};

/* Points between the pieces of a share: what is fetched beyond a piece's end costs nothing. */
enum { ROOM = 4096 };

static struct box box;
static long threads, in_block; /* places of the second dimension in a block */
static struct share *shares;

static long part_start(long part) { return part_begin(box.n[0], threads, part); }

/* Where block b ends. */
static long block_end(long b) {
    long end = (b + 1) * in_block;
    return end < box.n[1] ? end : box.n[1];
}

/* The line of points at (i, j) in a block of j's owner. */
static struct complex *in_its_block(struct complex *block, long i, long j) {
    return block + (i * in_block + j % in_block) * box.n[2] + part_of(box.n[0], threads, i) * ROOM;
}

static struct complex *spectrum_at(long i, long j) {
    return in_its_block(shares[j / in_block].spectrum, i, j);
}

static struct complex *work_at(long i, long j) {
    return in_its_block(shares[j / in_block].work, i, j);
}

static struct complex *result_at(long i, long j) {
    long part = part_of(box.n[0], threads, i), block = j / in_block, begin = part_start(part);
    long lines = block * (part_start(part + 1) - begin) * in_block;
    lines += (i - begin) * in_block + j % in_block;
    return shares[part].result + lines * box.n[2] + block * ROOM;
}

/* The size of the piece that a part and a block have in common. */
static size_t piece_bytes(long part) {
    long places = part_start(part + 1) - part_start(part);
    return (size_t)(places * in_block * box.n[2]) * sizeof(struct complex);
}

static void setup(void) {
    threads = omp_get_max_threads();
    in_block = (box.n[1] + threads - 1) / threads;
    shares = allocate((size_t)threads * sizeof *shares);
    fft_setup();
#pragma omp parallel num_threads(threads)
    {
        const long me = omp_get_thread_num(), room = threads * ROOM;
        const long places = part_start(me + 1) - part_start(me);
        const size_t of_block = (size_t)(box.n[0] * in_block * box.n[2] + room);
        const size_t of_part = (size_t)(places * in_block * threads * box.n[2] + room);
        shares[me] = (struct share){allocate(of_block * sizeof(struct complex)),
                                    allocate(of_block * sizeof(struct complex)),
                                    allocate(of_part * sizeof(struct complex))};
    }
}

/* Along a dimension, for all of the last: `line[i]` is what has place i of that dimension. */
static void transform_across(struct complex **line, long n, int sign) {
    struct complex points[FFT_MOST];
    for (long k = 0; k < box.n[2]; k++) {
        for (long i = 0; i < n; i++) {
            points[i] = line[i][k];
        }
        fft_line(points, 1, n, sign);
        for (long i = 0; i < n; i++) {
            line[i][k] = points[i];
        }
    }
}

static void transform_first(struct complex *at(long i, long j), long j, int sign) {
    struct complex *line[FFT_MOST];
    for (long i = 0; i < box.n[0]; i++) {
        line[i] = at(i, j);
    }
    transform_across(line, box.n[0], sign);
}

static void transform_second(long i, int sign) {
    struct complex *line[FFT_MOST];
    for (long j = 0; j < box.n[1]; j++) {
        line[j] = result_at(i, j);
    }
    transform_across(line, box.n[1], sign);
}

static void start(void) {
#pragma omp parallel for schedule(static, 1)
    for (long part = 0; part < threads; part++) {
        for (long i = part_start(part); i < part_start(part + 1); i++) {
            for (long j = 0; j < box.n[1]; j++) {
                for (long k = 0; k < box.n[2]; k++) {
                    result_at(i, j)[k] = fft_start(&box, i, j, k);
                }
                fft_line(result_at(i, j), 1, box.n[2], 1);
            }
            transform_second(i, 1);
        }
    }
}

/* Each block's owner takes it from those that have parts. Each begins elsewhere: not all ask the
 * same one. */
static void take_spectrum(void) {
#pragma omp parallel for schedule(static, 1)
    for (long b = 0; b < threads; b++) {
        long j = b * in_block;
        for (long n = 0; n < threads && j < box.n[1]; n++) {
            long part = (b + n) % threads, i = part_start(part);
            if (piece_bytes(part) > 0) {
                memcpy(spectrum_at(i, j), result_at(i, j), piece_bytes(part));
            }
        }
        for (; j < block_end(b); j++) {
            transform_first(spectrum_at, j, 1);
        }
    }
}

/* A step of time, and back to the box along the first and the last dimension. */
static void decay(void) {
#pragma omp parallel for schedule(static, 1)
    for (long b = 0; b < threads; b++) {
        for (long j = b * in_block; j < block_end(b); j++) {
            for (long i = 0; i < box.n[0]; i++) {
                struct complex *from = spectrum_at(i, j), *to = work_at(i, j);
                for (long k = 0; k < box.n[2]; k++) {
                    double factor = fft_decay(&box, i, j, k);
                    from[k] = (struct complex){from[k].re * factor, from[k].im * factor};
                    to[k] = from[k];
                }
                fft_line(to, 1, box.n[2], -1);
            }
            transform_first(work_at, j, -1);
        }
    }
}

/* A part's owner takes it from those that have blocks. */
static void take_work(long part) {
    for (long n = 0; n < threads; n++) {
        long j = (part + n) % threads * in_block, i = part_start(part);
        if (j < box.n[1] && piece_bytes(part) > 0) {
            memcpy(result_at(i, j), work_at(i, j), piece_bytes(part));
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
            const struct complex *value = result_at(at[0], at[1]) + at[2];
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
    for (long part = 0; part < threads; part++) {
        take_work(part);
        for (long i = part_start(part); i < part_start(part + 1); i++) {
            transform_second(i, -1);
        }
        struct complex sum = sum_of(part_start(part), part_start(part + 1));
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
                    sign > 0 ? fft_start(&box, i, j, k) : spectrum_at(i, j)[k];
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
        if (!is_near(direct(1, at), spectrum_at(at[0], at[1])[at[2]], factor) ||
            !is_near(direct(-1, at), result_at(at[0], at[1])[at[2]], 1)) {
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv) {
    box = (struct box){{argument(argc, argv, 1, 128), argument(argc, argv, 2, 128),
                        argument(argc, argv, 3, 64)}};
    long iterations = argument(argc, argv, 4, 10);
    setup();
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
