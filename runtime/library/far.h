/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses that may be private memory, this host's shared memory, or another host's. */
#ifndef FL_LIBRARY_FAR_H
#define FL_LIBRARY_FAR_H

#include "comm/comm.h"
#include "upc/abi.h"

/* Whether the address is in some thread's segment. */
static inline bool is_shared(uint64_t address) {
    return address - upcr_base() < (uint64_t)upcr_threads() << upcr_log2_segment();
}

/* Whether it is in that of a thread on another host. */
static inline bool is_far(uint64_t address) {
    return !fl_comm_is_here(address) && is_shared(address);
}

#endif
