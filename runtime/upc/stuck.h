/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends jobs in which no thread can go on: each waits in a barrier, a collective call or for a lock,
 * which only another thread could end. On one host.
 *
 * A thread that has slept in vain for some time, and finds the word that it waits for unchanged,
 * counts that in its entry. Once each has done so twice in one and the same wait since all were
 * seen waiting, none has run meanwhile, and none ever will.
 */
#ifndef FL_UPC_STUCK_H
#define FL_UPC_STUCK_H

#include "core/status.h"

#include <stdint.h>

/* Of memory shared by the threads of the host; zeros, aligned to a cache line. */
uint64_t upc_stuck_bytes(unsigned threads);
/* In each process, before there are threads. */
void upc_stuck_start(void *memory);

#endif
