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

/* A call stores the address to return to, and a locked instruction waits for all stores: calling
 * costs as much as adding. So where the operation is a constant, the target on this host, and the
 * domain says what struct upcr_atomicdomain in library/atomic.c promises, it is done in place.
 * The two functions are of furlong/upcr.h: the thread's own part of the domain, and whether an
 * address is this host's. */
void *upcr_local(const volatile void *cell);
int upcr_is_here(const volatile void *p);
#define UPCR_ATOMIC_IN_PLACE (UPC_GET | UPC_SET | UPC_ADD | UPC_INC | UPC_AND | UPC_OR | UPC_XOR)

/* Not so if p is known to point to fewer bytes. The compiler then sees no access that is too wide,
 * of which it would warn, and drops the code for it. */
#define UPCR_ATOMIC_HAS_ROOM(p, bytes) (__builtin_object_size((p), 0) >= (bytes))

/* One of UPCR_ATOMIC_IN_PLACE on the integer of that type. Relaxed: see library/atomic_ops.h. */
#define UPCR_ATOMIC(type)                                                                          \
    do {                                                                                           \
        type *place = (type *)(shared[] type *)target, old;                                        \
        if (op == UPC_GET)                                                                         \
            old = __atomic_load_n(place, __ATOMIC_RELAXED);                                        \
        else if (op == UPC_SET && !fetch_ptr)                                                      \
            __atomic_store_n(place, *(const type *)operand1, __ATOMIC_RELAXED);                    \
        else if (op == UPC_SET)                                                                    \
            old = __atomic_exchange_n(place, *(const type *)operand1, __ATOMIC_RELAXED);           \
        else if (op == UPC_ADD)                                                                    \
            old = __atomic_fetch_add(place, *(const type *)operand1, __ATOMIC_RELAXED);            \
        else if (op == UPC_INC)                                                                    \
            old = __atomic_fetch_add(place, 1, __ATOMIC_RELAXED);                                  \
        else if (op == UPC_AND)                                                                    \
            old = __atomic_fetch_and(place, *(const type *)operand1, __ATOMIC_RELAXED);            \
        else if (op == UPC_OR)                                                                     \
            old = __atomic_fetch_or(place, *(const type *)operand1, __ATOMIC_RELAXED);             \
        else                                                                                       \
            old = __atomic_fetch_xor(place, *(const type *)operand1, __ATOMIC_RELAXED);            \
        if (fetch_ptr)                                                                             \
            *(type *)fetch_ptr = old;                                                              \
    } while (0)

__attribute__((__always_inline__, __unused__)) static __inline__ void
upcr_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                    shared void *__restrict target, const void *__restrict operand1,
                    const void *__restrict operand2)
{
    const int *promise = upcr_local((const int *)(shared[] const int *)domain);
    if (__builtin_constant_p(op) && (op & UPCR_ATOMIC_IN_PLACE) && !(op & (op - 1)) && domain &&
        (promise[0] & op) && upcr_is_here((const char *)(shared[] const char *)target)) {
        if (promise[1] == 8 && UPCR_ATOMIC_HAS_ROOM(operand1, 8) &&
            UPCR_ATOMIC_HAS_ROOM(fetch_ptr, 8)) {
            UPCR_ATOMIC(long);
            return;
        }
        if (promise[1] == 4) {
            UPCR_ATOMIC(int);
            return;
        }
    }
    upc_atomic_relaxed(domain, fetch_ptr, op, target, operand1, operand2);
}
/* The arguments may have commas of their own, as compound literals do. */
#define upc_atomic_relaxed(...) upcr_atomic_relaxed(__VA_ARGS__)

#endif

#endif
