/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_castable.h> (UPC 1.3 library 7.7) and its Berkeley ancestors. The segments of all threads of
 * the host are mapped in this process, at the same addresses in each: so every shared object of the
 * host is castable, and no other. */
#include "library/cast.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/process.h"

/* Addresses outside the segments, such as null, are no shared objects. */
void *upc_cast(upcr_pts p) {
    uint64_t address = upcr_address(p);
    return fl_comm_is_here(address) ? (void *)address : NULL;
}

static int regions_of(const char *what, size_t thread) {
    if (thread < upcr_threads()) {
        return fl_comm_is_here(upcr_address_on(0, thread)) ? UPC_CASTABLE_ALL : 0;
    }
    if (upc_process.check) {
        fl_fatal(FL_CODE_THREAD_NUMBER,
                 "%s: there is no thread %zu; threads are numbered from 0 to %u", what, thread,
                 upcr_threads() - 1);
    }
    return 0;
}

upc_thread_info_t upc_thread_info(size_t thread) {
    int regions = regions_of("upc_thread_info", thread);
    return (upc_thread_info_t){regions, regions};
}

int bupc_castable(upcr_pts p) {
    return !upcr_address(p) || upc_cast(p);
}

int bupc_thread_castable(unsigned thread) {
    return regions_of("bupc_thread_castable", thread) == UPC_CASTABLE_ALL;
}

void *bupc_cast(upcr_pts p) {
    return upc_cast(p);
}

upcr_pts bupc_inverse_cast(void *p) {
    return fl_comm_is_here((uint64_t)p) ? (upcr_pts)p : 0;
}

upcr_pts bupc_local_to_shared(void *p, int thread, int phase) {
    upcr_pts own = bupc_inverse_cast(p);
    if (!own) {
        return 0;
    }
    if (thread < 0 || (unsigned)thread >= upcr_threads()) {
        fl_fatal(FL_CODE_THREAD_NUMBER,
                 "bupc_local_to_shared: there is no thread %d; threads are numbered from 0 to %u",
                 thread, upcr_threads() - 1);
    }
    bool known = phase >= 0 && phase < UPCR_PHASE_UNKNOWN;
    return upcr_with_phase(upcr_address_on(upcr_addrfield(own), (unsigned long)thread),
                           known ? (unsigned long)phase : UPCR_PHASE_UNKNOWN);
}
