// SPDX-License-Identifier: BSD-3-Clause
/*
 * Transfers of 8 bytes with a handle, by thread 0 while the others wait at a barrier: initiated
 * and synchronised one by one, in batches of 64 handles, and without handles.
 */
#include "bench.h"
#include <upc_nb.h>
#include <upc_relaxed.h>

#define COUNT 16384
#define ROUNDS 150
#define BATCH 64

shared long place[THREADS];

BENCH_KERNEL static void one_by_one(shared long *dst, shared long *src) {
    for (int i = 0; i < COUNT; i++) {
        upc_sync(upc_memcpy_nb(dst, src, sizeof(long)));
    }
}

BENCH_KERNEL static void in_batches(shared long *dst, shared long *src) {
    upc_handle_t handles[BATCH];
    for (int i = 0; i < COUNT; i += BATCH) {
        for (int k = 0; k < BATCH; k++) {
            handles[k] = upc_memcpy_nb(dst, src, sizeof(long));
        }
        for (int k = 0; k < BATCH; k++) {
            upc_sync(handles[k]);
        }
    }
}

BENCH_KERNEL static void implicit(shared long *dst, shared long *src) {
    for (int i = 0; i < COUNT; i++) {
        upc_memcpy_nbi(dst, src, sizeof(long));
    }
    upc_synci();
}

static void measure(const char *name, void (*kernel)(shared long *, shared long *)) {
    struct bench_times times = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        place[0] = round + 1;
        place[THREADS - 1] = THREADS > 1 ? 0 : round + 1;
        double begin = bench_now();
        kernel(&place[THREADS - 1], &place[0]);
        bench_add(&times, (bench_now() - begin) / COUNT);
        bench_check(place[THREADS - 1] == round + 1, "%s: %ld has arrived, not %d", name,
                    place[THREADS - 1], round + 1);
    }
    bench_time(name, "ns", 1e9, &times);
}

int main(void) {
    upc_barrier;
    if (MYTHREAD == 0) {
        measure("memcpy-nb-8", one_by_one);
        measure("memcpy-nb-8-batch", in_batches);
        measure("memcpy-nbi-8", implicit);
    }
    upc_barrier;
    return 0;
}
