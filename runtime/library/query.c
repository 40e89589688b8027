/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointer-to-shared queries (UPC 1.3 7.2.3); emitted code has most of them inline, these are for
 * function pointers. */
#include "core/fatal.h"
#include "library/upc.h"

size_t upc_threadof(upcr_pts p) {
    return upcr_threadof(upcr_address(p));
}

size_t upc_phaseof(upcr_pts p) {
    return (size_t)(upcr_widen(p) >> 64);
}

upcr_pts upc_resetphase(upcr_pts p) {
    return upcr_address(p);
}

size_t upc_addrfield(upcr_pts p) {
    return upcr_addrfield(upcr_address(p));
}

/* 7.2.3: bytes of a `shared [nbytes] char[totalsize]` with affinity to the thread. */
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid) {
    size_t threads = upcr_threads();
    if (totalsize == 0 || nbytes == 0 || nbytes >= totalsize) {
        return threadid == 0 ? totalsize : 0;
    }
    size_t blocks = totalsize / nbytes;
    size_t rows = blocks / threads;
    size_t in_last_row = blocks % threads;
    return rows * nbytes + (threadid < in_last_row    ? nbytes
                            : threadid == in_last_row ? totalsize % nbytes
                                                      : 0);
}

void upcr_unknown_phase(void) {
    fl_fatal(FL_CODE_UNKNOWN_PHASE,
             "a pointer whose phase is above 2^18 - 2 went through `shared void *`, which cannot "
             "hold such a phase, and the phase is needed now; keep the pointer in its own type");
}
