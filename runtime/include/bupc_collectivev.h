/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_collectivev.h>: Berkeley's collective operations on one value for each thread.
 *
 * All threads call an operation together, none of them between upc_notify and upc_wait, with the
 * same TYPE, root thread and operation. TYPE is any type that can be assigned; reductions are for
 * arithmetic types. A call returns when the thread has its result; it orders nothing else. The
 * operations never fail, but end the job if an argument cannot be (R0309, R0503; R0308 in programs
 * compiled with -g).
 */
#ifndef FURLONG_BUPC_COLLECTIVEV_H
#define FURLONG_BUPC_COLLECTIVEV_H

#include <stddef.h>
#include <upc_collective.h>

#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

/* What the macros below call. A type is one of <upc_types.h>, or 0 for bool. */
void upcr_allv_reduce(void *value, upc_type_t type, int root, upc_op_t op);
void upcr_allv_prefix_reduce(void *value, upc_type_t type, upc_op_t op);
void upcr_allv_broadcast(void *value, size_t bytes, int root);
void upcr_allv_scatter(void *value, const void *src, size_t bytes, int root);
void *upcr_allv_gather(void *dst, const void *value, size_t bytes, int root);
void upcr_allv_permute(void *value, size_t bytes, int to);

#define BUPC_ALLV_TYPE(TYPE)                                                                       \
    _Generic((TYPE)0,                                                                              \
        _Bool: 0,                                                                                  \
        char: (char)-1 < 0 ? UPC_CHAR : UPC_UCHAR,                                                 \
        signed char: UPC_CHAR,                                                                     \
        unsigned char: UPC_UCHAR,                                                                  \
        short: UPC_SHORT,                                                                          \
        unsigned short: UPC_USHORT,                                                                \
        int: UPC_INT,                                                                              \
        unsigned: UPC_UINT,                                                                        \
        long: UPC_LONG,                                                                            \
        unsigned long: UPC_ULONG,                                                                  \
        long long: UPC_LLONG,                                                                      \
        unsigned long long: UPC_ULLONG,                                                            \
        float: UPC_FLOAT,                                                                          \
        double: UPC_DOUBLE,                                                                        \
        long double: UPC_LDOUBLE)

/* TYPE bupc_allv_reduce(TYPE, TYPE value, int rootthread, upc_op_t reductionop): all values
 * combined, on the root thread; elsewhere the value means nothing. Root -1: on all threads. */
#define bupc_allv_reduce(TYPE, value, rootthread, reductionop)                                     \
    __extension__({                                                                                \
        TYPE bupc_allv_value = (value);                                                            \
        upcr_allv_reduce(&bupc_allv_value, BUPC_ALLV_TYPE(TYPE), (rootthread), (reductionop));     \
        bupc_allv_value;                                                                           \
    })

/* TYPE bupc_allv_reduce_all(TYPE, TYPE value, upc_op_t reductionop): the same on all threads. */
#define bupc_allv_reduce_all(TYPE, value, reductionop)                                             \
    bupc_allv_reduce(TYPE, value, -1, reductionop)

/* TYPE bupc_allv_prefix_reduce(TYPE, TYPE value, upc_op_t reductionop): the values of threads 0 to
 * MYTHREAD combined. */
#define bupc_allv_prefix_reduce(TYPE, value, reductionop)                                          \
    __extension__({                                                                                \
        TYPE bupc_allv_value = (value);                                                            \
        upcr_allv_prefix_reduce(&bupc_allv_value, BUPC_ALLV_TYPE(TYPE), (reductionop));            \
        bupc_allv_value;                                                                           \
    })

/* TYPE bupc_allv_broadcast(TYPE, TYPE value, int rootthread): the root's value. */
#define bupc_allv_broadcast(TYPE, value, rootthread)                                               \
    __extension__({                                                                                \
        TYPE bupc_allv_value = (value);                                                            \
        upcr_allv_broadcast(&bupc_allv_value, sizeof(TYPE), (rootthread));                         \
        bupc_allv_value;                                                                           \
    })

/* TYPE bupc_allv_scatter(TYPE, int rootthread, TYPE *rootsrcarray): element MYTHREAD of the root's
 * private array; the other threads' arrays are not looked at. */
#define bupc_allv_scatter(TYPE, rootthread, rootsrcarray)                                          \
    __extension__({                                                                                \
        TYPE bupc_allv_value;                                                                      \
        TYPE *bupc_allv_src = (rootsrcarray);                                                      \
        upcr_allv_scatter(&bupc_allv_value, bupc_allv_src, sizeof(TYPE), (rootthread));            \
        bupc_allv_value;                                                                           \
    })

/* TYPE *bupc_allv_gather(TYPE, TYPE value, int rootthread, TYPE *rootdestarray): fills the root's
 * private array with the threads' values, and returns it. Root -1: as gather_all. */
#define bupc_allv_gather(TYPE, value, rootthread, rootdestarray)                                   \
    __extension__({                                                                                \
        TYPE bupc_allv_value = (value);                                                            \
        TYPE *bupc_allv_dst = (rootdestarray);                                                     \
        (TYPE *)upcr_allv_gather(bupc_allv_dst, &bupc_allv_value, sizeof(TYPE), (rootthread));     \
    })

/* TYPE *bupc_allv_gather_all(TYPE, TYPE value, TYPE *destarray): fills each thread's array that is
 * not null, and returns it. */
#define bupc_allv_gather_all(TYPE, value, destarray) bupc_allv_gather(TYPE, value, -1, destarray)

/* TYPE bupc_allv_permute(TYPE, TYPE value, int tothreadid): gives the value to that thread, and
 * returns the one given to this thread. No two threads give to the same. */
#define bupc_allv_permute(TYPE, value, tothreadid)                                                 \
    __extension__({                                                                                \
        TYPE bupc_allv_value = (value);                                                            \
        upcr_allv_permute(&bupc_allv_value, sizeof(TYPE), (tothreadid));                           \
        bupc_allv_value;                                                                           \
    })

#endif
