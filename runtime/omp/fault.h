/* SPDX-License-Identifier: BSD-3-Clause */
/* Says of a wild pointer, before it ends the program, whose it was. */
#ifndef FL_OMP_FAULT_H
#define FL_OMP_FAULT_H

/* Once, before main. */
void fl_omp_fault_start(void);

#endif
