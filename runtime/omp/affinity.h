/* SPDX-License-Identifier: BSD-3-Clause */
/* Where threads run, in words. OpenMP 5.1 §6.14. */
#ifndef FL_OMP_AFFINITY_H
#define FL_OMP_AFFINITY_H

/* affinity-format-var: of all hosts. */
struct fl_omp_affinity_format {
    char text[1024]; /* ends with a zero; empty: the environment's */
};

/* Another host's program has set it. */
void fl_omp_affinity_told(const struct fl_omp_affinity_format *format);

/* A line on stderr about the calling thread; null or empty format: the program's. */
void fl_omp_affinity_show(const char *format);

#endif
