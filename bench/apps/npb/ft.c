/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FT by OpenMP: one box, whose planes or rows the threads divide. Nothing is transposed.
 */
#include "ft.h"
#include <omp.h>

static struct ft_complex total;

static void ft_send_plane(const struct ft *f, long plane) { (void)f, (void)plane; }
static void ft_begin_row(const struct ft *f, long row) { (void)f, (void)row; }
static void ft_send_row(const struct ft *f, long row) { (void)f, (void)row; }
static void ft_receive_spectrum(const struct ft *f) { (void)f; }
static void ft_receive_box(const struct ft *f) { (void)f; }

static struct ft_complex ft_sum(struct ft_complex value) {
#pragma omp single
    total = (struct ft_complex){0, 0};
#pragma omp critical
    {
        total.re += value.re;
        total.im += value.im;
    }
#pragma omp barrier
    struct ft_complex sum = total;
#pragma omp barrier
    return sum;
}

int main(void) {
    struct ft f;
    struct ft_complex sums[FT_STEPS] = {{0, 0}};
    double seconds = 0;
    ft_setup(&f, 1, 0);
    size_t points = ft_share(&f);
    f.box = f.work = malloc(points * sizeof *f.box);
    f.spectrum = malloc(points * sizeof *f.spectrum);
    f.decay = malloc(points * sizeof *f.decay);
    if (!f.box || !f.spectrum || !f.decay) {
        fprintf(stderr, "npb: no memory for %zu points\n", points);
        return 1;
    }
#pragma omp parallel
    {
        struct ft_complex mine[FT_STEPS];
        double took = ft_run(&f, mine);
#pragma omp master
        {
            seconds = took;
            for (int i = 0; i < FT_STEPS; i++) {
                sums[i] = mine[i];
            }
        }
    }
    free(f.box);
    free(f.spectrum);
    free(f.decay);
    return ft_finish(sums, seconds);
}
