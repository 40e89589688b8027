/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds memory of other hosts among addresses that may also be private, or shared memory of this
 * host. */
#ifndef FL_LIBRARY_FAR_H
#define FL_LIBRARY_FAR_H

#include "comm/comm.h"
#include "upc/process.h"

/* Whether the address is memory of a thread on another host. */
static inline bool is_far(uint64_t address) {
    return !fl_comm_is_here(address) && fl_space_holds(&upc_process.space, address);
}

/* Small transfers between other hosts' memory and this one's, which are started together: all puts
 * or all gets. */
struct far_batch {
    struct fl_comm_op *op;
    bool put;
    size_t n;
    struct fl_comm_piece pieces[64];
};

void far_begin(struct far_batch *batch, struct fl_comm_op *op);
void far_add(struct far_batch *batch, bool put, uint64_t address, void *memory, size_t bytes);
/* Starts all that have not been started. */
void far_end(struct far_batch *batch);

#endif
