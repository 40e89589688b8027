// SPDX-License-Identifier: BSD-3-Clause
// Stands for the CUDA driver where there is no GPU: device addresses are those of ordinary memory
// with a bit that makes a processor fault on them, so that only what goes through these functions
// reaches it. FAKE_CUDA=none has no device, =broken fails to copy.
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { OK = 0, INVALID = 1, NOT_INITIALISED = 3, NO_DEVICE = 100, NO_CONTEXT = 201, ILLEGAL = 700 };

static const uint64_t DEVICE = 1ull << 62;
static int is_ready;
static _Thread_local void *context;
static _Atomic int n_locked;

static int is(const char *what) {
    const char *setting = getenv("FAKE_CUDA");
    return setting && !strcmp(setting, what);
}

int cuInit(unsigned flags) {
    is_ready = !is("none");
    return flags ? INVALID : is_ready ? OK : NO_DEVICE;
}
int cuDeviceGetCount(int *count) { return *count = 2, is_ready ? OK : NOT_INITIALISED; }
int cuDeviceGet(int *device, int number) { return *device = number, number >= 0 && number < 2 ? OK : INVALID; }
int cuDevicePrimaryCtxRetain(void **c, int device) { return *c = (void *)(uintptr_t)(device + 1), OK; }
int cuCtxGetCurrent(void **c) { return *c = context, OK; }
int cuCtxSetCurrent(void *c) { return context = c, OK; }
int cuMemAlloc_v2(uint64_t *address, size_t n) {
    *address = (uint64_t)malloc(n) | DEVICE;
    return context ? OK : NO_CONTEXT;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t n) {
    if (!context || !(from & DEVICE) || is("broken")) return context ? ILLEGAL : NO_CONTEXT;
    return memcpy(to, (void *)(from & ~DEVICE), n), OK;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t n) {
    if (!context || !(to & DEVICE)) return context ? ILLEGAL : NO_CONTEXT;
    return memcpy((void *)(to & ~DEVICE), from, n), OK;
}
int cuMemHostRegister_v2(void *memory, size_t n, unsigned flags) {
    if (flags != 3 || !context) return INVALID;
    n_locked++;
    uintptr_t begin = (uintptr_t)memory & ~4095ul;
    return mlock((void *)begin, (uintptr_t)memory + n - begin) ? INVALID : OK;
}
int cuMemHostUnregister(void *memory) { return memory && n_locked-- > 0 ? OK : INVALID; }
int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags) {
    return *address = (uint64_t)memory | DEVICE, flags;
}
int cuMemHostAlloc(void **memory, size_t n, unsigned flags) {
    return *memory = malloc(n), flags == 1 && context ? OK : INVALID;
}
int cuGetErrorString(int error, const char **text) {
    *text = error == ILLEGAL ? "an illegal memory access was encountered" : "no CUDA-capable device is detected";
    return OK;
}
