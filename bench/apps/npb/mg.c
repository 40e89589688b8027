/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG by OpenMP: one cube, whose planes the threads divide.
 */
#include "mg.h"
#include <omp.h>

static struct mg_charges agreed;
static double total;

static void mg_exchange(const struct mg *m, const struct mg_level *level, long grid) {
    mg_wrap(level, m->base + grid);
}

static void mg_collect(const struct mg *m, const struct mg_level *level, long grid) {
    (void)m, (void)level, (void)grid; /* nothing is cut */
}

static double mg_sum(double value) {
#pragma omp single
    total = 0;
#pragma omp atomic
    total += value;
#pragma omp barrier
    double sum = total;
#pragma omp barrier
    return sum;
}

static void mg_agree(struct mg_charges *charges) {
#pragma omp single
    agreed = mg_no_charges();
#pragma omp critical
    mg_merge(&agreed, charges);
#pragma omp barrier
    *charges = agreed;
#pragma omp barrier
}

int main(void) {
    struct mg m;
    size_t points = mg_setup(&m, 1, 0);
    double seconds = 0, norm = 0;
    m.base = malloc(points * sizeof *m.base);
    if (!m.base) {
        fprintf(stderr, "npb: no memory for %zu points\n", points);
        return 1;
    }
#pragma omp parallel
    {
        double took = 0, mine = mg_run(&m, &took);
#pragma omp master
        {
            norm = mine;
            seconds = took;
        }
    }
    free(m.base);
    return mg_finish(norm, seconds);
}
