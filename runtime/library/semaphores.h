/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <furlong/bupc/semaphore.h> as C sees them: bupc_sem_t * is an address. */
#ifndef FL_LIBRARY_SEMAPHORES_H
#define FL_LIBRARY_SEMAPHORES_H

#include "library/tickets.h"
#include "upc/abi.h"

#include <furlong/bupc/semaphore.h>

struct upcr_semaphore;

struct upcr_semaphore *bupc_sem_alloc(int flags);
void bupc_sem_free(struct upcr_semaphore *s);
void bupc_sem_post(struct upcr_semaphore *s);
void bupc_sem_postN(struct upcr_semaphore *s, size_t n);
void bupc_sem_wait(struct upcr_semaphore *s);
void bupc_sem_waitN(struct upcr_semaphore *s, size_t n);
int bupc_sem_try(struct upcr_semaphore *s);
int bupc_sem_tryN(struct upcr_semaphore *s, size_t n);
void bupc_memput_signal(upcr_pts dst, const void *src, size_t nbytes, struct upcr_semaphore *s,
                        size_t n);
upc_handle_t bupc_memput_signal_async(upcr_pts dst, const void *src, size_t nbytes,
                                      struct upcr_semaphore *s, size_t n);

#endif
