/* SPDX-License-Identifier: BSD-3-Clause */
/* Before a wild access ends the program, reports the thread and the address. */
#ifndef FL_OMP_FAULT_H
#define FL_OMP_FAULT_H

/* Once, before main. */
void fl_omp_fault_start(void);

#endif
