/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_castable.h> (UPC 1.3 library 7.7). The segments of all threads of the host are memory of
 * this process, at the same addresses in each: so every shared object is castable. */
#include "library/cast.h"

#include "core/fatal.h"
#include "upc/process.h"

/* Nothing outside the segments is a shared object, nor is null. */
void *upc_cast(upcr_pts p) {
    uint64_t address = upcr_address(p);
    return fl_space_holds(&upc_process.space, address) ? (void *)address : NULL;
}

upc_thread_info_t upc_thread_info(size_t thread) {
    if (thread < upcr_threads()) {
        return (upc_thread_info_t){UPC_CASTABLE_ALL, UPC_CASTABLE_ALL};
    }
    if (upc_process.check) {
        fl_fatal(FL_CODE_THREAD_NUMBER,
                 "upc_thread_info: there is no thread %zu; threads are numbered from 0 to %u",
                 thread, upcr_threads() - 1);
    }
    return (upc_thread_info_t){0, 0};
}
