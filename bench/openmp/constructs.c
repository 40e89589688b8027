/* SPDX-License-Identifier: BSD-3-Clause */
/* What constructs cost that do nothing, or next to nothing. J. M. Bull: Measuring synchronisation and
 * scheduling overheads in OpenMP (EWOMP 1999). See alternate.h. */
#include "alternate.h"

#include <omp.h>

enum { REGIONS = 1000, INSIDE = 1000, ITERATIONS = 256 };

static void nothing(int i) {
    __asm__ volatile("" ::"r"(i));
}

/* Of 0 to n - 1, by each thread. */
static void expect(const char *name, long sum, long n) {
    long right = omp_get_max_threads() * (n * (n - 1) / 2);
    bench_check(sum == right, "%s: the sum is %ld, not %ld", name, sum, right);
}

static void regions(void) {
    for (int k = 0; k < REGIONS; k++) {
#pragma omp parallel
        nothing(k);
    }
}

static void reductions(void) {
    long sum = 0;
    for (int k = 0; k < REGIONS; k++) {
#pragma omp parallel reduction(+ : sum)
        sum += k;
    }
    expect("reduction", sum, REGIONS);
}

/* Several variables: not by an instruction. */
static void wide_reductions(void) {
    double a = 0, b = 0;
    for (int k = 0; k < REGIONS; k++) {
#pragma omp parallel reduction(+ : a, b)
        {
            a += k;
            b -= k;
        }
    }
    expect("wide-reduction", (long)a, REGIONS);
    expect("wide-reduction", (long)-b, REGIONS);
}

static void barriers(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
#pragma omp barrier
    }
}

static void static_loops(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
#pragma omp for schedule(static)
        for (int i = 0; i < ITERATIONS; i++) {
            nothing(i);
        }
    }
}

static void dynamic_loops(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 10; k++) {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < ITERATIONS; i++) {
            nothing(i);
        }
    }
}

static void nowait_loops(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 10; k++) {
#pragma omp for schedule(dynamic, 16) nowait
        for (int i = 0; i < ITERATIONS; i++) {
            nothing(i);
        }
    }
}

static void guided_loops(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 10; k++) {
#pragma omp for schedule(guided)
        for (int i = 0; i < ITERATIONS; i++) {
            nothing(i);
        }
    }
}

static void ordered_loops(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 100; k++) {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < ITERATIONS; i++) {
#pragma omp ordered
            nothing(i);
        }
    }
}

static void singles(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
#pragma omp single
        nothing(k);
    }
}

static void critical_regions(void) {
    long sum = 0;
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
#pragma omp critical
        sum += k;
    }
    expect("critical", sum, INSIDE);
}

static void locks(void) {
    long sum = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
        omp_set_lock(&lock);
        sum += k;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    expect("lock", sum, INSIDE);
}

static void sections_of_two(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 10; k++) {
#pragma omp sections
        {
            nothing(1);
#pragma omp section
            nothing(2);
        }
    }
}

/* Two threads in each of two. */
static void nested(void) {
    omp_set_max_active_levels(2);
    for (int k = 0; k < REGIONS / 100; k++) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
        nothing(k);
    }
}

/* By no instruction. */
static void wide_atomics(void) {
    static long double sum;
    sum = 0;
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
#pragma omp atomic
        sum += k;
    }
    expect("atomic-wide", (long)sum, INSIDE);
}

static void array_reductions(void) {
    enum { N = 64 };
    long sums[N] = {0};
    for (int k = 0; k < REGIONS; k++) {
#pragma omp parallel reduction(+ : sums)
        sums[k % N] += k;
    }
    for (int i = 1; i < N; i++) {
        sums[0] += sums[i];
    }
    expect("reduction-array", sums[0], REGIONS);
}

/* Each iteration follows the one before. */
static void doacross_loops(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 100; k++) {
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < ITERATIONS; i++) {
#pragma omp ordered depend(sink : i - 1)
            nothing(i);
#pragma omp ordered depend(source)
        }
    }
}

static void ordered_dynamic(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 100; k++) {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < ITERATIONS; i++) {
#pragma omp ordered
            nothing(i);
        }
    }
}

static void copied_singles(void) {
    int value;
#pragma omp parallel private(value)
    for (int k = 0; k < INSIDE; k++) {
#pragma omp single copyprivate(value)
        value = k;
        nothing(value);
    }
}

static void masked(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
#pragma omp master
        nothing(k);
    }
}

static void nested_locks(void) {
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
#pragma omp parallel
    for (int k = 0; k < INSIDE; k++) {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        nothing(k);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
}

static void many_sections(void) {
#pragma omp parallel
    for (int k = 0; k < INSIDE / 10; k++) {
#pragma omp sections nowait
        {
            nothing(1);
#pragma omp section
            nothing(2);
#pragma omp section
            nothing(3);
#pragma omp section
            nothing(4);
#pragma omp section
            nothing(5);
#pragma omp section
            nothing(6);
        }
    }
}

/* From region to region another number of threads, up to what there are. */
static void changing_sizes(void) {
    int most = omp_get_max_threads();
    for (int k = 0; k < REGIONS / 10; k++) {
#pragma omp parallel num_threads(1 + k % most)
        nothing(k);
    }
}

static int own;
#pragma omp threadprivate(own)

static void threadprivates(void) {
    for (int k = 0; k < REGIONS; k++) {
        own = k;
#pragma omp parallel copyin(own)
        nothing(own++);
    }
}

static void combined_dynamic(void) {
    for (int k = 0; k < REGIONS / 10; k++) {
#pragma omp parallel for schedule(dynamic, 8)
        for (int i = 0; i < ITERATIONS; i++) {
            nothing(i);
        }
    }
}

static const struct measurement all[] = {
    {"parallel", regions, REGIONS, 5},
    {"reduction", reductions, REGIONS, 5},
    {"wide-reduction", wide_reductions, REGIONS, 5},
    {"barrier", barriers, INSIDE, 5},
    {"for-static", static_loops, INSIDE, 5},
    {"for-dynamic", dynamic_loops, INSIDE / 10, 5},
    {"for-nowait", nowait_loops, INSIDE / 10, 5},
    {"for-guided", guided_loops, INSIDE / 10, 5},
    {"ordered", ordered_loops, INSIDE / 100, 3},
    {"single", singles, INSIDE, 5},
    {"critical", critical_regions, INSIDE, 5},
    {"lock", locks, INSIDE, 5},
    {"sections", sections_of_two, INSIDE / 10, 5},
    {"nested", nested, REGIONS / 100, 5},
    {"atomic-wide", wide_atomics, INSIDE, 5},
    {"reduction-array", array_reductions, REGIONS, 5},
    {"doacross", doacross_loops, INSIDE / 100, 3, 2},
    {"ordered-dynamic", ordered_dynamic, INSIDE / 100, 3},
    {"copyprivate", copied_singles, INSIDE, 5},
    {"masked", masked, INSIDE, 5},
    {"lock-nested", nested_locks, INSIDE, 5},
    {"sections-6", many_sections, INSIDE / 10, 5},
    {"parallel-sizes", changing_sizes, REGIONS / 10, 5},
    {"threadprivate", threadprivates, REGIONS, 5},
    {"parallel-for", combined_dynamic, REGIONS / 10, 5},
};

int main(int argc, char **argv) {
    return alternate(argc, argv, all, sizeof all / sizeof *all);
}
