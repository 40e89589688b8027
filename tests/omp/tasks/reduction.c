/* SPDX-License-Identifier: BSD-3-Clause */
/* Task reductions: of taskgroups, taskloops, regions and worksharing constructs; inside of each
 * other; arrays, user-defined operators that look at the original variable. */
#include "../inputs/check.h"

struct pair {
    long sum, n;
};

static void initialise(struct pair *mine, const struct pair *original) {
    CHECK(original->n >= 1000000);
    *mine = (struct pair){0, 0};
}

static void combine(struct pair *to, const struct pair *from) {
    to->sum += from->sum;
    to->n += from->n;
}

#pragma omp declare reduction(join : struct pair : combine(&omp_out, &omp_in))                     \
    initializer(initialise(&omp_priv, &omp_orig))

static void groups(int n) {
    long sum = 5, product = 1, inner = 0;
    double v[n];
    struct pair pair = {0, 1000000};
    for (int i = 0; i < n; i++) {
        v[i] = 0;
    }
#pragma omp taskgroup task_reduction(+ : sum, v) task_reduction(* : product)                       \
    task_reduction(join : pair)
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum, v) in_reduction(join : pair) firstprivate(i, n)
            {
                sum += i;
                v[i % n] += 1;
                pair.sum += i;
                pair.n++;
#pragma omp task in_reduction(+ : sum) in_reduction(join : pair)
                {
                    sum += 1000;
                    pair.n++;
                }
            }
        }
#pragma omp task in_reduction(* : product) in_reduction(+ : sum)
        {
            product *= 6;
            long below = 0;
#pragma omp taskgroup task_reduction(+ : below)
            {
                for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : below, sum)
                    {
                        below++;
                        sum++;
                    }
                }
            }
            CHECK(below == 10);
        }
    }
    (void)inner;
    CHECK(sum == 5 + 4950 + 100000 + 10);
    CHECK(product == 6);
    CHECK(pair.sum == 4950 && pair.n == 1000200);
    for (int i = 0; i < n; i++) {
        CHECK(v[i] == 100 / n + (i < 100 % n));
    }
}

static void loops(void) {
    int sum = 1, least = 1000, nothing = 3;
#pragma omp taskloop reduction(+ : sum) reduction(min : least) num_tasks(9)
    for (int i = 0; i < 200; i++) {
        sum += i;
        least = 500 - i < least ? 500 - i : least;
    }
    CHECK(sum == 19901 && least == 301);
#pragma omp taskloop reduction(+ : nothing)
    for (int i = 0; i < 0; i++) {
        nothing++;
    }
    CHECK(nothing == 3);
    int outer = 0;
#pragma omp taskgroup task_reduction(+ : outer)
    {
#pragma omp taskloop in_reduction(+ : outer) grainsize(10)
        for (int i = 0; i < 100; i++) {
            outer += i;
        }
    }
    CHECK(outer == 4950);
}

static void regions(void) {
    int max = omp_get_max_threads(), sum = 0;
    long v[3] = {0};
#pragma omp parallel reduction(task, + : sum, v)
    {
        sum++;
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum, v) firstprivate(i)
            {
                sum += 10;
                v[i % 3] += i;
            }
        }
    }
    CHECK(sum == 201 * max);
    CHECK(v[0] + v[1] + v[2] == 190 * max && v[0] == 63 * max);
}

#ifndef __clang__ /* clang 19 does not know scope */
static int inner_sum, outer_product;

static void scopes(void) {
#pragma omp scope reduction(task, * : outer_product)
    {
#pragma omp scope reduction(task, + : inner_sum)
        {
#pragma omp task in_reduction(+ : inner_sum) in_reduction(* : outer_product)
            {
                inner_sum += 5;
                outer_product *= 2;
            }
        }
#pragma omp task in_reduction(* : outer_product)
        outer_product *= 2;
    }
}
#endif

static int shared_sum;

static void worksharing(void) {
#pragma omp for reduction(task, + : shared_sum) schedule(dynamic, 3)
    for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : shared_sum) firstprivate(i)
        shared_sum += i;
    }
    CHECK(shared_sum == 1225);
#pragma omp barrier
#pragma omp single
    shared_sum = 0;
#pragma omp for reduction(task, + : shared_sum) schedule(static)
    for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : shared_sum) firstprivate(i)
        shared_sum += i;
    }
    CHECK(shared_sum == 1225);
#pragma omp barrier
#pragma omp sections reduction(task, + : shared_sum)
    {
#pragma omp section
#pragma omp task in_reduction(+ : shared_sum)
        shared_sum += 1;
#pragma omp section
        shared_sum += 2;
    }
    CHECK(shared_sum == 1228);
#ifndef __clang__ /* clang 19 does not know scope */
#pragma omp barrier
#pragma omp scope reduction(task, + : shared_sum)
    {
#pragma omp task in_reduction(+ : shared_sum)
        shared_sum += 1;
    }
    CHECK(shared_sum == 1228 + omp_get_num_threads());
#endif
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        {
            groups(7);
            loops();
        }
        groups(3);
        loops();
    }
    regions();
    shared_sum = 0;
#pragma omp parallel
    worksharing();
#ifndef __clang__
    outer_product = 1;
#pragma omp parallel num_threads(3)
    scopes();
    CHECK(inner_sum == 15 && outer_product == 64);
#endif
    groups(5);
    loops();
    return result();
}
