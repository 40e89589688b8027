/* SPDX-License-Identifier: BSD-3-Clause */
/* private, firstprivate, lastprivate, shared, and what default says. */
#include "../inputs/check.h"

struct pair {
    int a;
    double b[3];
};

int main(void) {
    int p = 1, f = 2, l = 3, s = 4, array[10] = {9, 8, 7};
    struct pair pair = {5, {1, 2, 3}};
    double vla[omp_get_max_threads()];
#pragma omp parallel private(p) firstprivate(f, array, pair) shared(s, vla)
    {
        p = omp_get_thread_num();
        CHECK(f == 2 && array[2] == 7 && array[9] == 0 && pair.a == 5 && pair.b[2] == 3);
        f += p;
        array[0] = p;
        pair.a = p;
        vla[p] = p + 0.5;
#pragma omp barrier
        CHECK(f == 2 + p && array[0] == p && pair.a == p && s == 4);
    }
    for (int i = 0; i < omp_get_max_threads(); i++) {
        CHECK(vla[i] == i + 0.5);
    }
    CHECK(p == 1 && f == 2 && array[0] == 9 && pair.a == 5);
#pragma omp parallel for lastprivate(l, pair) firstprivate(l)
    for (int i = 0; i < 37; i++) {
        l = i;
        pair.a = 2 * i;
    }
    CHECK(l == 36 && pair.a == 72);
    int last = -1;
#pragma omp parallel
#pragma omp sections lastprivate(last)
    {
#pragma omp section
        last = 1;
#pragma omp section
        last = 2;
    }
    CHECK(last == 2);
    int conditional = -1;
#pragma omp parallel for lastprivate(conditional : conditional)
    for (int i = 0; i < 100; i++) {
        if (i % 30 == 7) {
            conditional = i;
        }
    }
    CHECK(conditional == 97);
    return result();
}
