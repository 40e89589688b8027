/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations that the program has not freed when its last thread ends (FURLONG_CHECK_LEAKS). */
#ifndef FL_CHECK_LEAKS_H
#define FL_CHECK_LEAKS_H

/* By the last thread of the job. */
void check_leaks_report(void);

#endif
