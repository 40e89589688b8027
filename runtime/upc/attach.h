/* SPDX-License-Identifier: BSD-3-Clause */
/* The process becomes a part of its job. */
#ifndef FL_UPC_ATTACH_H
#define FL_UPC_ATTACH_H

/* Maps the host's memory, reaches the other hosts, and makes sure that all processes run the same
 * program. Fills upc_process; blocks until the others have got so far. Before any UPC thread runs,
 * once the job is known. */
void upc_attach(void);

#endif
