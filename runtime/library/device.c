/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of GPUs in transfers (include/upcx_device.h). The driver's library is loaded at run time,
 * so nothing of CUDA is needed to build. */
#include "library/device.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "upc/foreign.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* cuda.h: flags for memory that all contexts, and kernels, can use. */
enum { FOR_ALL_CONTEXTS = 1, FOR_KERNELS = 2 };

/* Between a device and another host, bytes are copied through two page-locked buffers. */
enum { PIECE = 1 << 20, PIECES = 2 };

static struct {
    bool is_there;
    const char *why_not;
#define DEVICE_CALL(name, symbol, parameters) int(*name) parameters;
#include "library/device_calls.def"
#undef DEVICE_CALL
} driver;

/* The calling thread's. */
static _Thread_local char *buffers[PIECES];

static bool find_calls(void *library) {
#define DEVICE_CALL(name, symbol, parameters)                                                      \
    *(void **)&driver.name = dlsym(library, symbol);                                               \
    if (!driver.name) {                                                                            \
        driver.why_not = "it lacks " symbol;                                                       \
        return false;                                                                              \
    }
#include "library/device_calls.def"
#undef DEVICE_CALL
    return true;
}

static const char *words(int error) {
    const char *text = NULL;
    driver.explain(error, &text);
    return text ? text : "an error without a name";
}

static void load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        driver.why_not = "it cannot be loaded; it comes with the driver of the GPU";
    } else if (find_calls(library)) {
        int error = driver.init(0);
        driver.is_there = error == 0;
        driver.why_not = error ? words(error) : NULL;
    }
}

static bool find_driver(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return driver.is_there;
}

static FL_COLD _Noreturn void refused(const char *what, const char *why) {
    fl_fatal(FL_CODE_DEVICE, "%s: libcuda.so.1: %s", what, why);
}

static void check(int error, const char *what) {
    if (FL_UNLIKELY(error)) {
        refused(what, words(error));
    }
}

static void use(int number, const char *what) {
    int device;
    void *context;
    check(driver.get(&device, number), what);
    check(driver.retain(&context, device), what);
    check(driver.set_current(context), what);
}

/* Each function begins with this: it gives the thread a context. */
static void enter(const char *what) {
    upc_itself(what);
    if (FL_UNLIKELY(!find_driver())) {
        refused(what, driver.why_not);
    }
    void *context = NULL;
    check(driver.current(&context), what);
    if (!context) {
        use(0, what);
    }
}

int upcx_device_count(void) {
    int count = 0;
    return find_driver() && driver.count(&count) == 0 ? count : 0;
}

void upcx_device_use(int device) {
    enter("upcx_device_use");
    use(device, "upcx_device_use");
}

static void *memory_here(upcr_pts p, const char *what) {
    uint64_t address = upcr_address(p);
    if (FL_UNLIKELY(!address || !fl_comm_is_here(address))) {
        fl_fatal(FL_CODE_BAD_ARGUMENT, "%s: ptr must point to shared memory of this host", what);
    }
    return (void *)address;
}

void *upcx_device_register(upcr_pts ptr, size_t nbytes) {
    const char *what = "upcx_device_register";
    uint64_t address;
    enter(what);
    void *memory = memory_here(ptr, what);
    check(driver.lock(memory, nbytes, FOR_ALL_CONTEXTS | FOR_KERNELS), what);
    check(driver.address(&address, memory, 0), what);
    return (void *)address;
}

void upcx_device_unregister(upcr_pts ptr) {
    enter("upcx_device_unregister");
    check(driver.unlock(memory_here(ptr, "upcx_device_unregister")), "upcx_device_unregister");
}

static void need_buffers(const char *what) {
    for (int i = 0; i < PIECES; i++) {
        if (!buffers[i]) {
            check(driver.locked((void **)&buffers[i], PIECE, FOR_ALL_CONTEXTS), what);
        }
    }
}

static size_t piece_of(size_t n, size_t at) {
    return n - at < PIECE ? n - at : PIECE;
}

/* Copies a piece from the device while the one before it is sent. */
static void put_far(uint64_t to, uint64_t from, size_t n, const char *what) {
    struct fl_comm_op ops[PIECES] = {0};
    need_buffers(what);
    for (size_t at = 0, i = 0; at < n; at += PIECE, i = (i + 1) % PIECES) {
        fl_comm_wait(&ops[i]);
        check(driver.to_host(buffers[i], from + at, piece_of(n, at)), what);
        fl_comm_put_nb(to + at, buffers[i], piece_of(n, at), &ops[i]);
    }
    for (int i = 0; i < PIECES; i++) {
        fl_comm_wait(&ops[i]);
    }
}

/* Gets a piece from the host while the one before it is copied to the device. */
static void get_far(uint64_t to, uint64_t from, size_t n, const char *what) {
    struct fl_comm_op ops[PIECES] = {0};
    need_buffers(what);
    fl_comm_get_nb(buffers[0], from, piece_of(n, 0), &ops[0]);
    for (size_t at = 0, i = 0; at < n; at += PIECE, i = (i + 1) % PIECES) {
        size_t next = (i + 1) % PIECES;
        if (n - at > PIECE) {
            fl_comm_get_nb(buffers[next], from + at + PIECE, piece_of(n, at + PIECE), &ops[next]);
        }
        fl_comm_wait(&ops[i]);
        check(driver.to_device(to + at, buffers[i], piece_of(n, at)), what);
    }
}

static void put(upcr_pts dst, const void *src, size_t n, const char *what) {
    uint64_t to = upcr_address(dst);
    enter(what);
    if (n == 0) {
        return;
    }
    if (fl_comm_is_here(to)) {
        check(driver.to_host((void *)to, (uint64_t)src, n), what);
    } else {
        put_far(to, (uint64_t)src, n, what);
    }
}

void upcx_device_memput(upcr_pts dst, const void *device_src, size_t n) {
    put(dst, device_src, n, "upcx_device_memput");
}

void upcx_device_memget(void *device_dst, upcr_pts src, size_t n) {
    const char *what = "upcx_device_memget";
    uint64_t from = upcr_address(src);
    enter(what);
    if (n == 0) {
        return;
    }
    if (fl_comm_is_here(from)) {
        check(driver.to_device((uint64_t)device_dst, (const void *)from, n), what);
    } else {
        get_far((uint64_t)device_dst, from, n, what);
    }
}

/* The bytes have arrived before the signal is sent. */
void upcx_device_memput_signal(upcr_pts dst, const void *device_src, size_t n,
                               struct upcr_semaphore *s, size_t count) {
    put(dst, device_src, n, "upcx_device_memput_signal");
    bupc_sem_postN(s, count);
}
