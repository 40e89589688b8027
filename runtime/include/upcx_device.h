/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upcx_device.h>: memory of GPUs as source and target of transfers to and from any thread. An
 * extension of UPC 1.3; the manual's page is upcx_device(3).
 *
 * Device memory is what the CUDA driver or runtime has allocated, named by its address, and belongs
 * to the calling thread's process. The driver's library, libcuda.so.1, is loaded by the first call:
 * programs that make none need none. The functions work in the context that is current for the
 * calling thread, or else in the first device's primary one, as those of the CUDA runtime do.
 *
 * A transfer comes after what the device has been given in the default stream; before it,
 * synchronise other streams. All functions block, and none is collective. Where the driver refuses,
 * the job ends with its words (R0803).
 */
#ifndef FURLONG_UPCX_DEVICE_H
#define FURLONG_UPCX_DEVICE_H

#include <bupc_extensions.h>
#include <stddef.h>

/* How many devices the process sees: 0 where there is no driver. */
int upcx_device_count(void);

/* Makes the primary context of the device current for the calling thread, as cudaSetDevice does. */
void upcx_device_use(int device);

/* Page-locks shared memory of the calling thread's host, which makes transfers between it and devices
 * faster, and returns the address by which kernels may access it. It ends with upcx_device_unregister,
 * which must come before the memory is freed. */
void *upcx_device_register(shared void *ptr, size_t nbytes);
void upcx_device_unregister(shared void *ptr);

/* upc_memput and upc_memget with device memory on the private side. */
void upcx_device_memput(shared void *dst, const void *device_src, size_t n);
void upcx_device_memget(void *device_dst, shared const void *src, size_t n);

/* bupc_memput_signal with device memory as its source: whoever waits for the semaphore, which has the
 * affinity of dst, then finds the bytes. */
void upcx_device_memput_signal(shared void *dst, const void *device_src, size_t n, bupc_sem_t *s,
                               size_t count);

#endif
