/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the process a part of its job. */
#ifndef FL_UPC_ATTACH_H
#define FL_UPC_ATTACH_H

/* Maps the host's memory, connects to the other hosts, and checks that all processes run the same
 * program. Fills upc_process; blocks until the other processes do the same. To be called before any
 * UPC thread runs, once the job is known. */
void upc_attach(void);

#endif
