/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upc_atomic.h> as C sees them. Contracts: UPC 1.3 library 7.6. */
#ifndef FL_LIBRARY_ATOMIC_H
#define FL_LIBRARY_ATOMIC_H

#include "upc/abi.h"

#include "upc_atomic.h"

struct upcr_atomicdomain;

struct upcr_atomicdomain *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops,
                                                     upc_atomichint_t hints);
void upc_all_atomicdomain_free(struct upcr_atomicdomain *domain);

/* An operation. All have one type, because upc_atomic_strict and _relaxed pass their arguments
 * on. */
typedef void upc_atomic_function(struct upcr_atomicdomain *domain, void *fetch, upc_op_t op,
                                 upcr_pts target, const void *operand1, const void *operand2);
upc_atomic_function upc_atomic_strict;
upc_atomic_function upc_atomic_relaxed;

/* Bytes of the objects of a domain, 0 if `domain` is none: for the checker. */
unsigned upc_atomic_bytes(const struct upcr_atomicdomain *domain);

int upc_atomic_isfast(upc_type_t type, upc_op_t ops, upcr_pts address);

#endif
