/* SPDX-License-Identifier: BSD-3-Clause */
/* What a loop accesses, heard of before it runs (compiler/src/emit/sweep.rs). */
#include "check/race.h"
#include "check/record.h"
#include "check/unwritten.h"

/* Elements of a block, or of a thread, are the same distance apart; at the end of a block an
 * element is nearer by the blocks of other threads than it would be. */
int upcr_sweep(unsigned long first, unsigned long second, unsigned long last, unsigned long n,
               unsigned long bytes, int writes, const char *file, int line) {
    unsigned long stride = second - first;
    if (!check_self.on || check_self.inside || last - first != (n - 1) * stride) {
        return 0;
    }
    if ((long)stride < 0) {
        first = last;
        stride = -stride;
    }
    uint64_t reach = (n - 1) * stride + bytes;
    if (stride > upc_process.space.here_bytes / n || !check_is_here(first) ||
        !check_is_here(first + reach - 1) || !check_is_inside(first, reach)) {
        return 0;
    }
    if (check_is_behind()) {
        check_tick();
    }
    uint32_t site = check_site(file, line, NULL);
    check_record_sweep(first, stride, n, bytes, check_word((unsigned)writes, site));
    if (!writes) {
        check_unwritten_sweep(first, stride, n, bytes, site);
    }
    return 1;
}
