/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers of compiled loops: through the read cache if the elements are there or close together,
 * else element by element. */
#include "comm/comm.h"
#include "upc/abi.h"
#include "upc/process.h"
#include "upc/trace.h"

_Static_assert((int)UPCR_GATHERED == (int)FL_READ_GATHERED, "a gather fits");

/* Whether all addresses are in shared memory. A bad one is reported when the elements are read
 * singly. */
static bool are_good(const unsigned long *at, unsigned n) {
    bool good = true;
    for (unsigned i = 0; i < n; i++) {
        good &= fl_space_holds(&upc_process.space, at[i]);
    }
    return good;
}

void upcr_gather(void *to, const unsigned long *at, unsigned n, unsigned long bytes,
                 const char *file, int line) {
    uint64_t since = upc_trace_begin();
    if (are_good(at, n) && fl_read_cache_gather(to, at, n, bytes)) {
        upc_trace_end_many(since, "read", file, line, at, n, bytes);
        return;
    }
    struct upcr_reads reads = {0};
    upcr_gather_start(to, at, n, bytes, file, line, &reads);
    upcr_get_finish(&reads, file, line);
}
