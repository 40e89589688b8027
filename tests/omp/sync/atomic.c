/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic: all operators and types, each update counted. */
#include "../inputs/check.h"

static int i, o, x;
static unsigned char c;
static short s;
static long long l;
static float f;
static double d, m = 1;
static long double ld;
static unsigned bits, mask = ~0u;
static _Complex double z;

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    for (int k = 0; k < 50; k++) {
#pragma omp atomic
        i++;
#pragma omp atomic update
        c += 1;
#pragma omp atomic
        s -= 2;
#pragma omp atomic
        l = l + 3;
#pragma omp atomic
        f += 0.5f;
#pragma omp atomic
        d = 0.25 + d;
#pragma omp atomic
        ld += 1;
#pragma omp atomic
        bits |= 1u << (k % 32);
#pragma omp atomic
        mask &= ~(1u << (k % 16));
#pragma omp atomic
        x ^= 1;
#pragma omp atomic seq_cst
        --o;
        if (k < 10) {
#pragma omp atomic
            m *= 2;
        }
    }
    CHECK(i == 50 * n && c == (unsigned char)(50 * n) && s == (short)(-100 * n) && l == 150L * n);
    CHECK(f == 25.0f * (float)n && d == 12.5 * n && ld == 50.0L * n && o == -50 * n);
    CHECK(bits == ~0u && mask == 0xffff0000u && x == 0);
#pragma omp parallel
    for (int k = 0; k < 10; k++) {
#pragma omp atomic
        m /= 2;
    }
    CHECK(m == 1);
    (void)z;
    return result();
}
