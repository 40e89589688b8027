/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's functions on pointers-to-shared (furlong/bupc/pointer.h). */
#include "library/upc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

enum { DUMP_LEAST = 100 }; /* BUPC_DUMP_MIN_LENGTH: the text below with the largest numbers */

int bupc_dump_shared(upcr_pts p, char *buf, int maxlen);
upcr_pts bupc_ptradd(upcr_pts p, size_t blockelems, size_t elemsz, ptrdiff_t inc);

int bupc_dump_shared(upcr_pts p, char *buf, int maxlen) {
    unsigned long address = upcr_address(p);
    if (!buf || maxlen < DUMP_LEAST) {
        errno = EINVAL;
        return -1;
    }
    if (address == 0) {
        snprintf(buf, (size_t)maxlen, "<NULL>");
        return 0;
    }
    int n = snprintf(buf, (size_t)maxlen, "<address=0x%lx (addrfield=0x%lx), thread=%lu, phase=",
                     address, upcr_addrfield(address), upcr_threadof(address));
    /* An unknown phase is no error here: programs print pointers to find mistakes. */
    bool known = upcr_phase(p) != UPCR_PHASE_UNKNOWN;
    snprintf(buf + n, (size_t)(maxlen - n), known ? "%lu>" : "unknown>", upcr_phase(p));
    return 0;
}

upcr_pts bupc_ptradd(upcr_pts p, size_t blockelems, size_t elemsz, ptrdiff_t inc) {
    unsigned long address = upcr_address(p);
    switch (blockelems) {
    case 0:
        return address + (unsigned long)inc * elemsz;
    case 1:
        return upcr_add_cyclic(address, inc, elemsz);
    default:
        return upcr_narrow(upcr_add_wide(upcr_widen(p), inc, elemsz, (long)blockelems));
    }
}
