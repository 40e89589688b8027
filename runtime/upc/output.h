/* SPDX-License-Identifier: BSD-3-Clause */
/* stdout of a job: lines of different threads never mix inside a line. */
#ifndef FL_UPC_OUTPUT_H
#define FL_UPC_OUTPUT_H

/* Before any UPC thread runs. */
void upc_output_start(void);

/* Writes the calling thread's unfinished line, and whatever else waits in this process. */
void upc_output_flush(void);

/* The same for a process that is about to die: gives up on streams that others hold. */
void upc_output_flush_try(void);

#endif
