/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages about threads whose barriers do not fit together. */
#ifndef FL_SYNC_MISMATCH_H
#define FL_SYNC_MISMATCH_H

#include "sync/barrier.h"

/* Two values for one barrier. */
FL_COLD _Noreturn void fl_mismatch_values(const struct fl_barrier_record *one,
                                          const struct fl_barrier_record *other);

/* A upc_wait whose value is not that of the notify. */
FL_COLD _Noreturn void fl_mismatch_wait(unsigned thread, const struct fl_barrier_mark *mark,
                                        const struct fl_barrier_record *notify);

/* A notify of a thread that has not waited for its last one. */
FL_COLD _Noreturn void fl_mismatch_notify(const char *const *names,
                                          const struct fl_barrier_record *last,
                                          const struct fl_barrier_mark *mark);

/* Two kinds of barrier that met; `names` are those of the kinds. */
FL_COLD _Noreturn void fl_mismatch_kinds(const char *const *names,
                                         const struct fl_barrier_record *one,
                                         const struct fl_barrier_record *other);

#endif
