/* SPDX-License-Identifier: BSD-3-Clause */
/* stdout of a job: a line never contains output of different threads. */
#ifndef FL_UPC_OUTPUT_H
#define FL_UPC_OUTPUT_H

#include "core/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Before any UPC thread runs. */
void upc_output_start(void);

/* Writes all output that is buffered in this process, unfinished lines too. */
void upc_output_flush(void);

/* The same in the thread that ends the process, unless others hold stdout for a quarter of a second.
 * What other UPC threads of the process print from then on is lost. */
void upc_output_close(void);

/* Whether the stream is one of this file, in place of the C library's stdin or stdout: it is not
 * for the C library's freopen and setvbuf. */
bool upc_output_owns(const FILE *stream);

/* freopen of such a stream. It replaces stdout for the calling thread alone, as in a process of its
 * own, and stdin, which has one buffer, for all threads of the process. */
FILE *upc_output_reopen(const char *path, const char *mode, FILE *stream);

/* fclose of such a stream: closes stdout for the calling thread; stdin stays open, for other
 * threads. */
int upc_output_end(const FILE *stream);

/* Bytes that stdout has written, in a job of several processes. */
extern const int64_t *upc_output_written;

/* Bytes that stdout had written when upc_output_settle last waited for it. Threads of the process
 * write it without synchronisation: it only saves them from waiting twice. */
extern _Atomic int64_t upc_output_settled;

void upc_output_settle_slow(void);

/* Called before a thread signals others, in barriers: waits until upcrun has read what this process
 * printed, so that it appears before what the others print afterwards. Blocks for .2 s at most, and
 * not again before upcrun has read everything: a slow reader is not waited for. */
static inline void upc_output_settle(void) {
    /* Relaxed: the caller sees what it has printed itself, and need not wait for others' output. */
    if (FL_UNLIKELY(__atomic_load_n(upc_output_written, __ATOMIC_RELAXED) !=
                    atomic_load_explicit(&upc_output_settled, memory_order_relaxed))) {
        upc_output_settle_slow();
    }
}

#endif
