/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared heaps of all hosts: calls space/heap.h for memory of this host; else sends a request
 * to the process that manages the memory. */
#ifndef FL_UPC_HEAP_H
#define FL_UPC_HEAP_H

#include "space/heap.h"

/* Registers the handler; once, on several hosts, before fl_comm_connect. */
void upc_heap_start(void);

/* fl_heap_alloc_global, from any host; every host has room for its part of the block. */
uint64_t upc_heap_alloc_global(uint64_t bytes, struct fl_heap_failure *failure);

/* fl_heap_free, from any host. */
struct upc_heap_why {
    char text[96];
};
FL_MUST_USE bool upc_heap_free(uint64_t address, struct upc_heap_why *why);

#endif
