/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks common to accesses of compiled code to memory that may be another host's. */
#ifndef FL_UPC_REMOTE_H
#define FL_UPC_REMOTE_H

#include "core/status.h"
#include "upc/process.h"

FL_COLD _Noreturn void upc_remote_bad_address(const volatile void *address, const char *file,
                                              int line);

/* Ends the job if no segment holds the address. A plain access would raise a segmentation fault;
 * here the message can name the place in the program. */
static inline void upc_remote_check(const volatile void *address, const char *file, int line) {
    if (FL_UNLIKELY(!fl_space_holds(&upc_process.space, (uint64_t)address))) {
        upc_remote_bad_address(address, file, line);
    }
}

#endif
