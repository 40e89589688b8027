// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x4 2x2
//@ flags: -lm
/* A 3-D FFT in the manner of NAS FT: slabs in z, one-dimensional transforms in private memory,
 * a transpose through upc_memput, and back. Forward and inverse must give the input again, and
 * one wave must give one peak. THREADS must divide the sides. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <upc_relaxed.h>

#define NX 16
#define NY 8
#define NZ 16

typedef struct { double re, im; } dcomplex;
typedef struct slab_s { shared [] dcomplex *cells; } slab_t;

shared slab_t u0[THREADS], u1[THREADS];
dcomplex *my0, *my1;
dcomplex scratch[NX > NZ ? NX : NZ];

#define MUL(a, b) ((dcomplex){(a).re * (b).re - (a).im * (b).im, (a).re * (b).im + (a).im * (b).re})

static void fft(dcomplex *v, int n, int stride, int sign)
{
    int i, j, len;
    for (i = 0; i < n; i++)
        scratch[i] = v[i * stride];
    for (i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            dcomplex t = scratch[i];
            scratch[i] = scratch[j];
            scratch[j] = t;
        }
    }
    for (len = 2; len <= n; len <<= 1)
        for (i = 0; i < n; i += len)
            for (j = 0; j < len / 2; j++) {
                double angle = sign * 2 * M_PI * j / len;
                dcomplex w = {cos(angle), sin(angle)}, a = scratch[i + j];
                dcomplex b = MUL(scratch[i + j + len / 2], w);
                scratch[i + j].re = a.re + b.re;
                scratch[i + j].im = a.im + b.im;
                scratch[i + j + len / 2] = (dcomplex){a.re - b.re, a.im - b.im};
            }
    for (i = 0; i < n; i++)
        v[i * stride] = scratch[i];
}

/* [z][y][x] slabs in z to [x][y][z] slabs in x, or back */
static void transpose(dcomplex *from, shared slab_t *to, int n_from, int n_to)
{
    int t, a, y, b, part = n_to / THREADS, mine = n_from / THREADS;
    dcomplex *line = malloc(mine * sizeof *line);
    for (t = 0; t < THREADS; t++)
        for (b = 0; b < part; b++)
            for (y = 0; y < NY; y++) {
                for (a = 0; a < mine; a++)
                    line[a] = from[(a * NY + y) * n_to + t * part + b];
                upc_memput(to[t].cells + (b * NY + y) * n_from + MYTHREAD * mine, line,
                           mine * sizeof *line);
            }
    free(line);
    upc_barrier;
}

static void forward_or_back(int sign)
{
    int i, y;
    dcomplex *a = sign < 0 ? my0 : my1, *b = sign < 0 ? my1 : my0;
    int na = sign < 0 ? NZ : NX, nb = sign < 0 ? NX : NZ;
    for (i = 0; i < na / THREADS; i++) {
        for (y = 0; y < NY; y++)
            fft(a + (i * NY + y) * nb, nb, 1, sign);
        for (y = 0; y < nb; y++)
            fft(a + i * NY * nb + y, NY, nb, sign);
    }
    transpose(a, sign < 0 ? u1 : u0, na, nb);
    for (i = 0; i < nb / THREADS; i++)
        for (y = 0; y < NY; y++)
            fft(b + (i * NY + y) * na, na, 1, sign);
}

static dcomplex wave(int x, int y, int z)
{
    double angle = 2 * M_PI * (3.0 * x / NX + 2.0 * y / NY + 5.0 * z / NZ);
    return (dcomplex){cos(angle), sin(angle)};
}

static void expect(dcomplex got, double re, double im, const char *what, int i)
{
    if (!(fabs(got.re - re) < 1e-9 && fabs(got.im - im) < 1e-9)) {
        printf("thread %d: %s %d is %g %+gi, expected %g %+gi\n", MYTHREAD, what, i, got.re, got.im,
               re, im);
        upc_global_exit(1);
    }
}

int main()
{
    int i, n = NX * NY * NZ / THREADS;
    if (NX % THREADS || NZ % THREADS)
        return 1;
    u0[MYTHREAD].cells = upc_alloc(n * sizeof(dcomplex));
    u1[MYTHREAD].cells = upc_alloc(n * sizeof(dcomplex));
    my0 = (dcomplex *)u0[MYTHREAD].cells;
    my1 = (dcomplex *)u1[MYTHREAD].cells;
    for (i = 0; i < n; i++)
        my0[i] = wave(i % NX, i / NX % NY, MYTHREAD * (NZ / THREADS) + i / (NX * NY));
    upc_barrier;

    forward_or_back(-1);
    for (i = 0; i < n; i++) {
        int z = i % NZ, y = i / NZ % NY, x = MYTHREAD * (NX / THREADS) + i / (NZ * NY);
        expect(my1[i], x == 3 && y == 2 && z == 5 ? NX * NY * NZ : 0, 0, "frequency", i);
    }
    upc_barrier;
    /* the inverse: first along z, then back to slabs in z */
    forward_or_back(1);
    for (i = 0; i < n; i++) {
        dcomplex w = wave(i % NX, i / NX % NY, MYTHREAD * (NZ / THREADS) + i / (NX * NY));
        double scale = NX * NY * NZ;
        expect(my0[i], w.re * scale, w.im * scale, "point", i);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
