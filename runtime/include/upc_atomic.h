/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_atomic.h>: atomic memory operations (UPC 1.3 library 7.6). In plain C only the constants. */
#ifndef FURLONG_UPC_ATOMIC_H
#define FURLONG_UPC_ATOMIC_H

#include <upc_types.h>

/* Operations beside those of <upc_types.h> (7.6.2); 0x0200 and 0x0400 are <upc_collective.h>'s. */
#define UPC_GET 0x0800
#define UPC_SET 0x1000
#define UPC_CSWAP 0x2000
#define UPC_SUB 0x4000
#define UPC_INC 0x8000
#define UPC_DEC 0x10000

/* What to favour (7.6.3.2); here all are the same. UPC 1.3 misspells one of them. */
typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2
#define UPC_ATMOIC_HINT_THROUGHPUT UPC_ATOMIC_HINT_THROUGHPUT

#ifdef __UPC__

/* A domain (7.6.3.1) says of which type the objects are and which operations may meet at them. */
typedef shared struct upcr_atomicdomain upc_atomicdomain_t;

/* Collective, with the same arguments everywhere; each is a barrier (7.6.4.1, 7.6.4.2). */
upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops,
                                               upc_atomichint_t hints);
void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);

/* One operation on *target, whose value before it goes to *fetch_ptr unless that is null; never
 * blocks (7.6.4.3). Operands that an operation does not need are null. */
void upc_atomic_strict(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                       shared void *__restrict target, const void *__restrict operand1,
                       const void *__restrict operand2);
void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                        shared void *__restrict target, const void *__restrict operand1,
                        const void *__restrict operand2);

/* Nonzero if all of ops on an object of that type at addr are as fast as can be (7.6.4.4). */
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);

#endif

#endif
