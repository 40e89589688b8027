/* SPDX-License-Identifier: BSD-3-Clause */
/* stdout of a job: lines of different threads never mix inside a line. */
#ifndef FL_UPC_OUTPUT_H
#define FL_UPC_OUTPUT_H

#include "core/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Before any UPC thread runs. */
void upc_output_start(void);

/* Writes the calling thread's unfinished line, and whatever else waits in this process. */
void upc_output_flush(void);

/* The same in the thread that ends the process, unless others hold stdout for a quarter of a second.
 * What other UPC threads of the process print from then on is lost. */
void upc_output_close(void);

/* Whether this process has taken the place of the C library's stream: then freopen and setvbuf are not
 * for it. */
bool upc_output_owns(const FILE *stream);

/* freopen of such a stream. stdout is from now on that of the calling thread alone, as in a process of
 * its own; stdin, which has one buffer, that of all threads of the process. */
FILE *upc_output_reopen(const char *path, const char *mode, FILE *stream);

/* fclose of such a stream: of stdout for the calling thread, of stdin for none, since others read. */
int upc_output_end(const FILE *stream);

/* Bytes that stdout has written, in a job of several processes. */
extern const int64_t *upc_output_written;

/* Bytes that stdout had written when upc_output_settle last waited for it. Threads of the process
 * write it at will: it only saves them from looking twice. */
extern _Atomic int64_t upc_output_settled;

void upc_output_settle_slow(void);

/* Before a thread signals others, in barriers: waits until upcrun has read what this process
 * printed, so that it appears before what the others print from then on. Blocks for 10 ms at
 * most: a reader that is slow is not waited for. */
static inline void upc_output_settle(void) {
    /* Relaxed: what the caller itself has printed it sees, and others' lines are theirs. */
    if (FL_UNLIKELY(__atomic_load_n(upc_output_written, __ATOMIC_RELAXED) !=
                    atomic_load_explicit(&upc_output_settled, memory_order_relaxed))) {
        upc_output_settle_slow();
    }
}

#endif
