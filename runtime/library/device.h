/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upcx_device.h> as C sees them. */
#ifndef FL_LIBRARY_DEVICE_H
#define FL_LIBRARY_DEVICE_H

#include "library/semaphores.h"

int upcx_device_count(void);
void upcx_device_use(int device);
void *upcx_device_register(upcr_pts ptr, size_t nbytes);
void upcx_device_unregister(upcr_pts ptr);
void upcx_device_memput(upcr_pts dst, const void *device_src, size_t n);
void upcx_device_memget(void *device_dst, upcr_pts src, size_t n);
void upcx_device_memput_signal(upcr_pts dst, const void *device_src, size_t n,
                               struct upcr_semaphore *s, size_t count);

#endif
