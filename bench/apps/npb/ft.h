/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FT of the NAS Parallel Benchmarks: a partial differential equation in a periodic box, by Fourier
 * transforms. The whole algorithm, for all programs that include this: UPC, OpenMP and MPI differ in
 * how the box is transposed, the functions at "The program's part".
 *
 * A thread has a slab of planes of the box, and of the spectrum a slab of rows of each plane: so
 * lines along x and y are its own in the one, lines along z in the other. Both lie in memory as
 * [z][y][x]. A single thread has all of both, as all threads together have by OpenMP.
 */
#ifndef FT_H
#define FT_H

#include "npb.h"

struct ft_complex {
    double re, im;
};

/* A point of the box or the spectrum. */
#define FT_POINT NPB_OWN struct ft_complex

/* A loop over planes or rows, which OpenMP divides. */
#ifdef _OPENMP
#define FT_LOOP _Pragma("omp for schedule(static)")
#else
#define FT_LOOP
#endif

#if CLASS == 'S'
enum { FT_X = 64, FT_Y = 64, FT_Z = 64, FT_STEPS = 6 };
#elif CLASS == 'W'
enum { FT_X = 128, FT_Y = 128, FT_Z = 32, FT_STEPS = 6 };
#elif CLASS == 'A'
enum { FT_X = 256, FT_Y = 256, FT_Z = 128, FT_STEPS = 6 };
#else
enum { FT_X = 512, FT_Y = 256, FT_Z = 256, FT_STEPS = 20 };
#endif

/* The longest line, and how many lines are transformed at once, beside each other in vectors. */
enum { FT_LONGEST = FT_X > FT_Z ? FT_X : FT_Z, FT_LINES = 8 };

static const double ft_points = (double)FT_X * FT_Y * FT_Z;

/* The official checksums, after each step. */
static const struct ft_complex ft_official[FT_STEPS] = {
#if CLASS == 'S'
    {5.546087004964e+02, 4.845363331978e+02}, {5.546385409189e+02, 4.865304269511e+02},
    {5.546148406171e+02, 4.883910722336e+02}, {5.545423607415e+02, 4.901273169046e+02},
    {5.544255039624e+02, 4.917475857993e+02}, {5.542683411902e+02, 4.932597244941e+02},
#elif CLASS == 'W'
    {5.673612178944e+02, 5.293246849175e+02}, {5.631436885271e+02, 5.282149986629e+02},
    {5.594024089970e+02, 5.270996558037e+02}, {5.560698047020e+02, 5.260027904925e+02},
    {5.530898991250e+02, 5.249400845633e+02}, {5.504159734538e+02, 5.239212247086e+02},
#elif CLASS == 'A'
    {5.046735008193e+02, 5.114047905510e+02}, {5.059412319734e+02, 5.098809666433e+02},
    {5.069376896287e+02, 5.098144042213e+02}, {5.077892868474e+02, 5.101336130759e+02},
    {5.085233095391e+02, 5.104914655194e+02}, {5.091487099959e+02, 5.107917842803e+02},
#else
    {5.177643571579e+02, 5.077803458597e+02}, {5.154521291263e+02, 5.088249431599e+02},
    {5.146409228649e+02, 5.096208912659e+02}, {5.142378756213e+02, 5.101023387619e+02},
    {5.139626667737e+02, 5.103976610617e+02}, {5.137423460082e+02, 5.105948019802e+02},
    {5.135547056878e+02, 5.107404165783e+02}, {5.133910925466e+02, 5.108576573661e+02},
    {5.132470705390e+02, 5.109577278523e+02}, {5.131197729984e+02, 5.110460304483e+02},
    {5.130070319283e+02, 5.111252433800e+02}, {5.129070537032e+02, 5.111968077718e+02},
    {5.128182883502e+02, 5.112616233064e+02}, {5.127393733383e+02, 5.113203605551e+02},
    {5.126691062020e+02, 5.113735928093e+02}, {5.126064276004e+02, 5.114218460548e+02},
    {5.125504076570e+02, 5.114656139760e+02}, {5.125002331720e+02, 5.115053595966e+02},
    {5.124551951846e+02, 5.115415130407e+02}, {5.124146770029e+02, 5.115744692211e+02},
#endif
};

/* A thread's share: `planes` of the box, and `rows` of each plane of the spectrum. */
struct ft {
    FT_POINT *box, *spectrum;
    FT_POINT *work;     /* rows of the spectrum on their way back to the box; or the box itself */
    double *decay;      /* what a step of time leaves of each point of the spectrum */
    int threads, thread;
    long planes, rows;
    /* Of the work: how many rows it has room for, before one takes another's place; points from row
     * to row, and from plane to plane. */
    long room, next, along;
};

/* Lines beside each other, and exp(-2 pi i k / FT_LONGEST). */
struct ft_lines {
    double re[FT_LONGEST][FT_LINES], im[FT_LONGEST][FT_LINES];
};
struct ft_roots {
    double re[FT_LONGEST], im[FT_LONGEST];
};

/*
 * The program's part. All threads call each together, and with one thread none does anything.
 */

/* A plane of the box is transformed: its rows go to the threads that have them in the spectrum. */
static void ft_send_plane(const struct ft *f, long plane);
/* A row of the spectrum, of all planes, is to be transformed: there is room for it in the work. Then:
 * it goes to the box. */
static void ft_begin_row(const struct ft *f, long row);
static void ft_send_row(const struct ft *f, long row);
/* Ends a transposition: all that others have sent is in the spectrum, or in the box. */
static void ft_receive_spectrum(const struct ft *f);
static void ft_receive_box(const struct ft *f);
/* The sum over all threads, none of which leaves before all have come. */
static struct ft_complex ft_sum(struct ft_complex value);

/*
 * Lines
 */

static inline void ft_setup_roots(struct ft_roots *roots) {
    for (int k = 0; k < FT_LONGEST; k++) {
        double angle = -2 * acos(-1) * k / FT_LONGEST;
        roots->re[k] = cos(angle);
        roots->im[k] = sin(angle);
    }
}

/* One step of a transform: pairs of `from` become pairs of `to`, for all lines. */
static inline void ft_pair(struct ft_lines *restrict to, const struct ft_lines *restrict from,
                           long sum, long difference, long a, long b, double re, double im) {
    for (int l = 0; l < FT_LINES; l++) {
        double turned_re = from->re[b][l] * re - from->im[b][l] * im;
        double turned_im = from->re[b][l] * im + from->im[b][l] * re;
        to->re[sum][l] = from->re[a][l] + turned_re;
        to->im[sum][l] = from->im[a][l] + turned_im;
        to->re[difference][l] = from->re[a][l] - turned_re;
        to->im[difference][l] = from->im[a][l] - turned_im;
    }
}

/* Transforms lines of n points; `sign` -1 transforms back, without a factor. Each pass halves the
 * number of transforms that are left and doubles their length, from `a` to `b` and back. Returns
 * which has the result. (Stockham's, in P. Swarztrauber: FFT algorithms for vector computers, 1984.)
 */
static NPB_KERNEL struct ft_lines *ft_transform(const struct ft_roots *roots, long n, int sign,
                                                struct ft_lines *a, struct ft_lines *b) {
    for (long done = 1, left = n / 2; left >= 1; done *= 2, left /= 2) {
        for (long k = 0; k < done; k++) {
            long root = k * (FT_LONGEST / 2) / done;
            for (long i = 0; i < left; i++) {
                ft_pair(b, a, k * left + i, (k + done) * left + i, 2 * k * left + i,
                        (2 * k + 1) * left + i, roots->re[root], sign * roots->im[root]);
            }
        }
        struct ft_lines *other = a;
        a = b;
        b = other;
    }
    return a;
}

/* FT_LINES lines from `in` to `out`, which may be the same: n points, `along` apart, and from line
 * to line `across`. */
static NPB_KERNEL void ft_lines(const struct ft_roots *roots, FT_POINT *out, FT_POINT *in, long n,
                                long along, long across, int sign) {
    struct ft_lines a, b;
    for (long i = 0; i < n; i++) {
        for (long l = 0; l < FT_LINES; l++) {
            a.re[i][l] = in[i * along + l * across].re;
            a.im[i][l] = in[i * along + l * across].im;
        }
    }
    const struct ft_lines *done = ft_transform(roots, n, sign, &a, &b);
    for (long i = 0; i < n; i++) {
        for (long l = 0; l < FT_LINES; l++) {
            out[i * along + l * across].re = done->re[i][l];
            out[i * along + l * across].im = done->im[i][l];
        }
    }
}

/* Along x and y, in the box. */
static inline void ft_planes(const struct ft *f, const struct ft_roots *roots, int sign) {
    FT_LOOP
    for (long z = 0; z < f->planes; z++) {
        FT_POINT *plane = f->box + z * FT_Y * FT_X;
        for (long y = 0; y < FT_Y; y += FT_LINES) {
            ft_lines(roots, plane + y * FT_X, plane + y * FT_X, FT_X, 1, FT_X, sign);
        }
        for (long x = 0; x < FT_X; x += FT_LINES) {
            ft_lines(roots, plane + x, plane + x, FT_Y, FT_X, 1, sign);
        }
        if (sign > 0) {
            ft_send_plane(f, z);
        }
    }
}

/* Along z, in the spectrum; a single thread has it elsewhere than the box. */
static inline void ft_rows(const struct ft *f, const struct ft_roots *roots) {
    FT_POINT *in = f->work == f->box ? f->box : f->spectrum;
    FT_LOOP
    for (long x = 0; x < f->rows * FT_X; x += FT_LINES) {
        ft_lines(roots, f->spectrum + x, in + x, FT_Z, f->rows * FT_X, 1, 1);
    }
}

/*
 * Steps
 */

static inline double ft_square(long k, long n) {
    double frequency = (double)(k < n / 2 ? k : k - n);
    return frequency * frequency;
}

static inline void ft_setup_decay(const struct ft *f) {
    const double pi = acos(-1), factor = -4e-6 * pi * pi;
    FT_LOOP
    for (long z = 0; z < FT_Z; z++) {
        for (long y = 0; y < f->rows; y++) {
            double square = ft_square(z, FT_Z) + ft_square(f->thread * f->rows + y, FT_Y);
            double *decay = f->decay + (z * f->rows + y) * FT_X;
            for (long x = 0; x < FT_X; x++) {
                decay[x] = exp(factor * (square + ft_square(x, FT_X)));
            }
        }
    }
}

static inline void ft_fill(const struct ft *f) {
    FT_LOOP
    for (long z = 0; z < f->planes; z++) {
        uint64_t first = (uint64_t)(f->thread * f->planes + z) * FT_Y * FT_X * 2;
        uint64_t seed = npb_skip(NPB_SEED, NPB_A, first);
        for (long y = 0; y < FT_Y; y++) {
            double numbers[2 * FT_X];
            FT_POINT *row = f->box + (z * FT_Y + y) * FT_X;
            npb_randoms(2 * FT_X, &seed, NPB_A, numbers);
            for (long x = 0; x < FT_X; x++) {
                row[x].re = numbers[2 * x];
                row[x].im = numbers[2 * x + 1];
            }
        }
    }
}

static NPB_KERNEL void ft_step_row(FT_POINT *restrict work, FT_POINT *restrict spectrum,
                                   const double *restrict decay, long n) {
    for (long x = 0; x < n; x++) {
        double re = spectrum[x].re * decay[x], im = spectrum[x].im * decay[x];
        spectrum[x].re = re;
        spectrum[x].im = im;
        work[x].re = re;
        work[x].im = im;
    }
}

/* Where a row of the spectrum is in the work. */
static inline FT_POINT *ft_work_row(const struct ft *f, long row) {
    return f->work + row % f->room * f->next;
}

/* A step of time in a row of the spectrum, and its lines along z back. */
static inline void ft_step_lines(const struct ft *f, const struct ft_roots *roots, long y) {
    FT_POINT *row = ft_work_row(f, y);
    for (long z = 0; z < FT_Z; z++) {
        long at = (z * f->rows + y) * FT_X;
        ft_step_row(row + z * f->along, f->spectrum + at, f->decay + at, FT_X);
    }
    for (long x = 0; x < FT_X; x += FT_LINES) {
        ft_lines(roots, row + x, row + x, FT_Z, f->along, 1, -1);
    }
}

/* The sum of 1024 points of the box. */
static inline struct ft_complex ft_checksum(const struct ft *f) {
    struct ft_complex sum = {0, 0};
    FT_LOOP
    for (long j = 1; j <= 1024; j++) {
        long x = j % FT_X, y = 3 * j % FT_Y, z = 5 * j % FT_Z - f->thread * f->planes;
        if (z >= 0 && z < f->planes) {
            FT_POINT *point = f->box + (z * FT_Y + y) * FT_X + x;
            sum.re += point->re;
            sum.im += point->im;
        }
    }
    sum = ft_sum(sum);
    return (struct ft_complex){sum.re / ft_points, sum.im / ft_points};
}

static inline void ft_forward(const struct ft *f, const struct ft_roots *roots) {
    ft_planes(f, roots, 1);
    ft_receive_spectrum(f);
    ft_rows(f, roots);
}

/* A step, row by row: what it leaves of one is still in the cache when it is sent. */
static inline void ft_step(const struct ft *f, const struct ft_roots *roots) {
    FT_LOOP
    for (long y = 0; y < f->rows; y++) {
        ft_begin_row(f, y);
        ft_step_lines(f, roots, y);
        ft_send_row(f, y);
    }
    ft_receive_box(f);
    ft_planes(f, roots, -1);
}

/*
 * The run
 */

/* The parts of one of `threads`, without memory. Returns 0 if there cannot be so many. */
static inline int ft_setup(struct ft *f, int threads, int thread) {
    *f = (struct ft){.threads = threads, .thread = thread};
    f->planes = FT_Z / threads;
    f->rows = f->room = FT_Y / threads;
    f->next = FT_X;
    f->along = f->rows * FT_X;
    return f->planes * threads == FT_Z && f->rows * threads == FT_Y;
}

/* Points of a thread's box, of its spectrum, and of the work with room for all rows. */
static inline size_t ft_share(const struct ft *f) { return (size_t)f->planes * FT_Y * FT_X; }

/* What all threads do. Returns the seconds that it took; in `sums` the checksums. */
static inline double ft_run(const struct ft *f, struct ft_complex sums[FT_STEPS]) {
    struct ft_roots roots;
    const struct ft_complex nothing = {0, 0};
    double began = 0;
    for (int round = 0; round < 2; round++) { /* the first one makes memory and caches ready */
        ft_sum(nothing);
        began = bench_now();
        ft_setup_decay(f);
        ft_fill(f);
        ft_setup_roots(&roots);
        ft_sum(nothing);
        ft_forward(f, &roots);
    }
    for (int i = 0; i < FT_STEPS; i++) {
        ft_step(f, &roots);
        sums[i] = ft_checksum(f);
    }
    return bench_now() - began;
}

static inline int ft_finish(const struct ft_complex sums[FT_STEPS], double seconds) {
    int verified = 1;
    for (int i = 0; i < FT_STEPS; i++) {
        verified &= npb_is("a checksum's real part", sums[i].re, ft_official[i].re, 1e-12);
        verified &= npb_is("a checksum's imaginary part", sums[i].im, ft_official[i].im, 1e-12);
    }
    double each = log(ft_points);
    double operations = ft_points * (14.8157 + 7.19641 * each + (5.23518 + 7.21113 * each) * FT_STEPS);
    return npb_finish("ft", operations, seconds, verified);
}

static inline int ft_refuse(int threads) {
    return npb_refuse("ft", "their number divides those of the box's planes and rows", threads);
}

#endif
