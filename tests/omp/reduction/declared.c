/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions that the program declares, and scans. */
#include "../inputs/check.h"

struct range {
    int low, high, count;
};

static void widen(struct range *a, const struct range *b) {
    a->low = a->low < b->low ? a->low : b->low;
    a->high = a->high > b->high ? a->high : b->high;
    a->count += b->count;
}

#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in))                     \
    initializer(omp_priv = (struct range){1 << 30, -(1 << 30), 0})
#pragma omp declare reduction(mod7 : int : omp_out = omp_out * omp_in % 7) initializer(omp_priv = 1)

static int in[100], inclusive[100], exclusive[100];

int main(void) {
    struct range range = {1 << 30, -(1 << 30), 0};
    int product = 1;
#pragma omp parallel for reduction(widen : range) reduction(mod7 : product) schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) {
        struct range one = {i - 40, i - 40, 1};
        widen(&range, &one);
        product = product * (i % 6 + 1) % 7;
    }
    CHECK(range.low == -40 && range.high == 59 && range.count == 100);
    int expected = 1;
    for (int i = 0; i < 100; i++) {
        expected = expected * (i % 6 + 1) % 7;
        in[i] = i * i % 13;
    }
    CHECK(product == expected);
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < 100; i++) {
        sum += in[i];
#pragma omp scan inclusive(sum)
        inclusive[i] = sum;
    }
    int total = sum;
    sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < 100; i++) {
        exclusive[i] = sum;
#pragma omp scan exclusive(sum)
        sum += in[i];
    }
    int running = 0;
    for (int i = 0; i < 100; i++) {
        CHECK(exclusive[i] == running);
        running += in[i];
        CHECK(inclusive[i] == running);
    }
    CHECK(total == running);
    return result();
}
