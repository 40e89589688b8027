/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What threads record for the report (core/record.h): parallel regions, waits that are not over at
 * once, and tasks that their makers do not execute at once.
 *
 * A thread opens its recording when it first has something to tell, under its index in the team
 * that it is in then; where that is taken already, as in teams inside teams, under a number above
 * all others.
 */
#ifndef FL_OMP_RECORDER_H
#define FL_OMP_RECORDER_H

#include "core/status.h"
#include "platform/os.h"

/* Whether a report is wanted. Set before main. */
extern bool fl_omp_recording;

FL_COLD void fl_omp_record(uint64_t since, const char *what, const char *call, unsigned number,
                           uint64_t value);

/* Before an operation that may take long; the result is for fl_omp_record_end after it. */
static inline uint64_t fl_omp_record_begin(void) {
    return FL_UNLIKELY(fl_omp_recording) ? fl_os_now_ns() : 0;
}

/* `what` is one word, `call` what the program knows it by; `value`: the lock, or 0. */
static inline void fl_omp_record_end(uint64_t since, const char *what, const char *call,
                                     unsigned number, uint64_t value) {
    if (FL_UNLIKELY(since)) {
        fl_omp_record(since, what, call, number, value);
    }
}

/* Of the calling thread: tasks that it is in, one inside the other, and the time of the outermost. */
struct fl_omp_recorded_tasks {
    unsigned depth;
    uint64_t ns;
};
extern _Thread_local struct fl_omp_recorded_tasks fl_omp_recorded_tasks;

/* The calling thread ends the program. */
void fl_omp_record_close(void);

FL_COLD uint64_t fl_omp_record_task(void);
FL_COLD void fl_omp_record_task_ended(uint64_t since, bool has_moved, unsigned number);

/* Around a task, as the two above. */
static inline uint64_t fl_omp_record_task_begin(void) {
    return FL_UNLIKELY(fl_omp_recording) ? fl_omp_record_task() : 0;
}

/* Time of the thread in tasks so far: a wait in which it has executed some was shorter by them. */
static inline uint64_t fl_omp_record_in_tasks(void) {
    return FL_UNLIKELY(fl_omp_recording) ? fl_omp_recorded_tasks.ns : 0;
}

#endif
