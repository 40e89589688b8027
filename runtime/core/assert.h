/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What must hold where state changes. Checked in builds with FURLONG_ASSERT, as those with sanitizers
 * are; elsewhere an assertion is no code, and its condition is not evaluated.
 */
#ifndef FL_CORE_ASSERT_H
#define FL_CORE_ASSERT_H

#include "core/status.h"

#ifdef FURLONG_ASSERT
#define fl_assert(condition)                                                                       \
    ((condition) ? (void)0 : fl_assert_failed(#condition, __FILE__, __LINE__))
#else
#define fl_assert(condition) ((void)(0 && (condition)))
#endif

/* Says what does not hold and where, and aborts the process: its state is not to be used any more,
 * not even for the job's end. Any thread, signal handlers too. */
FL_COLD _Noreturn void fl_assert_failed(const char *condition, const char *file, int line);

#endif
