// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transfers between thread 0's GPU and shared memory of the last thread (upcx_device.h), of memory that
 * is page-locked for the GPU where it is of this host and of memory that is not, against the driver's own
 * copies to and from page-locked private memory (device_ref.c).
 */
#include "bench.h"
#include <upc.h>
#include <upc_castable.h>
#include <upcx_device.h>

enum { MOST = 16 << 20 };

void *device_alloc(size_t n);
void *device_locked(size_t n);
void device_to_host_ref(void *to, const void *device, size_t n);
void host_to_device_ref(void *device, const void *from, size_t n);

shared [MOST] unsigned char memory[MOST * (size_t)THREADS];

static unsigned char *locked, *device;

static void fill(unsigned char *bytes, size_t n, int seed) {
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (unsigned char)(i * 7 + i / 1021 + seed);
    }
}

static void report(const char *way, const char *which, size_t n, struct bench_times *times,
                   struct bench_times *ref) {
    char name[64];
    snprintf(name, sizeof name, "device-%s-%zu%s", way, n, which);
    bench_time_against(name, "us", 1e6, times, ref);
}

static void measure(shared void *there, size_t n, const char *which) {
    struct bench_times put = {{0}, 0}, get = {{0}, 0}, put_ref = {{0}, 0}, get_ref = {{0}, 0};
    int rounds = n > 1 << 20 ? 20 : 100;
    for (int round = 0; round < rounds; round++) {
        fill(locked, n, round);
        double t0 = bench_now();
        host_to_device_ref(device, locked, n);
        double t1 = bench_now();
        upcx_device_memput(there, device, n);
        double t2 = bench_now();
        upcx_device_memget(device, there, n);
        double t3 = bench_now();
        device_to_host_ref(locked, device, n);
        double t4 = bench_now();
        bench_add(&put_ref, t4 - t3);
        bench_add(&get_ref, t1 - t0);
        bench_add(&put, t2 - t1);
        bench_add(&get, t3 - t2);
        unsigned char last = (unsigned char)((n - 1) * 7 + (n - 1) / 1021 + round);
        bench_check(locked[0] == (unsigned char)round && locked[n - 1] == last,
                    "%zu bytes to the GPU and back", n);
    }
    report("put", which, n, &put, &put_ref);
    report("get", which, n, &get, &get_ref);
}

int main(void) {
    bench_check(MYTHREAD > 0 || upcx_device_count() > 0, "no GPU");
    if (MYTHREAD == 0) {
        shared void *there = &memory[MOST * (size_t)(THREADS - 1)];
        upcx_device_use(0);
        device = device_alloc(MOST);
        locked = device_locked(MOST);
        for (size_t n = 8; n <= MOST; n *= 128) {
            measure(there, n, "");
        }
        if (upc_cast(there)) {
            upcx_device_register(there, MOST);
            for (size_t n = 8; n <= MOST; n *= 128) {
                measure(there, n, "-locked");
            }
            upcx_device_unregister(there);
        }
    }
    upc_barrier;
    return 0;
}
