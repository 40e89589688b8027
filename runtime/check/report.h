/* SPDX-License-Identifier: BSD-3-Clause */
/* What the checker says, once for each pair of lines; and how the job then ends. */
#ifndef FL_CHECK_REPORT_H
#define FL_CHECK_REPORT_H

#include "check/check.h"
#include "core/fatal.h"

/* Two words of the shadow (shadow.h), the second of the calling thread. */
FL_COLD void check_report_race(uint64_t address, uint64_t old, uint64_t new);

/* `where` says what is accessed instead of an object. */
FL_COLD void check_report_bounds(uint32_t site, unsigned access, uint64_t bytes, const char *where);

/* Whether a finding is new; counts it. */
FL_COLD bool check_is_new(enum fl_code code, uint32_t site, uint32_t other);
/* One finding, in one write: "warning[R0323]: text". */
FL_COLD FL_PRINTF(2, 3) void check_say(enum fl_code code, const char *format, ...);

/* The thread's end: the last one of the job sums up, and findings become the exit code. */
void check_report_end(bool in_order);

#endif
