/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upc_castable.h> and <furlong/bupc/cast.h> as C sees them. Contracts: UPC 1.3
 * library 7.7. */
#ifndef FL_LIBRARY_CAST_H
#define FL_LIBRARY_CAST_H

#include "upc/abi.h"

#include <stddef.h>

enum { UPC_CASTABLE_ALL = 15 }; /* all four regions */

typedef struct {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

void *upc_cast(upcr_pts p);
upc_thread_info_t upc_thread_info(size_t thread);

int bupc_castable(upcr_pts p);
int bupc_thread_castable(unsigned thread);
void *bupc_cast(upcr_pts p);
upcr_pts bupc_inverse_cast(void *p);
upcr_pts bupc_local_to_shared(void *p, int thread, int phase);

#endif
