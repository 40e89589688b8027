/* SPDX-License-Identifier: BSD-3-Clause */
/* What accesses of compiled code to memory that may be another host's share. */
#ifndef FL_UPC_REMOTE_H
#define FL_UPC_REMOTE_H

#include "core/status.h"
#include "upc/process.h"

FL_COLD _Noreturn void upc_remote_bad_address(const volatile void *address, const char *file,
                                              int line);

/* Whoever comes here with an address that no segment holds would have a segmentation fault if the
 * access were a plain one; here the place in the program can be said. */
static inline void upc_remote_check(const volatile void *address, const char *file, int line) {
    if (FL_UNLIKELY(!fl_space_holds(&upc_process.space, (uint64_t)address))) {
        upc_remote_bad_address(address, file, line);
    }
}

#endif
