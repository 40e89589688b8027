/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of one dimension, and the partial differential equation of D. Bailey et al.:
 * The NAS parallel benchmarks (1991): heat in a periodic box, whose spectrum decays. The box has
 * sizes that are powers of two.
 */
#ifndef OPENMP_FFT_H
#define OPENMP_FFT_H

#include "program.h"
#include <math.h>

struct complex {
    double re, im;
};

enum { FFT_MOST = 1024 };

/* exp(-2 pi i k / FFT_MOST) */
static struct complex fft_root[FFT_MOST];

static inline void fft_setup(void) {
    for (int k = 0; k < FFT_MOST; k++) {
        double angle = -2 * acos(-1) * k / FFT_MOST;
        fft_root[k] = (struct complex){cos(angle), sin(angle)};
    }
}

static inline struct complex fft_times(struct complex a, struct complex b) {
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* n elements from `data` on, `stride` apart; `sign` 1 transforms, -1 back, without a factor. Halves
 * the number of transforms that are left and doubles their length, from one array to another and
 * back. (Stockham's, in C. Van Loan: Computational frameworks for the fast Fourier transform.) */
static inline void fft_line(struct complex *data, long stride, long n, int sign) {
    struct complex memory[2][FFT_MOST], *from = memory[0], *to = memory[1];
    for (long i = 0; i < n; i++) {
        from[i] = data[i * stride];
    }
    for (long done = 1, left = n / 2; left >= 1; done *= 2, left /= 2) {
        for (long k = 0; k < done; k++) {
            struct complex root = fft_root[k * (FFT_MOST / 2) / done];
            root.im *= sign;
            for (long i = 0; i < left; i++) {
                struct complex a = from[2 * k * left + i];
                struct complex b = fft_times(from[(2 * k + 1) * left + i], root);
                to[k * left + i] = (struct complex){a.re + b.re, a.im + b.im};
                to[(k + done) * left + i] = (struct complex){a.re - b.re, a.im - b.im};
            }
        }
        struct complex *other = from;
        from = to;
        to = other;
    }
    for (long i = 0; i < n; i++) {
        data[i * stride] = from[i];
    }
}

/* The box: n[0] x n[1] x n[2] points, the last dimension without gaps in memory. */
struct box {
    long n[3];
};

static inline struct complex fft_start(const struct box *box, long i, long j, long k) {
    uint64_t number = (uint64_t)((i * box->n[1] + j) * box->n[2] + k);
    return (struct complex){random_at(2 * number), random_at(2 * number + 1)};
}

static inline double fft_square(long k, long n) {
    double frequency = (double)(k < n / 2 ? k : k - n);
    return frequency * frequency;
}

/* What a step of time leaves of a part of the spectrum. */
static inline double fft_decay(const struct box *box, long i, long j, long k) {
    const double pi = acos(-1);
    double square = fft_square(i, box->n[0]) + fft_square(j, box->n[1]) + fft_square(k, box->n[2]);
    return exp(-4e-6 * pi * pi * square);
}

/* The points whose sum is the checksum, by their number. */
enum { FFT_POINTS = 1024 };
static inline void fft_point(const struct box *box, long number, long point[3]) {
    point[0] = number % box->n[0];
    point[1] = 3 * number % box->n[1];
    point[2] = 5 * number % box->n[2];
}

#endif
