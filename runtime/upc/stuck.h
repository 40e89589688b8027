/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends jobs in which no thread can go on: each waits in a barrier, a collective call, for a lock, a
 * signal or a semaphore, and only another thread could end the wait.
 *
 * A thread that has slept for some time, and finds the word that it waits for unchanged, counts a
 * look in its entry. Once each thread of a host has looked twice in one and the same wait since all
 * were seen waiting, none has run in between; with one host, none ever will.
 *
 * On several hosts messages can let a thread go on. Host 0 asks the first thread of each, which
 * answers when all of its host have looked twice since then: when their waits have begun, and how
 * many messages the host's processes have sent and received before. When all have answered it asks
 * again. If the two answers of each host are the same, then at the time between the two questions
 * all threads waited, and no process sent or received anything; if as many messages were sent as
 * received, none was on its way, so nothing has happened since, and nothing will. Who computes does
 * not answer, and nothing is asked meanwhile. F. Mattern, "Algorithms for distributed termination
 * detection", 1987, the four counters; tests/litmus/stuck.pml is the model.
 *
 * Of each lock that is waited for the message says who holds it, and where that thread took it and
 * waits now. Nothing changes any more, so whoever knows can be asked, one after the other.
 */
#ifndef FL_UPC_STUCK_H
#define FL_UPC_STUCK_H

#include "core/status.h"

#include <stdatomic.h>
#include <stdint.h>

struct upc_stuck_entry;
struct upc_stuck_answer;

/* Per process. */
struct upc_stuck {
    struct upc_stuck_entry *entries; /* of the host's threads */
    /* Of the first thread of a host, on several: */
    _Atomic uint32_t asked; /* the number of the last question */
    uint32_t begun, answered; /* questions since which looks count, and that was answered last */
    /* Of host 0's: */
    struct upc_stuck_answer *answers, *before; /* [hosts] */
    _Atomic uint32_t come;                     /* answers to the last question */
};

/* Size of the memory that upc_stuck_start needs, shared by the threads of the host; zeros, aligned
 * to a cache line. */
uint64_t upc_stuck_bytes(unsigned threads);
/* Whether a thread that waits in `what` is in a barrier or collective call. */
bool upc_stuck_is_collective(const char *what);
/* Whether upcr_called_from may have said where it was called. */
bool upc_stuck_is_told(const char *what);
/* In each process, before there are threads and before comm is connected. */
void upc_stuck_start(void *memory);

#endif
