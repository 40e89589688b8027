// SPDX-License-Identifier: BSD-3-Clause
// Shared complex numbers: arithmetic, parts, comparison.
#include "../../check.h"
#include <complex.h>

shared double _Complex z[4 * THREADS];
shared [2] float complex f[4 * THREADS];

int main(void)
{
    for (int e = MYTHREAD; e < 4 * THREADS; e += THREADS) {
        double complex m = e + 2 * I;
        z[e] = m;
        z[e] += 1;
        m += 1;
        z[e] *= I;
        m *= I;
        CHECK(z[e] == m);
        CHECK(creal(z[e]) == creal(m) && cimag(z[e]) == cimag(m));
        CHECK(__real__ z[e] == creal(m));
        __imag__ z[e] = 9;
        CHECK(cimag(z[e]) == 9);
        f[e] = (float complex)m;
        f[e] = -f[e];
        CHECK(f[e] == -(float complex)m);
    }
    return check_done();
}
