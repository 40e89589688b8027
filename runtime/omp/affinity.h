/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that describes where threads run. OpenMP 5.1 §6.14. */
#ifndef FL_OMP_AFFINITY_H
#define FL_OMP_AFFINITY_H

/* affinity-format-var, the same on all hosts. */
struct fl_omp_affinity_format {
    char text[1024]; /* ends with a zero; empty: the environment's */
};

/* Stores a format that the program has set on another host. */
void fl_omp_affinity_told(const struct fl_omp_affinity_format *format);

/* Writes a line about the calling thread to stderr. Null or empty format: affinity-format-var. */
void fl_omp_affinity_show(const char *format);

#endif
