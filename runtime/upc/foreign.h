/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Foreign threads: those that the program has made itself, with pthread_create, OpenMP or
 * std::thread. Whether they may call a function of the library, and for which UPC thread.
 *
 * Under upcc -nopthreads a process has one UPC thread, for which they transfer, allocate, and use
 * locks and atomic operations; only the UPC thread itself may call barriers and collective
 * functions. In other programs they may call no function for which the library must know the UPC
 * thread.
 */
#ifndef FL_UPC_FOREIGN_H
#define FL_UPC_FOREIGN_H

#include "upc/process.h"

/* In a foreign thread: returns the UPC thread for which it calls `function`, or ends the job. */
FL_COLD struct upc_thread *upc_foreign_acting(const char *function);
/* Ends the job: only UPC threads may call `function`. */
FL_COLD _Noreturn void upc_foreign_refuse(const char *function);

static inline struct upc_thread *upc_acting(const char *function) {
    struct upc_thread *self = upc_self;
    return FL_LIKELY(self) ? self : upc_foreign_acting(function);
}

static inline struct upc_thread *upc_itself(const char *function) {
    struct upc_thread *self = upc_self;
    if (FL_UNLIKELY(!self)) {
        upc_foreign_refuse(function);
    }
    return self;
}

/* The number of the calling foreign thread among those of its process: from 1 to UPC_FOREIGN_MAX,
 * until the thread ends. */
enum { UPC_FOREIGN_MAX = 8190 };
FL_COLD unsigned upc_foreign_number(void);

/* Called before a foreign thread takes a lock, and after it has released one: in between, the UPC
 * thread may be waiting for it (upc/stuck.h). */
void upc_foreign_wants_lock(void);
void upc_foreign_has_released(void);
/* Whether foreign threads of the process hold locks, or wait for some. */
bool upc_foreign_locks(void);

#endif
