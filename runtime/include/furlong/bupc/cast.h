/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's castability functions, from which <upc_castable.h> came. They are not collective and
 * do not wait. */
#ifndef FURLONG_BUPC_CAST_H
#define FURLONG_BUPC_CAST_H

#include <upc_castable.h>

/* Whether bupc_cast takes the pointer; every pointer to the thread's objects. Null is castable. */
int bupc_castable(shared void *ptr);
int bupc_thread_castable(unsigned int threadnum);

/* The pointer as one that the calling thread can use, or null. */
void *bupc_cast(shared void *ptr);

/* The way back: null if `ptr` does not point into shared memory. The phase is 0. */
shared void *bupc_inverse_cast(void *ptr);

/* The place in the shared memory of `thread` where `ptr` is in that of the thread to which it
 * points, usually the caller. Null if `ptr` does not point into shared memory. */
shared void *bupc_local_to_shared(void *ptr, int thread, int phase);

#endif
