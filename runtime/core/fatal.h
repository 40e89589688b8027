/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job that cannot go on, and warnings. Does not know how the message travels: the
 * upc room registers a sink that hands it to upcrun; until then it goes to stderr.
 */
#ifndef FL_CORE_FATAL_H
#define FL_CORE_FATAL_H

#include "core/status.h"

enum fl_code {
#define FL_CODE(name, code, title) FL_CODE_##name,
#include "core/codes.def"
#undef FL_CODE
    FL_N_CODES
};

/* "R0101" */
const char *fl_code_text(enum fl_code code);

/* Ends the job. The text says what happened, to whom, and what to change; no full stop. Any
 * thread; does not return; at most one caller per process gets its message out. */
FL_COLD FL_PRINTF(2, 3) _Noreturn void fl_fatal(enum fl_code code, const char *format, ...);

/* The memory; if it is null, a fatal error that says for what, in the form of printf. */
#define FL_ALLOCATED(memory, ...)                                                                  \
    ({                                                                                             \
        __typeof__(memory) allocated_ = (memory);                                                  \
        if (FL_UNLIKELY(!allocated_)) {                                                            \
            fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for " __VA_ARGS__);                        \
        }                                                                                          \
        allocated_;                                                                                \
    })

/* Only one thread of a process ends it, whether by a fatal error, a deadly signal or otherwise: the
 * first one returns from here, others sleep until the process has ended. The first one may come
 * again, from a signal handler. Async-signal-safe. */
void fl_fatal_claim_end_sigsafe(void);

/* One line on stderr, unless the job is quiet. */
FL_COLD FL_PRINTF(1, 2) void fl_warn(const char *format, ...);

/* Receives the finished text; ends the process. */
typedef void (*fl_fatal_sink)(enum fl_code code, const char *text);
void fl_fatal_set_sink(fl_fatal_sink sink);
void fl_warn_set_quiet(bool quiet);

#endif
