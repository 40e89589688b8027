/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of device.upc: the CUDA driver's own copies, to and from private memory that is
 * page-locked. Its library is loaded here, since it is linked with nothing that is installed without a
 * GPU. */
#include "bench.h"
#include <dlfcn.h>
#include <stdint.h>

static void *driver(const char *name) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    void *found = library ? dlsym(library, name) : NULL;
    bench_check(found != NULL, "libcuda.so.1 has no %s", name);
    return found;
}

static void well(int error, const char *what) {
    bench_check(error == 0, "%s returns %d", what, error);
}

void *device_alloc(size_t n) {
    uint64_t address;
    int (*alloc)(uint64_t *, size_t) = driver("cuMemAlloc_v2");
    well(alloc(&address, n), "cuMemAlloc");
    return (void *)address;
}

void *device_locked(size_t n) {
    void *memory;
    int (*alloc)(void **, size_t, unsigned) = driver("cuMemHostAlloc");
    well(alloc(&memory, n, 1), "cuMemHostAlloc");
    return memory;
}

void device_to_host_ref(void *to, const void *device, size_t n) {
    static int (*copy)(void *, uint64_t, size_t);
    copy = copy ? copy : driver("cuMemcpyDtoH_v2");
    well(copy(to, (uint64_t)device, n), "cuMemcpyDtoH");
}

void host_to_device_ref(void *device, const void *from, size_t n) {
    static int (*copy)(uint64_t, const void *, size_t);
    copy = copy ? copy : driver("cuMemcpyHtoD_v2");
    well(copy((uint64_t)device, from, n), "cuMemcpyHtoD");
}
