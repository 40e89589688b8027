/* SPDX-License-Identifier: BSD-3-Clause */
/* Iteration variables at the ends of their types. */
#include "../inputs/check.h"
#include <limits.h>

int main(void) {
    unsigned long long sum = 0, big = ULLONG_MAX - 100;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 7)
    for (unsigned long long i = big; i < ULLONG_MAX - 1; i++) {
        sum += i - big;
    }
    CHECK(sum == 99 * 98 / 2);
    sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (unsigned long long i = ULLONG_MAX; i > big; i -= 10) {
        sum++;
    }
    CHECK(sum == 10);
    long n = 0;
#pragma omp parallel for reduction(+ : n) schedule(dynamic)
    for (long i = LONG_MIN; i < LONG_MIN + 50; i++) {
        n++;
    }
#pragma omp parallel for reduction(+ : n) schedule(dynamic, 4)
    for (long i = LONG_MAX - 1; i > LONG_MAX - 51; i--) {
        n++;
    }
#pragma omp parallel for reduction(+ : n)
    for (int i = INT_MAX - 5; i < INT_MAX - 1; i += 2) {
        n++;
    }
#pragma omp parallel for reduction(+ : n) schedule(dynamic)
    for (signed char i = -128; i < 127; i++) {
        n++;
    }
    CHECK(n == 50 + 50 + 2 + 255);
    return result();
}
