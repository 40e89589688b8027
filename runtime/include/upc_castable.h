/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_castable.h>: pointers to other threads' shared memory as pointers of C (UPC 1.3 library
 * 7.7). The functions are not collective and do not wait. */
#ifndef FURLONG_UPC_CASTABLE_H
#define FURLONG_UPC_CASTABLE_H

#include <stddef.h>

/* The pointer as one that the calling thread can use, or null (7.7.2.1). */
void *upc_cast(const shared void *ptr);

/* Which of a thread's shared objects upc_cast takes (7.7.2.2): regions, combined by OR. */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

typedef struct {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

upc_thread_info_t upc_thread_info(size_t threadId);

#endif
