/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Berkeley's semaphores: threads tell each other that something is there, without a barrier of
 * all. Documented in the Berkeley UPC User's Guide; here in bupc_sem(3).
 */
#ifndef FURLONG_BUPC_SEMAPHORE_H
#define FURLONG_BUPC_SEMAPHORE_H

#include <stddef.h>

/* Flags of bupc_sem_alloc, at most one of each line; 0 is the most general: INTEGER, MPRODUCER and
 * MCONSUMER. */
#define BUPC_SEM_INTEGER 0x01
#define BUPC_SEM_BOOLEAN 0x02
#define BUPC_SEM_MPRODUCER 0x04
#define BUPC_SEM_SPRODUCER 0x08
#define BUPC_SEM_MCONSUMER 0x10
#define BUPC_SEM_SCONSUMER 0x20

/* The largest count of an integer semaphore. */
#define BUPC_SEM_MAXVALUE 0x7fffffff

#ifdef __UPC__
#include <furlong/bupc/transfer.h>

typedef shared struct upcr_semaphore bupc_sem_t;

/* A new semaphore of count 0, with affinity to the caller; not collective. Any one thread may free
 * it, once; no effect on a null pointer, an error while a thread waits for it. */
bupc_sem_t *bupc_sem_alloc(int flags);
void bupc_sem_free(bupc_sem_t *s);

/* Add 1, or n, to the count. Never block. A strict write. */
void bupc_sem_post(bupc_sem_t *s);
void bupc_sem_postN(bupc_sem_t *s, size_t n);

/* Take 1, or n at once, from the count. bupc_sem_wait blocks until that is possible; bupc_sem_try
 * says whether it was. A strict read. */
void bupc_sem_wait(bupc_sem_t *s);
void bupc_sem_waitN(bupc_sem_t *s, size_t n);
int bupc_sem_try(bupc_sem_t *s);
int bupc_sem_tryN(bupc_sem_t *s, size_t n);

/* upc_memput, then an addition of n to the count. A thread that takes the count sees the bytes. So do
 * all threads behind the caller's next fence, but not behind its next bupc_sem_wait or signalling put.
 * The handle of the second function, which may return before `src` can be overwritten, goes to
 * bupc_waitsync. */
void bupc_memput_signal(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);
bupc_handle_t bupc_memput_signal_async(shared void *dst, const void *src, size_t nbytes,
                                       bupc_sem_t *s, size_t n);

#endif

#endif
