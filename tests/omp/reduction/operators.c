/* SPDX-License-Identifier: BSD-3-Clause */
/* Every operator, on scalars of several types, in loops, regions and sections. */
#include "../inputs/check.h"
#include <complex.h>

int main(void) {
    int sum = 5, difference = 5, product = 1, bit_and = -1, bit_or = 0, bit_xor = 0, both = 1, any = 0;
    int least = 1000, most = -1000;
    double dsum = 0.5, dleast = 1e9, dproduct = 1;
    float fsum = 0, fmost = -1e9f;
    long long lsum = 1LL << 40;
    unsigned char csum = 0;
    long double ldsum = 0;
    double _Complex zsum = 0;
    _Bool flag = 1;
#pragma omp parallel for reduction(+ : sum, dsum, fsum, lsum, csum, ldsum, zsum)                   \
    reduction(- : difference) reduction(* : product, dproduct) reduction(& : bit_and)              \
    reduction(| : bit_or) reduction(^ : bit_xor) reduction(&& : both, flag) reduction(|| : any)    \
    reduction(min : least, dleast) reduction(max : most, fmost)
    for (int i = 1; i <= 60; i++) {
        sum += i;
        dsum += i;
        fsum += (float)i;
        lsum += i;
        csum += (unsigned char)i;
        ldsum += i;
        zsum += i + I;
        difference -= i;
        product *= i == 7 || i == 50 ? 3 : 1;
        dproduct *= i % 2 ? 2 : 0.5;
        bit_and &= ~(1 << (i % 8));
        bit_or |= 1 << (i % 10);
        bit_xor ^= i;
        both = both && i > 0;
        flag = flag && i < 60;
        any = any || i == 33;
        least = least < i - 30 ? least : i - 30;
        most = most > i * 2 ? most : i * 2;
        dleast = dleast < i ? dleast : i;
        fmost = fmost > (float)i ? fmost : (float)i;
    }
    CHECK(sum == 1835 && dsum == 1830.5 && fsum == 1830 && lsum == (1LL << 40) + 1830);
    CHECK(csum == 1830 % 256 && ldsum == 1830 && creal(zsum) == 1830 && cimag(zsum) == 60);
    CHECK(difference == 5 - 1830 && product == 9 && dproduct == 1);
    CHECK(bit_and == ~255 && bit_or == 1023 && bit_xor == (60 ^ 0) && both && !flag && any);
    CHECK(least == -29 && most == 120 && dleast == 1 && fmost == 60);
    int one = 0;
#pragma omp parallel reduction(+ : one)
    one = 1;
    CHECK(one == omp_get_max_threads());
#ifndef __clang__ /* clang 19 does not know scope */
    int scoped = 0;
#pragma omp parallel
    {
#pragma omp scope reduction(+ : scoped)
        scoped += 2;
        CHECK(scoped == 2 * omp_get_num_threads());
    }
#endif
    return result();
}
