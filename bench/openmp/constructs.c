/* SPDX-License-Identifier: BSD-3-Clause */
/* What constructs cost that do nothing, or next to nothing. J. M. Bull: Measuring synchronisation and
 * scheduling overheads in OpenMP (EWOMP 1999). See alternate.h. */
#include "alternate.h"

#include <omp.h>

enum { REGIONS = 1000, INSIDE = 1000, ITERATIONS = 256 };

static void nothing(int i) {
    __asm__ volatile("" ::"r"(i));
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
    nothing((int)sum);
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
    nothing((int)(a + b));
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
    nothing((int)sum);
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
    nothing((int)sum);
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
};

int main(int argc, char **argv) {
    return alternate(argc, argv, all, sizeof all / sizeof *all);
}
