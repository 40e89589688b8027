// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ flags: -O2 -lm
/* NAS EP, class S, written from its description (NAS-94-103): pairs of Gaussian deviates by
 * the acceptance-rejection method. The sums of class S are published, which makes this a test of
 * double arithmetic too. */
#include <stdio.h>
#include <math.h>
#include <upc_relaxed.h>

#define M 24
#define MK 14
#define NK (1 << MK)
#define NN (1 << (M - MK))
#define A 1220703125.0
#define S 271828183.0

#define R23 (1.0 / (1 << 23))
#define R46 (R23 * R23)
#define T23 ((double)(1 << 23))
#define T46 (T23 * T23)

/* x * a mod 2^46 in doubles */
static double randlc(double *x, double a)
{
    double t1, t2, t3, t4, a1, a2, x1, x2, z;
    t1 = R23 * a;
    a1 = (int)t1;
    a2 = a - T23 * a1;
    t1 = R23 * *x;
    x1 = (int)t1;
    x2 = *x - T23 * x1;
    t1 = a1 * x2 + a2 * x1;
    t2 = (int)(R23 * t1);
    z = t1 - T23 * t2;
    t3 = T23 * z + a2 * x2;
    t4 = (long)(R46 * t3);
    *x = t3 - T46 * t4;
    return R46 * *x;
}

static double power(double a, int n)
{
    double result = 1.0, square = a;
    for (; n; n >>= 1) {
        if (n & 1)
            randlc(&result, square);
        randlc(&square, square);
    }
    return result;
}

struct sums {
    double sx, sy;
    long q[10];
};
shared struct sums total; /* with thread 0 */
upc_lock_t *lock;
static double x[2 * NK];

int main()
{
    int batch, i, l;
    struct sums mine = {0.0, 0.0, {0}};
    double an = power(A, 2 * NK);

    lock = upc_all_lock_alloc();
    upc_forall (batch = 0; batch < NN; batch++; batch) {
        double seed = S, jump = power(an, batch);
        randlc(&seed, jump);
        for (i = 0; i < 2 * NK; i++)
            x[i] = randlc(&seed, A);
        for (i = 0; i < NK; i++) {
            double x1 = 2 * x[2 * i] - 1, x2 = 2 * x[2 * i + 1] - 1, t = x1 * x1 + x2 * x2;
            if (t <= 1.0) {
                double f = sqrt(-2.0 * log(t) / t), g1 = x1 * f, g2 = x2 * f;
                l = (int)fmax(fabs(g1), fabs(g2));
                mine.q[l] += 1;
                mine.sx += g1;
                mine.sy += g2;
            }
        }
    }
    upc_lock(lock);
    total.sx += mine.sx;
    total.sy += mine.sy;
    for (l = 0; l < 10; l++)
        total.q[l] += mine.q[l];
    upc_unlock(lock);
    upc_barrier;

    if (!MYTHREAD) {
        double ex = fabs((total.sx - -3.247834652034740e+3) / total.sx);
        double ey = fabs((total.sy - -6.958407078382297e+3) / total.sy);
        if (!(ex < 1e-8 && ey < 1e-8)) {
            printf("sx %.15e sy %.15e\n", total.sx, total.sy);
            upc_global_exit(1);
        }
        printf("ok\n");
        upc_lock_free(lock);
    }
    return 0;
}
